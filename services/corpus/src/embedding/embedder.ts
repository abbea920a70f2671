import type { Prior } from '../search/priors.ts';

/** Turns texts into unit vectors. One embedder is one model; vectors of different models are never compared. */
export interface Embedder {
  /** Stored with every build; a query vector is compared only with builds of its model. */
  readonly model: string;
  /** Share of the vectors in the fused score, 0 to 1; the rest is BM25's. It belongs to the model. */
  readonly weight: number;
  /** What its similarities mean, for builds that say little about themselves. */
  readonly prior: Prior;
  /**
   * Unit vectors in the order of the texts. Throws EmbeddingUnavailable if a later retry may help, the signal's reason if
   * it is aborted, and EmbeddingMisconfigured if an operator has to act.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** Like `embed`, for a waiting user: overtakes batches and gives up sooner. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Rejects pending calls and frees all resources. */
  close(): Promise<void>;
}

/** The embedder is unavailable or busy. The message is safe to show to a user. */
export class EmbeddingUnavailable extends Error {
  override readonly name = 'EmbeddingUnavailable';
  /** The server's Retry-After, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** A setting is wrong: another attempt would fail the same way. The message names it, and is safe to show to a user. */
export class EmbeddingMisconfigured extends Error {
  override readonly name = 'EmbeddingMisconfigured';
}

/** The same direction at length 1; a vector of zeros stays as it is. */
export function toUnit(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!;
  const length = Math.sqrt(squares) || 1;
  return Float32Array.from(vector, (x) => x / length);
}
