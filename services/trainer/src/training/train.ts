import {
  CALIBRATION,
  type Calibration,
  type EmbeddingUsage,
  type KnowledgeItemDoc,
  type LiveBuild,
  type Progress,
  type TrainingJob,
} from '@parley/corpus';
import { AppError, linkedSignal } from '@parley/runtime';
import { LeaseLost } from '@parley/runtime/mongo';
import { LoadError } from '../crawl/http/load-error.ts';
import type { Dependencies } from '../dependencies.ts';
import { type ChunkQuota, createChunkQuota, type Limits } from '../sources/limits.ts';
import { loaderOf } from '../sources/load.ts';
import { type Step, total } from '../sources/source.ts';
import { ahead } from './ahead.ts';
import { type RunFile, withRunFile } from './build-file.ts';
import { createBuildWriter } from './build-writer.ts';
import { calibrate } from './calibrate.ts';
import { createChunkSample } from './chunk-sample.ts';
import { embedderOnce } from './embedder-once.ts';
import { afterFirst, dependsOnLanguage } from './first-steps.ts';
import { createFormerBuilds } from './former-builds.ts';
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
export async function train(
  dependencies: Dependencies,
  limits: Limits,
  job: TrainingJob,
  signal: AbortSignal,
): Promise<number> {
  const { millis } = limits.training;
  using bounds = linkedSignal([signal], millis + ENDING_MS);
  const load = loaderOf(job.document);
  const quota = createChunkQuota(limits, job.document.type, await othersChunks(dependencies, job));
  // No crawling beyond the training's own time limit.
  const crawlLimits = { ...limits.crawl, millis: Math.min(limits.crawl.millis, millis) };
  const steps = (signal: AbortSignal) =>
    load({ dependencies, job, crawlLimits, documentLimits: limits.document, quota, signal });
  try {
    return await withRunFile(dependencies, job, (file) =>
      run(dependencies, steps, { quota, file }, job, bounds.signal),
    );
  } catch (error) {
    if (!bounds.late) throw error;
    const text = 'The training did not finish within its time limit (TRAINING_MAX_MINUTES). Train the item again.';
    throw new AppError('deadline_exceeded', text, error);
  }
}

type Steps = (signal: AbortSignal) => AsyncIterable<Step>;

/** The chunks of the account's other items. */
async function othersChunks({ corpus }: Dependencies, { account, document }: TrainingJob): Promise<number> {
  return (await corpus.usage.used(account)).chunks - (document.live?.chunks ?? 0);
}

interface Written {
  quota: ChunkQuota;
  file: RunFile;
}

async function run(
  dependencies: Dependencies,
  steps: Steps,
  { quota, file }: Written,
  job: TrainingJob,
  signal: AbortSignal,
) {
  const { corpus } = dependencies;
  await corpus.builds.open(job, null);
  const chosen = embedderOnce(dependencies, job);
  const isByLanguage = dependsOnLanguage(dependencies.embedders);
  const reader = dependencies.readers.reader();
  const sample = createChunkSample();
  const usage: EmbeddingUsage = { embedded: 0, reused: 0, calls: 0, tokens: 0 };
  using former = createFormerBuilds(dependencies, job);
  const unchanged = createUnchanged(job, { file, former }, usage, sample);
  let vectors: Vectors | null = null;
  const progress: Progress = { sources_found: 0, sources_done: 0, chunks: 0 };
  let trained = 0;
  const results = ahead({
    load: (signal) => (isByLanguage ? afterFirst(steps(signal), chosen.for) : steps(signal)),
    async work({ sources, count = 1, found, done }, signal) {
      const embedder = await chosen.for(sources);
      if (embedder) vectors ??= createVectors(former, embedder, usage);
      const model = embedder?.model ?? null;
      const write = createBuildWriter({ file, vectors, model, reader, quota, sample, unchanged });
      const written = await write(sources, signal);
      await done?.(written);
      return { written, count, found };
    },
    limit: STEPS_AHEAD,
    signal,
  });
  for await (const { written, count, found } of results) {
    trained += written.filter(({ chunks }) => chunks > 0).length;
    progress.chunks += total(written).chunks;
    progress.sources_done += count;
    progress.sources_found = found;
    if (!(await corpus.training.reportProgress(job, { ...progress, ...usage }))) throw new LeaseLost();
    signal.throwIfAborted();
  }

  if (progress.chunks === 0) throw new LoadError(quota.notes[0] ?? 'There is no text to train on.');
  quota.checkFuller(comparable(job.document), progress.chunks, trained);
  const { notes } = quota;
  if (unchanged.isAll) {
    if (!(await corpus.training.confirm(job, { notes }))) throw new LeaseLost();
    return progress.chunks;
  }
  // Some of what the live build has is gone.
  await unchanged.differs(signal);
  const embedder = await chosen.embedder;
  const model = embedder?.model ?? null;
  const { live, type } = job.document;
  const known = live?.model === model ? (await former.live())?.calibration : undefined;
  const calibration =
    keptCalibration(known, usage) ?? (await calibrate(embedder, sample.chunks, type === 'faq', signal));
  const finished = await file.finish({ model, calibration });
  // Trainings of the same account that ran meanwhile each had all the room that was left: this may be refused.
  if (!(await corpus.training.publish(job, { ...finished, model, sources: trained, notes }))) throw new LeaseLost();
  return progress.chunks;
}

/** The live build's, if hardly anything has changed since: asking costs more than embedding a few pages. */
function keptCalibration(known: Calibration | undefined, { embedded, reused }: EmbeddingUsage) {
  return known?.version === CALIBRATION && embedded < CHANGED * reused ? known : undefined;
}

/** The live build, unless the owner has chosen other pages since it was made: then it may well have more. */
function comparable({ type, live, training }: KnowledgeItemDoc): LiveBuild | null {
  const isOther = type === 'website' && live?.content_version !== training.content_version;
  return isOther ? null : live;
}
