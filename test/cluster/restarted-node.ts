import { PROCESS_NAMES } from '../../deploy/processes.ts';
import { firing, scrapeOf } from '../faults/alerts.ts';
import { componentOf, eventually, isReady, type Namespace, namespaceOf, type Pod } from './kubernetes.ts';
import { type Runner, runUntil } from './runner.ts';
import { Skipped } from './steps.ts';
import { STACK_FILE } from './suite.ts';

/** The report of pod/write.ts. */
interface Written {
  acknowledged: number;
  lost: string[];
  twice: string[];
  longestMs: number;
  reason: string | null;
  answered: boolean;
  gaps: number;
  trainings: number;
}

const WITHIN_MS = 10 * 60_000;
const READY_WITHIN_MS = 5 * 60_000;
const QUIET_WITHIN_MS = 120_000;
const KILLER = 'parley-killer';
const OPS_PORT = 9090;

/**
 * Kills every process of the release at once, as the restart of its only node does, while a client writes. Expects that all pods
 * become ready by themselves, and that everything acknowledged is there once.
 */
export async function restartNode(namespace: Namespace, runner: Runner, image: string): Promise<string> {
  const running = async () => (await namespace.pods()).filter(({ status }) => status.phase === 'Running');
  const before = await running();
  const killer = await startKiller(namespace.name, image, nodeOf(before));
  try {
    const started = { word: 'started', timeoutMs: WITHIN_MS };
    const writing = await runUntil(runner, 'test/cluster/pod/write.ts', { PARLEY_STACK: STACK_FILE }, started);
    const began = performance.now();
    const killed = await killer.kill(before);
    await eventually('A pod is not ready again', READY_WITHIN_MS, async () => {
      const now = await running();
      return now.length === before.length && now.every((pod) => isReady(pod) && isRestarted(pod, before));
    });
    const readyMs = performance.now() - began;
    const written: Written = JSON.parse((await writing.end()).trim().split('\n').at(-1)!);
    const { acknowledged, longestMs, ...rest } = written;
    const wanted = { lost: [], twice: [], reason: null, answered: true, gaps: 0, trainings: 2 };
    if (JSON.stringify(rest) !== JSON.stringify(wanted)) throw new Error(`Unexpected: ${JSON.stringify(written)}`);
    await quiet(namespace);
    const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
    return [
      `${killed} processes of ${before.length} pods killed; all are ready after ${seconds(readyMs)}`,
      `${acknowledged} writes acknowledged, none lost, none twice; one took ${seconds(longestMs)}`,
    ].join('\n');
  } finally {
    await killer.stop();
  }
}

const restartsOf = ({ status }: Pod): number =>
  (status.containerStatuses ?? []).reduce((sum, { restartCount }) => sum + restartCount, 0);

const isRestarted = (pod: Pod, before: Pod[]): boolean => {
  const same = before.find(({ metadata }) => metadata.uid === pod.metadata.uid);
  return !same || restartsOf(pod) > restartsOf(same);
};

function nodeOf(pods: Pod[]): string {
  const nodes = [...new Set(pods.map(({ spec }) => spec.nodeName))];
  if (nodes.length !== 1) throw new Skipped('the pods are on several nodes, which do not restart together');
  return nodes[0]!;
}

/** Waits until no alert has a reason left, of those that say what is so now. */
async function quiet(namespace: Namespace): Promise<void> {
  const { kubectl, pods } = namespace;
  const read = async ({ metadata: { name: pod } }: Pod) => {
    const path = `/api/v1/namespaces/${namespace.name}/pods/${pod}:${OPS_PORT}/proxy/metrics`;
    return { pod, text: await kubectl(['get', '--raw', path]) };
  };
  const serving = (await pods()).filter((pod) => PROCESS_NAMES.some((name) => name === componentOf(pod)));
  const first = scrapeOf(await Promise.all(serving.map(read)));
  let alerts = {};
  await eventually('An alert would go on firing', QUIET_WITHIN_MS, async () => {
    alerts = firing(first, scrapeOf(await Promise.all(serving.map(read))));
    return Object.keys(alerts).length === 0;
  }).catch((error) => {
    throw new Error(`${error.message}: ${JSON.stringify(alerts)}`);
  });
}

/** Starts a pod that sees all processes of the node, in a namespace that allows it. */
async function startKiller(beside: string, image: string, nodeName: string) {
  const namespace = namespaceOf(`${beside}-killer`);
  const stop = async () => {
    await namespace.kubectl(['delete', 'namespace', namespace.name, '--ignore-not-found', '--wait=false']);
  };
  await namespace.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace.name } });
  try {
    await namespace.apply({
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: { name: KILLER },
      spec: {
        nodeName,
        hostPID: true,
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 1,
        containers: [{ name: 'killer', image, securityContext: { runAsUser: 0 } }],
      },
    });
  } catch (error) {
    await stop();
    throw new Skipped(`no pod may see the processes of the node: ${(error as Error).message}`);
  }
  await namespace.kubectl(['wait', '--for=condition=Ready', `pod/${KILLER}`, '--timeout=60s'], { timeoutMs: 70_000 });
  return {
    stop,
    async kill(pods: Pod[]): Promise<number> {
      const uids = pods.map(({ metadata }) => metadata.uid);
      const { killed } = JSON.parse(
        await namespace.exec(KILLER, ['node', 'test/cluster/pod/kill.ts', ...uids]).end(),
      ) as { killed: number };
      return killed;
    },
  };
}
