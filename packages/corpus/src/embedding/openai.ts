import { createLatestAnswer, linkedSignal, type ProbePauses, type RetryPolicy, retry } from '@parley/runtime';
import { ANY } from '../search/priors.ts';
import { type Embedder, EmbeddingMisconfigured, EmbeddingUnavailable, type Spent, toUnit } from './embedder.ts';

export interface OpenAiEmbedderOptions {
  apiKey: string;
  /** With its `/v1`. */
  baseUrl?: string;
  model: string;
  /** For one request, including the whole response body. */
  timeoutMs?: number;
  /** Texts per request. */
  batchSize?: number;
  /** The first pause before a retry without Retry-After; it doubles each time. */
  backoffMs?: number;
  /** Called after each request with whether the server answered it, and, after one that failed, once the server answers again. */
  answered?: (isUp: boolean) => void;
  pauses?: ProbePauses;
}

/** How long a caller waits for a busy server. */
type Patience = Pick<RetryPolicy, 'attempts' | 'longestPauseMs'>;
const TRAINING: Patience = { attempts: 6, longestPauseMs: 60_000 };
const QUERY: Patience = { attempts: 2, longestPauseMs: 2_000 };

/**
 * Any OpenAI-compatible server. Its weight is a cautious guess: the models we measured are best at 0.8, but an unknown one
 * may handle the language of the corpus badly, and then words still count.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { apiKey, model, timeoutMs = 30_000, batchSize = 32, backoffMs = 500 } = options;
  const server = { apiKey, model, timeoutMs, baseUrl: options.baseUrl || 'https://api.openai.com/v1' };
  const closing = new AbortController();
  // Loaded lazily: LangChain takes most of a second to load, and is unused without a server.
  const requests = import('./openai-request.ts');
  const latest = options.answered && createLatestAnswer(options.answered, probe, options.pauses);
  let dimension: number | undefined;

  async function probe(signal: AbortSignal): Promise<void> {
    const { requestEmbeddings } = await requests;
    await requestEmbeddings(server, ['Hello'], signal);
  }

  async function request(
    texts: readonly string[],
    patience: Patience,
    signal: AbortSignal,
    spent: Spent | undefined,
  ): Promise<Float32Array[]> {
    const { requestEmbeddings } = await requests;
    const pauseAfter = (error: unknown, pauseMs: number) =>
      error instanceof EmbeddingUnavailable && error !== signal.reason ? (error.retryAfterMs ?? pauseMs) : undefined;
    const policy = { ...patience, backoffMs, pauseAfter };
    const attempt = () =>
      requestEmbeddings(server, texts, signal).catch((error) => {
        if (error instanceof EmbeddingUnavailable) latest?.answered(false);
        throw error;
      });
    const { vectors, tokens } = await retry(attempt, policy, signal);
    latest?.answered(true);
    spent?.(tokens);
    for (const vector of vectors) assertDimension(vector.length);
    return vectors.map(toUnit);
  }

  function assertDimension(length: number) {
    dimension ??= length;
    if (length === dimension) return;
    throw new EmbeddingMisconfigured(
      `The embedding server returned vectors of ${dimension} and of ${length} dimensions: check that OPENAI_EMBEDDING_MODEL names one model.`,
    );
  }

  const whileOpen = (signal?: AbortSignal) => linkedSignal([closing.signal, ...(signal ? [signal] : [])]);

  return {
    model,
    prior: ANY,
    isPaid: true,
    async embed(texts, signal, spent) {
      using open = whileOpen(signal);
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += batchSize)
        vectors.push(...(await request(texts.slice(from, from + batchSize), TRAINING, open.signal, spent)));
      return vectors;
    },
    async embedQuery(text, signal, spent) {
      using open = whileOpen(signal);
      return (await request([text], QUERY, open.signal, spent))[0]!;
    },
    async close() {
      closing.abort(new EmbeddingUnavailable('The embedder is closed.'));
      await latest?.stop();
    },
  };
}
