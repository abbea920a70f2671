import type { Namespace, Pod } from './kubernetes.ts';
import { replaced } from './replicas.ts';
import { type Runner, runUntil } from './runner.ts';
import { STACK_FILE } from './suite.ts';

/** The report of pod/publish.ts. */
interface Published {
  asked: number;
  published: number;
  failed: number;
  failures: string[];
  /** The names of the local copies of the builds that are live. */
  copies: string[];
}

const WITHIN_MS = 10 * 60_000;
const KNOWLEDGE_PODS = 3;
/** The pod that an account's questions go to, and the one that they go to while it is busy. */
const MAX_LOADING = 2;

/**
 * Kills a knowledge pod, which is replaced, while trainings publish and questions are asked. Rejects if a question failed, if one
 * was answered from a build that was not live, or if more than two pods have loaded the last build of an account.
 */
export async function whileTrainingsPublish(namespace: Namespace, runner: Runner): Promise<string> {
  const program = 'test/cluster/pod/publish.ts';
  const begun = { word: 'started', timeoutMs: WITHIN_MS };
  const publishing = await runUntil(runner, program, { PARLEY_STACK: STACK_FILE }, begun);
  const [killed] = await namespace.pods('knowledge');
  await namespace.kubectl(['delete', 'pod', killed!.metadata.name, '--grace-period=0', '--force']);
  await replaced(namespace, 'knowledge', killed!, KNOWLEDGE_PODS);
  const { asked, published, failed, failures, copies }: Published = JSON.parse(
    (await publishing.end()).trim().split('\n').at(-1)!,
  );
  if (failed > 0) throw new Error(`${failed} of ${asked} questions failed:\n${failures.join('\n')}`);
  const pods = await namespace.pods('knowledge');
  const folders = await Promise.all(pods.map((pod) => indexOf(namespace, pod)));
  const loading = copies.map((copy) => folders.filter((names) => names.includes(copy)).length);
  if (!loading.every((count) => count > 0 && count <= MAX_LOADING))
    throw new Error(`So many pods have loaded the last build of each account: ${loading.join(', ')}`);
  return `${asked} questions and ${published} builds, 0 failed; pods that loaded each last build: ${loading.join(', ')}`;
}

async function indexOf(namespace: Namespace, { metadata: { name } }: Pod): Promise<string[]> {
  const list = 'process.stdout.write(JSON.stringify(fs.readdirSync(process.env.INDEX_DIR)))';
  return JSON.parse(await namespace.exec(name, ['node', '--eval', list]).end());
}
