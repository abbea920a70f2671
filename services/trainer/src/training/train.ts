import type { Progress, TrainingJob } from '@parley/corpus';
import { LeaseLost } from '@parley/runtime';
import { LoadError } from '../http/load-error.ts';
import type { Parts } from '../parts.ts';
import { loadFaq } from '../sources/faq.ts';
import { loadWebsite } from '../sources/website.ts';
import type { CrawlLimits } from '../website/crawl.ts';
import { createBuildWriter } from './build-writer.ts';

/**
 * Texts that one step of a training has loaded, ready to be searched. A page of a website is one step, so that its state
 * is known as soon as it is done.
 */
export interface Step {
  /** None where a page could not be read. */
  sources: Source[];
  /** Pages, or FAQ items, that are done with this step; 1 where absent. */
  count?: number;
  /** Pages, or FAQ items, that are known so far, later ones included. */
  found: number;
  /** Runs when all of the step's chunks are stored. */
  done?(): Promise<void>;
}

/** One text with a title and an address: what a citation names. */
export interface Source {
  /** Unique in the build: a page's `page_url`, an FAQ item's id. */
  id: string;
  title: string;
  /** Empty where a reader finds it nowhere. */
  url: string;
  text: string;
}

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
