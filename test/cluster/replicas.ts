import { componentOf, eventually, isReady, type Namespace, type Pod } from './kubernetes.ts';
import type { Release, Values } from './release.ts';
import type { Runner } from './runner.ts';
import { STACK_FILE } from './suite.ts';

/** The services that are scaled, and to how many pods; and those of them that are called over gRPC. */
const REPLICAS: Readonly<Record<string, number>> = {
  ...{ gateway: 2, auth: 2, knowledge: 3, assistants: 2, conversations: 2, events: 2, mail: 2 },
};
const SCALED = Object.keys(REPLICAS);
const CALLED = ['knowledge', 'assistants'];
/** Clients find new pods when they replace connections, at most a minute after opening them. */
const SPREAD_WITHIN_MS = 180_000;
const REPLACED_WITHIN_MS = 180_000;

/** `values` with so many pods for each of these services. */
const scaled = (values: Values): Values => {
  const services = values['services'] as Record<string, object>;
  const more = SCALED.map((name) => [name, { ...services[name], replicas: REPLICAS[name] }]);
  return { ...values, services: { ...services, ...Object.fromEntries(more) } };
};

/** Scales up, and waits until all pods of each service have answered calls. Returns their shares. */
export async function spread(namespace: Namespace, release: Release, runner: Runner, values: Values): Promise<string> {
  await release.upgrade(scaled(values));
  const pods = (await Promise.all(CALLED.map((name) => namespace.pods(name)))).flat();
  const before = await callsOf(runner, pods);
  let shares: string[] = [];
  await eventually('A pod gets no calls', SPREAD_WITHIN_MS, async () => {
    const now = await callsOf(runner, pods);
    const calls = pods.map(({ status }) => (now[status.podIP!] ?? 0) - (before[status.podIP!] ?? 0));
    shares = pods.map((pod, i) => `${componentOf(pod)} ${calls[i]}`);
    return calls.every((count) => count >= 50);
  });
  return `calls by pod: ${shares.join(', ')}`;
}

export async function callsOf(runner: Runner, pods: Pod[]): Promise<Record<string, number>> {
  const ips = pods.map(({ status }) => status.podIP!);
  return JSON.parse(await runner.node(['test/cluster/pod/calls.ts', ...ips], { PARLEY_STACK: STACK_FILE }).end());
}

/** Evicts two pods of each of these services, like `kubectl drain` of two nodes: the second once the first is replaced. */
export async function drainTwice(namespace: Namespace): Promise<void> {
  const pods = new Map(await Promise.all(SCALED.map(async (name) => [name, await namespace.pods(name)] as const)));
  for (const node of [0, 1])
    await Promise.all(
      [...pods].map(async ([component, before]) => {
        await evict(namespace, before[node]!);
        await replaced(namespace, component, before[node]!, REPLICAS[component]!);
      }),
    );
}

/** Waits until the pod is gone and the wanted number of others are ready. */
export const replaced = (namespace: Namespace, component: string, gone: Pod, wanted: number): Promise<void> =>
  eventually(`${gone.metadata.name} was not replaced`, REPLACED_WITHIN_MS, async () => {
    const all = await namespace.kubectl(['get', 'pods', '--output', 'name']);
    const ready = (await namespace.pods(component)).filter(isReady);
    return !all.includes(gone.metadata.name) && ready.length === wanted;
  });

async function evict({ name: namespace, kubectl }: Namespace, { metadata: { name } }: Pod): Promise<void> {
  const eviction = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  const path = `/api/v1/namespaces/${namespace}/pods/${name}/eviction`;
  await kubectl(['create', '--raw', path, '--filename', '-'], { input: JSON.stringify(eviction) });
}
