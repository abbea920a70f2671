import type { Prior } from '../search/evidence.ts';

/** Turns texts into unit vectors. One embedder is one model; vectors of different models are never compared. */
export interface Embedder {
  /** Stored with every build; a query vector is compared only with builds of its model. */
  readonly model: string;
  /** Calibrates similarities of builds that say little about themselves. */
  readonly prior: Prior;
  /** True if what it embeds is paid for, by the token: it is embedded on a budget (see `paidBy`). */
  readonly isPaid?: boolean;
  /**
   * Unit vectors in the order of the texts. Throws EmbeddingUnavailable if a later retry may help, the signal's reason if
   * it is aborted, and EmbeddingMisconfigured if an operator has to act.
   *
   * @param spent is called with the tokens of each request that succeeded, if they are paid for
   */
  embed(texts: readonly string[], signal?: AbortSignal, spent?: Spent): Promise<Float32Array[]>;
  /** Like `embed`, for a waiting user: overtakes batches and gives up sooner. */
  embedQuery(text: string, signal?: AbortSignal, spent?: Spent): Promise<Float32Array>;
  /** Rejects pending calls and frees all resources. */
  close(): Promise<void>;
}

export type Spent = (tokens: number) => void;

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
