import { setTimeout as delay } from 'node:timers/promises';
import { type Embedder, EmbeddingUnavailable, toUnit } from './embedder.ts';

export interface OpenAiEmbedderOptions {
  apiKey: string;
  /** With its `/v1`. */
  baseUrl?: string;
  model: string;
  /** Of one request, to the last byte of its answer. */
  timeoutMs?: number;
  /** Texts in a request. */
  batchSize?: number;
  /** The first pause before trying again, where the server names none; it doubles. */
  backoffMs?: number;
}

/** How long a caller bears with a server that is busy. */
interface Patience {
  attempts: number;
  longestPauseMs: number;
}
const TRAINING: Patience = { attempts: 6, longestPauseMs: 60_000 };
const QUERY: Patience = { attempts: 2, longestPauseMs: 2_000 };

/**
 * Any OpenAI-compatible server. Its weight is a guess on the safe side: models we measured are best at 0.8, but an
 * unknown one may read the corpus' language badly, where words still count.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { apiKey, model, timeoutMs = 30_000, batchSize = 32, backoffMs = 500 } = options;
  const server = { apiKey, model, timeoutMs, baseUrl: options.baseUrl || 'https://api.openai.com/v1' };
  const closing = new AbortController();
  // LangChain takes most of a second to load, which those do without who name no server.
  const requests = import('./openai-request.ts');
  let dimension: number | undefined;

  async function request(texts: readonly string[], patience: Patience, signal: AbortSignal): Promise<Float32Array[]> {
    const { requestEmbeddings } = await requests;
    const vectors = await patiently(() => requestEmbeddings(server, texts, signal), patience, backoffMs, signal);
    for (const vector of vectors) assertDimension(vector.length);
    return vectors.map(toUnit);
  }

  function assertDimension(length: number) {
    dimension ??= length;
    if (length === dimension) return;
    throw new Error(
      `The embedding server answered vectors of ${dimension} and of ${length} numbers: check that OPENAI_EMBEDDING_MODEL names one model.`,
    );
  }

  const whileOpen = (signal?: AbortSignal) => (signal ? AbortSignal.any([signal, closing.signal]) : closing.signal);

  return {
    model,
    weight: 0.7,
    async embed(texts, signal) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchSize)
        vectors.push(...(await request(texts.slice(from, from + batchSize), TRAINING, whileOpen(signal))));
      return vectors;
    },
    async embedQuery(text, signal) {
      return (await request([text], QUERY, whileOpen(signal)))[0]!;
    },
    async close() {
      closing.abort(new EmbeddingUnavailable('The embedder is closed.'));
    },
  };
}

async function patiently<T>(attempt: () => Promise<T>, patience: Patience, backoffMs: number, signal: AbortSignal) {
  for (let tried = 1; ; tried++) {
    signal.throwIfAborted();
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof EmbeddingUnavailable) || error === signal.reason || tried === patience.attempts)
        throw error;
      const pauseMs = error.retryAfterMs ?? backoffMs * 2 ** (tried - 1) * (0.5 + Math.random() / 2);
      if (pauseMs > patience.longestPauseMs) throw error;
      await pause(pauseMs, signal);
    }
  }
}

/** Timers report an abort as their own error; callers are promised the signal's reason. */
async function pause(ms: number, signal: AbortSignal) {
  await delay(ms, undefined, { signal }).catch(() => signal.throwIfAborted());
}
