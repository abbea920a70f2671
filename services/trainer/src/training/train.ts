import type { Progress, TrainingJob } from '@parley/corpus';
import { LeaseLost } from '@parley/runtime';
import { LoadError } from '../http/load-error.ts';
import type { Parts } from '../parts.ts';
import { loadFaq } from '../sources/faq.ts';
import type { Step } from '../sources/source.ts';
import { loadWebsite } from '../sources/website.ts';
import type { CrawlLimits } from '../website/crawl.ts';
import { ahead } from './ahead.ts';
import { createBuildWriter } from './build-writer.ts';

/** So that the embedding model always has work, also where a page is short; a page may have 5 MB. */
const STEPS_AHEAD = 4;

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
  const isWebsite = job.document.type === 'website';
  const written = ahead({
    load: (signal) => (isWebsite ? loadWebsite(parts, limits, job, signal) : loadFaq(corpus, job)),
    async work({ sources, count = 1, found, done }: Step, signal) {
      const chunks = await write(sources, signal);
      await done?.();
      return { chunks, count, found };
    },
    limit: STEPS_AHEAD,
    signal,
  });
  for await (const { chunks, count, found } of written) {
    progress.chunks += chunks;
    progress.sources_done += count;
    progress.sources_found = found;
    if (!(await corpus.training.reportProgress(job, progress))) throw new LeaseLost();
    signal.throwIfAborted();
  }

  if (progress.chunks === 0) throw new LoadError('There is no text to train on.');
  if (!(await corpus.training.publish(job, model))) throw new LeaseLost();
  return progress.chunks;
}
