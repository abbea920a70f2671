import type { Progress, TrainingJob } from '@parley/corpus';
import { LeaseLost } from '@parley/runtime';
import { LoadError } from '../http/load-error.ts';
import type { Parts } from '../parts.ts';
import { loadFaq } from '../sources/faq.ts';
import { loadWebsite } from '../sources/website.ts';
import type { CrawlLimits } from '../website/crawl.ts';
import { createBuildWriter } from './build-writer.ts';

/**
 * Runs one training from the first page to the build that answers, and gives the number of its chunks.
 *
 * @throws LeaseLost; a LoadError or EmbeddingUnavailable whose message is for the owner; the signal's reason.
 */
export async function train(parts: Parts, limits: CrawlLimits, job: TrainingJob, signal: AbortSignal): Promise<number> {
  const { corpus, embedders } = parts;
  const model = embedders.current?.model ?? null;
  await corpus.builds.open(job, model);

  const write = createBuildWriter(job, corpus, embedders.current);
  const progress: Progress = { sources_found: 0, sources_done: 0, chunks: 0 };
  const steps = job.document.type === 'website' ? loadWebsite(parts, limits, job, signal) : loadFaq(corpus, job);
  for await (const { sources, count = 1, found, done } of steps) {
    progress.chunks += await write(sources, signal);
    await done?.();
    progress.sources_done += count;
    progress.sources_found = found;
    if (!(await corpus.training.reportProgress(job, progress))) throw new LeaseLost();
    signal.throwIfAborted();
  }

  if (progress.chunks === 0) throw new LoadError('There is no text to train on.');
  if (!(await corpus.training.publish(job, model))) throw new LeaseLost();
  return progress.chunks;
}
