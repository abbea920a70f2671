/** `npm run test:cluster`: tests all of Parley in the cluster that kubectl is configured for, in a new namespace. */

import { clusterSteps } from './cluster-steps.ts';
import { run } from './command.ts';
import { readClusterTestConfig } from './config.ts';
import { explainPods, namespaceOf } from './kubernetes.ts';
import { releaseIn } from './release.ts';
import { runSteps } from './steps.ts';

const DELETED_WITHIN_MS = 180_000;

const config = readClusterTestConfig();
const id = Date.now().toString(36);
const namespace = namespaceOf(`parley-test-${id}`);
const release = releaseIn(namespace);

async function deleteNamespace(): Promise<void> {
  const args = ['delete', 'namespace', namespace.name, '--ignore-not-found', '--timeout=170s'];
  await run('kubectl', args, { timeoutMs: DELETED_WITHIN_MS }).catch(({ message }) =>
    process.stderr.write(`${message}\n`),
  );
}

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, async () => {
    await deleteNamespace();
    process.exit(1);
  });

const all = clusterSteps({ config, namespace, release, tag: `test-${id}` });
const steps = all.filter(({ name, essential }) => essential || config.steps.test(name));
const { passed, failed } = await runSteps(steps, () => explainPods(namespace));
await deleteNamespace();
process.stdout.write(`${passed} passed, ${failed} failed\n`);
process.exit(failed > 0 ? 1 : 0);
