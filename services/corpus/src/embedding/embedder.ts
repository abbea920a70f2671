/** Turns texts into unit vectors. One embedder is one model; vectors of different models are never compared. */
export interface Embedder {
  /** Stored with every build, and what decides which builds a query vector may be compared with. */
  readonly model: string;
  /** Share of the vectors in the fused score, 0 to 1; the rest is BM25's. It belongs to the model. */
  readonly weight: number;
  /**
   * Unit vectors in the order of the texts. Throws EmbeddingUnavailable when trying again later may help, the
   * signal's reason when it was aborted, and a plain Error naming the setting when only a person can help.
   */
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  /** As `embed`, for someone who waits: overtakes batches and gives up sooner. */
  embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array>;
  /** Rejects what is still waiting and frees everything. */
  close(): Promise<void>;
}

/** The embedder is away or busy. The message is fit for a person and holds no secret. */
export class EmbeddingUnavailable extends Error {
  override readonly name = 'EmbeddingUnavailable';
  /** What the server asked for, in milliseconds. */
  readonly retryAfterMs: number | undefined;

  constructor(message: string, retryAfterMs?: number) {
    super(message);
    this.retryAfterMs = retryAfterMs;
  }
}

/** The same direction at length 1; a vector of zeros stays as it is. */
export function toUnit(vector: ArrayLike<number>): Float32Array {
  let squares = 0;
  for (let i = 0; i < vector.length; i++) squares += vector[i]! * vector[i]!;
  const length = Math.sqrt(squares) || 1;
  return Float32Array.from(vector, (x) => x / length);
}
