import {
  CALIBRATION,
  type EmbeddingUsage,
  type KnowledgeItemDoc,
  type LiveBuild,
  type Progress,
  type TrainingJob,
} from '@parley/corpus';
import { AppError, linkedSignal } from '@parley/runtime';
import { LeaseLost } from '@parley/runtime/mongo';
import { LoadError } from '../http/load-error.ts';
import type { Parts } from '../parts.ts';
import { loaderOf } from '../sources/load.ts';
import type { Step } from '../sources/source.ts';
import { ahead } from './ahead.ts';
import { createBuildWriter, total } from './build-writer.ts';
import { calibrate } from './calibrate.ts';
import { createChunkSample } from './chunk-sample.ts';
import { embedderOnce } from './embedder-once.ts';
import { afterFirst, dependsOnLanguage } from './first-steps.ts';
import { createLedger, type Ledger, type Limits } from './limits.ts';
import { createUnchanged } from './unchanged.ts';
import { createVectors, type Vectors } from './vectors.ts';

/** Keeps the embedding model busy even if pages are short; not more, because a page may have 5 MB. */
const STEPS_AHEAD = 4;
/** Grace after the training's time limit for work in progress, which ends by itself unless it hangs. */
const ENDING_MS = 120_000;
/** A build that differs from the live one by a smaller share of its chunks keeps its calibration. */
const CHANGED = 0.1;

/**
 * Runs one training to the publication of its build, and returns the number of its chunks. A run that hits a limit
 * publishes what it has, with a note; but one that was cut short (by time, or by the bytes that a crawl may read) does not
 * replace a fuller build.
 *
 * @throws LeaseLost; a LoadError, AppError or EmbeddingUnavailable whose message is for the owner; the signal's reason.
 */
export async function train(parts: Parts, limits: Limits, job: TrainingJob, signal: AbortSignal): Promise<number> {
  const { items } = parts.corpus;
  const { millis, itemChunks } = limits.training;
  using bounds = linkedSignal([signal], millis + ENDING_MS);
  const others = () => items.liveChunks(job.account, job.item, itemChunks);
  const load = loaderOf(job.document);
  const ledger = createLedger(limits, job.document.type, await others());
  // No crawling beyond the training's own time limit.
  const crawlLimits = { ...limits.crawl, millis: Math.min(limits.crawl.millis, millis) };
  const steps = (signal: AbortSignal) =>
    load({ parts, job, crawlLimits, documentLimits: limits.document, ledger, signal });
  try {
    return await run(parts, steps, { ledger, others }, job, bounds.signal);
  } catch (error) {
    if (!bounds.late) throw error;
    const text = 'The training did not finish within its time limit (TRAINING_MAX_MINUTES). Train the item again.';
    throw new AppError('deadline_exceeded', text, error);
  }
}

type Steps = (signal: AbortSignal) => AsyncIterable<Step>;

interface Room {
  ledger: Ledger;
  /** Chunks of the account's other items now. */
  others(): Promise<number>;
}

async function run(parts: Parts, steps: Steps, { ledger, others }: Room, job: TrainingJob, signal: AbortSignal) {
  const { corpus } = parts;
  await corpus.builds.open(job, null);
  const chosen = embedderOnce(parts, job);
  const isByLanguage = dependsOnLanguage(parts.embedders);
  const reader = parts.readers.reader();
  const sample = createChunkSample();
  const usage: EmbeddingUsage = { embedded: 0, reused: 0, calls: 0, tokens: 0 };
  const unchanged = createUnchanged(job, corpus, usage, sample);
  let vectors: Vectors | null = null;
  const progress: Progress = { sources_found: 0, sources_done: 0, chunks: 0 };
  const measured = { sources: 0, characters: 0 };
  const results = ahead({
    load: (signal) => (isByLanguage ? afterFirst(steps(signal), chosen.for) : steps(signal)),
    async work({ sources, count = 1, found, done }, signal) {
      const embedder = await chosen.for(sources);
      if (embedder) vectors ??= createVectors(job, corpus.chunks, embedder, usage);
      const model = embedder?.model ?? null;
      const write = createBuildWriter({ job, corpus, vectors, model, reader, ledger, sample, unchanged });
      const written = await write(sources, signal);
      await done?.(written);
      return { written, count, found };
    },
    limit: STEPS_AHEAD,
    signal,
  });
  for await (const { written, count, found } of results) {
    const { chunks, characters } = total(written);
    measured.sources += written.filter(({ chunks }) => chunks > 0).length;
    measured.characters += characters;
    progress.chunks += chunks;
    progress.sources_done += count;
    progress.sources_found = found;
    if (!(await corpus.training.reportProgress(job, { ...progress, ...usage }))) throw new LeaseLost();
    signal.throwIfAborted();
  }

  if (progress.chunks === 0) throw new LoadError(ledger.notes[0] ?? 'There is no text to train on.');
  ledger.checkFuller(comparable(job.document), progress.chunks, measured.sources);
  const about = { notes: ledger.notes };
  if (unchanged.isAll) {
    if (!(await corpus.training.confirm(job, about))) throw new LeaseLost();
    return progress.chunks;
  }
  // Some of what the live build has is gone.
  await unchanged.differs(signal);
  const model = (await chosen.embedder)?.model ?? null;
  const dimension = model === null ? 0 : await corpus.chunks.dimension(job.account, job.build, model);
  const { live, type } = job.document;
  const calibration =
    keptCalibration(live, model, usage) ??
    (await calibrate(await chosen.embedder, sample.chunks, type === 'faq', signal));
  const published = { ...measured, ...about, dimension, ...(calibration && { calibration }) };
  // Trainings of the same account that ran meanwhile each had all the room that was left.
  ledger.checkRoom(job.document.live, progress.chunks, await others());
  if (!(await corpus.training.publish(job, model, published))) throw new LeaseLost();
  return progress.chunks;
}

/** The live build's, if hardly anything has changed since: asking costs more than embedding a few pages. */
function keptCalibration(live: LiveBuild | null, model: string | null, { embedded, reused }: EmbeddingUsage) {
  const isKept = live?.model === model && live?.calibration?.version === CALIBRATION;
  return isKept && embedded < CHANGED * reused ? live?.calibration : undefined;
}

/** The live build, unless the owner has chosen other pages since it was made: then it may well have more. */
function comparable({ type, live, training }: KnowledgeItemDoc): LiveBuild | null {
  const isOther = type === 'website' && (live?.content_version ?? 0) !== training.content_version;
  return isOther ? null : live;
}
