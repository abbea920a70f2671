import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildImage } from '../../deploy/images/docker.ts';
import { IMAGES } from '../../deploy/images/images.ts';
import { PROCESS_NAMES } from '../../deploy/processes.ts';
import { run } from './command.ts';
import type { ClusterTestConfig } from './config.ts';
import { componentOf, eventually, isReady, type Namespace, namespaceOf, type Pod } from './kubernetes.ts';
import { underLoad } from './load.ts';
import { mailValues } from './mail.ts';
import { type Release, releaseIn } from './release.ts';
import { callsOf } from './replicas.ts';
import { type Runner, startRunner } from './runner.ts';
import { Skipped } from './steps.ts';
import { describeSystem, OF_EVERY_RELEASE, runSuite } from './suite.ts';
import { valuesFor } from './values.ts';

const GIT_WITHIN_MS = 60_000;
const DELETED_WITHIN_MS = 180_000;
/** How long a new pod serves beside the old one before that goes: the end-to-end tests run meanwhile. */
const TOGETHER_SECONDS = 180;
const TOGETHER_WITHIN_MS = 5 * 60_000;
/** Services that the tests and the load call through the gateway and each other; events is only read. */
const CALLED = ['knowledge', 'assistants', 'conversations', 'auth'];

/**
 * Installs the previous release in a namespace of its own, upgrades it to this one under load, so that pods of both serve
 * together for minutes, and rolls back in the same way. Rejects if a request or a test failed.
 */
export async function serveTogether(
  { registry, previous }: ClusterTestConfig,
  installed: Release,
  tag: string,
): Promise<string> {
  const ref = previous ?? (await newestTag());
  if (!ref) throw new Skipped('nothing was released yet; PREVIOUS names a commit to upgrade from');
  await installed.uninstall(); // Both would not fit on a small node.
  const folder = await mkdtemp(join(tmpdir(), 'parley-previous-'));
  const namespace = namespaceOf(`parley-${tag}-previous`);
  const old = `${tag}-previous`;
  try {
    await checkOut(ref, folder);
    for (const { dockerfile, ...image } of IMAGES)
      await buildImage({ ...image, dockerfile: join(folder, dockerfile), context: folder }, registry, old, true);
    const labels = { 'pod-security.kubernetes.io/enforce': 'restricted' };
    await namespace.apply({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace.name, labels } });
    const runner = await startRunner(namespace, `${registry}/parley-test:${tag}`);
    const mail = await mailValues(namespace, runner);
    const values = valuesFor({ registry, tag, siteIp: runner.ip, ingress: false, mail });
    const before = releaseIn(namespace, join(folder, 'helm'));
    const now = releaseIn(namespace);
    await before.install({ ...values, image: { registry, tag: old } });
    await describeSystem(namespace, now, runner);
    const up = await both(namespace, runner, () => now.upgrade(values));
    const down = await both(namespace, runner, () => now.rollback(1));
    return `from ${ref}, up: ${up}\nand back: ${down}`;
  } finally {
    await rm(folder, { recursive: true });
    const args = ['delete', 'namespace', namespace.name, '--ignore-not-found', '--timeout=170s'];
    await run('kubectl', args, { timeoutMs: DELETED_WITHIN_MS });
  }
}

const git = (...args: string[]) => run('git', args, { timeoutMs: GIT_WITHIN_MS });

const newestTag = (): Promise<string | undefined> =>
  git('describe', '--tags', '--abbrev=0').then(
    (tag) => tag.trim(),
    () => undefined,
  );

async function checkOut(ref: string, folder: string): Promise<void> {
  const archive = join(folder, 'sources.tar');
  await git('archive', '--output', archive, ref);
  await run('tar', ['-xf', archive, '-C', folder], { timeoutMs: GIT_WITHIN_MS });
  await rm(archive);
}

/** Moves to another release under load, while the end-to-end tests run on pods of both. Returns what was seen. */
async function both(namespace: Namespace, runner: Runner, move: () => Promise<void>): Promise<string> {
  await slowDown(namespace);
  const old = (await namespace.pods()).filter(isServing);
  let note = '';
  const load = await underLoad(runner, async () => {
    const moved = move();
    moved.catch(() => {}); // Prevents an unhandled rejection before it is awaited.
    const pods = await Promise.race([together(namespace, old), moved.then(() => [])]);
    const called = pods.filter((pod) => CALLED.includes(componentOf(pod)));
    const before = await callsOf(runner, called);
    const suite = await runSuite(runner, 'service', { conformance: false, tests: OF_EVERY_RELEASE });
    const after = await callsOf(runner, called);
    const idle = called.filter(({ status: { podIP = '' } }) => !(after[podIP]! > before[podIP]!));
    if (idle.length > 0 || called.length < 2 * CALLED.length)
      throw new Error(`No pods of both releases answered calls: ${JSON.stringify({ before, after })}`);
    note = `on ${called.length} pods of both releases\n${suite}`;
    await moved;
  });
  return `${load}\n${note}`;
}

const isServing = (pod: Pod): boolean => PROCESS_NAMES.some((name) => name === componentOf(pod));

/** Makes each Deployment keep an old pod for minutes after the new one has begun to serve. */
async function slowDown({ kubectl }: Namespace): Promise<void> {
  const names = (await kubectl(['get', 'deployments', '--output', 'name'])).trim().split('\n');
  const patch = JSON.stringify({ spec: { minReadySeconds: TOGETHER_SECONDS } });
  for (const name of names) await kubectl(['patch', name, '--patch', patch]);
}

/** Waits until each service has a new pod that is ready beside the old one. Returns all of them. */
async function together(namespace: Namespace, old: Pod[]): Promise<Pod[]> {
  let ready: Pod[] = [];
  await eventually('The releases do not serve together', TOGETHER_WITHIN_MS, async () => {
    ready = (await namespace.pods()).filter((pod) => isServing(pod) && isReady(pod));
    const isOld = ({ metadata }: Pod) => old.some((pod) => pod.metadata.uid === metadata.uid);
    const fresh = new Set(ready.filter((pod) => !isOld(pod)).map(componentOf));
    return old.every((pod) => fresh.has(componentOf(pod)));
  });
  return ready;
}
