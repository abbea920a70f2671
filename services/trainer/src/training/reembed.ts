import { setTimeout as sleep } from 'node:timers/promises';
import { type Embedder, type NewChunk, type TrainingJob, textHash } from '@parley/corpus';
import { languageOf } from '@parley/language';
import { LeaseLost } from '@parley/runtime/mongo';
import type { Parts } from '../parts.ts';
import { embeddedText } from './build-writer.ts';
import { calibrate } from './calibrate.ts';
import { createChunkSample } from './chunk-sample.ts';
import { createVectors } from './vectors.ts';

const BATCH = 32;

/**
 * Makes a copy of a live build with the vectors of the model that new builds have, and makes it live. Rests as long as it
 * works, so that trainings and questions have the embedding model half of the time at least. Returns the model.
 *
 * @throws LeaseLost; an EmbeddingUnavailable; the signal's reason.
 */
export async function reembed(parts: Parts, job: TrainingJob, signal: AbortSignal): Promise<string> {
  const { builds, chunks, reembedding } = parts.corpus;
  const usage = { embedded: 0, reused: 0, calls: 0, tokens: 0 };
  const sample = createChunkSample();
  let embedder: Embedder | undefined;
  let vectors: ReturnType<typeof createVectors> | undefined;
  await builds.open(job, null);
  for await (const batch of chunks.batches(job.account, job.document.live!.build, BATCH)) {
    const began = performance.now();
    if (!embedder || !vectors) {
      embedder = embedderFor(parts, batch);
      await builds.setModel(job, embedder.model);
      vectors = createVectors(job, chunks, embedder, usage);
    }
    const texts = batch.map(embeddedText);
    const made = await vectors(texts, signal);
    const copies = batch.map((chunk, i) => ({ ...chunk, text_hash: textHash(texts[i]!), vector: made[i]! }));
    signal.throwIfAborted();
    await chunks.insert(job, copies);
    sample.offer(copies);
    await sleep(performance.now() - began, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  if (!embedder) throw new Error('The live build has no chunks.');
  const dimension = await chunks.dimension(job.account, job.build, embedder.model);
  const calibration = await calibrate(embedder, sample.chunks, job.document.type === 'faq', signal);
  if (!(await reembedding.publish(job, embedder.model, { dimension, ...(calibration && { calibration }) })))
    throw new LeaseLost();
  return embedder.model;
}

function embedderFor({ embedders }: Parts, chunks: readonly NewChunk[]): Embedder {
  const embedder = embedders.forLanguage(languageOf(chunks.map(({ text }) => text).join('\n')));
  if (!embedder) throw new Error('No embedding model is configured.');
  return embedder;
}
