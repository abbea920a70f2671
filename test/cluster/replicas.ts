import { componentOf, eventually, isReady, type Namespace, type Pod } from './kubernetes.ts';
import type { Release, Values } from './release.ts';
import type { Runner } from './runner.ts';
import { STACK_FILE } from './suite.ts';

/** The services that are scaled to two pods, and those of them that are called over gRPC. */
const SCALED = ['gateway', 'knowledge', 'assistants'];
const CALLED = ['knowledge', 'assistants'];
/** Clients find new pods when they replace connections, at most a minute after opening them. */
const SPREAD_WITHIN_MS = 180_000;
const REPLACED_WITHIN_MS = 180_000;

/** `values` with two pods for each of these services. */
const scaled = (values: Values): Values => {
  const services = values['services'] as Record<string, object>;
  const two = Object.fromEntries(SCALED.map((name) => [name, { ...services[name], replicas: 2 }]));
  return { ...values, services: { ...services, ...two } };
};

/** Scales up, and waits until both pods of each service have answered calls. Returns their shares. */
export async function spread(namespace: Namespace, release: Release, runner: Runner, values: Values): Promise<string> {
  await release.upgrade(scaled(values));
  const pods = (await Promise.all(CALLED.map((name) => namespace.pods(name)))).flat();
  const before = await callsOf(runner, pods);
  let shares: string[] = [];
  await eventually('A second pod gets no calls', SPREAD_WITHIN_MS, async () => {
    const now = await callsOf(runner, pods);
    const calls = pods.map(({ status }) => (now[status.podIP!] ?? 0) - (before[status.podIP!] ?? 0));
    shares = pods.map((pod, i) => `${componentOf(pod)} ${calls[i]}`);
    return calls.every((count) => count >= 50);
  });
  return `calls by pod: ${shares.join(', ')}`;
}

async function callsOf(runner: Runner, pods: Pod[]): Promise<Record<string, number>> {
  const ips = pods.map(({ status }) => status.podIP!);
  return JSON.parse(await runner.node(['test/cluster/pod/calls.ts', ...ips], { PARLEY_STACK: STACK_FILE }).end());
}

/** Evicts one pod of each of these services, like `kubectl drain`, and waits until another has replaced it. */
export async function evictOneOfEach(namespace: Namespace): Promise<void> {
  for (const component of SCALED) {
    const [pod] = await namespace.pods(component);
    await evict(namespace, pod!);
    await replaced(namespace, component, pod!, 2);
  }
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
