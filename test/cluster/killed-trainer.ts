import type { Namespace } from './kubernetes.ts';
import { type Runner, runUntil } from './runner.ts';
import { STACK_FILE } from './suite.ts';

/** A training as pod/train.ts reports it. */
interface Training {
  reason: string | null;
  trained: string[];
  answered: boolean;
  /** Requests for the slow page: one by the killed trainer, one by the next. */
  asked: number;
  chunks: number;
  sources: number;
}

const TRAINING_WITHIN_MS = 5 * 60_000;
/** The start page, eight others, and the slow one. */
const PAGES = 10;

/** Kills the trainer while it waits for a page; the next one must finish the training, without duplicates. */
export async function killTrainerInMidTraining(namespace: Namespace, runner: Runner): Promise<string> {
  const program = 'test/cluster/pod/train.ts';
  const inMid = { word: 'sources_done', timeoutMs: TRAINING_WITHIN_MS };
  const training = await runUntil(runner, program, { PARLEY_STACK: STACK_FILE }, inMid);
  const [trainer] = await namespace.pods('trainer');
  await namespace.kubectl(['delete', 'pod', trainer!.metadata.name, '--grace-period=0', '--force']);

  const lines = (await training.end()).trim().split('\n');
  const report: Training = JSON.parse(lines.at(-1)!);
  const wanted = { reason: null, answered: true, asked: 2, chunks: PAGES, sources: PAGES };
  for (const [name, value] of Object.entries(wanted))
    if (report[name as keyof Training] !== value) throw new Error(`${name} is not ${value}: ${lines.at(-1)}`);
  if (report.trained.length !== PAGES) throw new Error(`Not every page was trained: ${lines.at(-1)}`);
  return `read by two trainers, ${report.chunks} chunks of ${report.sources} pages`;
}
