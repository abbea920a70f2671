import {
  type Calibration,
  calibrationOf,
  type Embedder,
  EmbeddingUnavailable,
  FOREIGN_QUESTIONS,
} from '@parley/corpus';

/** By embedder: a model's vectors of the same questions never change. */
const known = new WeakMap<Embedder, readonly Float32Array[]>();

/** Compares a build's sample with foreign questions. Undefined if that can't be had: searches use the model's own then. */
export async function calibrate(
  embedder: Embedder | null,
  sample: readonly Float32Array[],
  signal: AbortSignal,
): Promise<Calibration | undefined> {
  if (!embedder || sample.length < 2) return undefined;
  try {
    const foreign = known.get(embedder) ?? (await embedded(embedder, signal));
    known.set(embedder, foreign);
    return calibrationOf(sample, foreign);
  } catch (error) {
    if (error instanceof EmbeddingUnavailable) return undefined;
    throw error;
  }
}

/** As queries, which some models embed differently from passages; one after the other, so that they hold up nobody. */
async function embedded(embedder: Embedder, signal: AbortSignal): Promise<Float32Array[]> {
  const vectors: Float32Array[] = [];
  for (const question of FOREIGN_QUESTIONS) vectors.push(await embedder.embedQuery(question, signal));
  return vectors;
}
