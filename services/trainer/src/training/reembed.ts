import { setTimeout as sleep } from 'node:timers/promises';
import { type Embedder, type NewChunk, paidBy, type TrainingJob, textHash } from '@parley/corpus';
import { languageOf } from '@parley/language';
import { LeaseLost } from '@parley/runtime/mongo';
import type { Dependencies } from '../dependencies.ts';
import { type RunFile, withRunFile } from './build-file.ts';
import { embeddedText } from './build-writer.ts';
import { calibrate } from './calibrate.ts';
import { createChunkSample } from './chunk-sample.ts';
import { createFormerBuilds } from './former-builds.ts';
import { createVectors } from './vectors.ts';

const BATCH = 32;

/**
 * Makes a copy of a live build with the vectors of the model that new builds have, and makes it live. Rests as long as it
 * works, so that trainings and questions have the embedding model half of the time at least. Returns the model.
 *
 * @throws LeaseLost; an EmbeddingUnavailable; the signal's reason.
 */
export const reembed = (dependencies: Dependencies, job: TrainingJob, signal: AbortSignal): Promise<string> =>
  withRunFile(dependencies, job, (file) => copyWithVectors(dependencies, job, file, signal));

async function copyWithVectors(
  dependencies: Dependencies,
  job: TrainingJob,
  file: RunFile,
  signal: AbortSignal,
): Promise<string> {
  const { builds, reembedding } = dependencies.corpus;
  const usage = { embedded: 0, reused: 0, calls: 0, tokens: 0 };
  const sample = createChunkSample();
  using former = createFormerBuilds(dependencies, job);
  await builds.open(job, null);
  const live = await former.live();
  const { chunks } = job.document.live!;
  if (!live || chunks === 0) throw new Error('The live build has no chunks.');
  const embedder = paidBy(job.account, embedderFor(dependencies, live.batch(0, BATCH)), dependencies.tokens);
  await builds.setModel(job, embedder.model);
  const vectors = createVectors(former, embedder, usage);
  for (let from = 0; from < chunks; from += BATCH) {
    const began = performance.now();
    const batch = live.batch(from, BATCH);
    const texts = batch.map(embeddedText);
    const made = await vectors(texts, signal);
    const copies = batch.map((chunk, i) => ({ ...chunk, text_hash: textHash(texts[i]!), vector: made[i]! }));
    signal.throwIfAborted();
    await file.add(copies);
    sample.offer(copies);
    await sleep(performance.now() - began, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  const calibration = await calibrate(embedder, sample.chunks, job.document.type === 'faq', signal);
  const { file: uploaded } = await file.finish({ model: embedder.model, calibration });
  if (!(await reembedding.publish(job, { model: embedder.model, file: uploaded }))) throw new LeaseLost();
  return embedder.model;
}

function embedderFor({ embedders }: Dependencies, chunks: readonly NewChunk[]): Embedder {
  const embedder = embedders.forLanguage(languageOf(chunks.map(({ text }) => text).join('\n')));
  if (!embedder) throw new Error('No embedding model is configured.');
  return embedder;
}
