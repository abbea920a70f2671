import { OpenAIEmbeddings } from '@langchain/openai';
import { activeHeaders, linkedSignal, openAiFailure, traced } from '@parley/runtime';
import { EmbeddingMisconfigured, EmbeddingUnavailable } from './embedder.ts';
import { tokensOf } from './paid.ts';

export interface EmbeddingServer {
  apiKey: string;
  baseUrl: string;
  model: string;
  timeoutMs: number;
}

export interface Embedded {
  vectors: number[][];
  /** As the server reports them, else estimated. */
  tokens: number;
}

/**
 * One request, attempted once. The server's messages are never passed on: they may quote the key. Throws
 * EmbeddingUnavailable for what may pass, and EmbeddingMisconfigured for what an operator has to fix.
 */
export async function requestEmbeddings(
  server: EmbeddingServer,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Embedded> {
  using bounds = linkedSignal([signal], server.timeoutMs);
  const client = createClient(server, texts.length, bounds.signal);
  const attributes = { 'gen_ai.request.model': server.model, texts: texts.length };
  try {
    const vectors = await traced('embeddings', { kind: 'client', attributes }, () => client.embedDocuments([...texts]));
    return { vectors, tokens: client.tokens ?? tokensOf(texts) };
  } catch (error) {
    signal.throwIfAborted();
    if (bounds.late)
      throw new EmbeddingUnavailable(
        `The embedding server (OPENAI_BASE_URL) did not finish its answer within ${server.timeoutMs / 1000} s.`,
      );
    throw error instanceof WrongAnswer ? new EmbeddingMisconfigured(error.message) : translated(error);
  }
}

/** A client for one request: LangChain accepts a signal only at the level of fetch, where it also aborts a stalled body. */
function createClient(server: EmbeddingServer, texts: number, signal: AbortSignal): CheckedEmbeddings {
  return new CheckedEmbeddings(
    {
      apiKey: server.apiKey,
      model: server.model,
      batchSize: texts,
      maxRetries: 0,
      stripNewLines: false,
      // The default, base64, is silently misread if a server answers floats.
      encodingFormat: 'float',
      configuration: {
        baseURL: server.baseUrl,
        fetch(url, init) {
          const headers = new Headers(init?.headers);
          for (const [name, value] of Object.entries(activeHeaders())) headers.set(name, value);
          return fetch(url, { ...init, headers, signal });
        },
      },
    },
    texts,
  );
}

class WrongAnswer extends Error {}

/** LangChain pairs vectors with texts by position and checks neither their number nor their type. */
class CheckedEmbeddings extends OpenAIEmbeddings {
  /** That the server says it has counted. */
  tokens: number | undefined;
  private readonly expected: number;

  constructor(fields: ConstructorParameters<typeof OpenAIEmbeddings>[0], expected: number) {
    super(fields);
    this.expected = expected;
  }

  protected override async embeddingWithRetry(request: Parameters<OpenAIEmbeddings['embeddingWithRetry']>[0]) {
    const response = await super.embeddingWithRetry(request);
    const data: unknown = response?.data;
    if (!Array.isArray(data))
      throw new WrongAnswer(
        'OPENAI_BASE_URL did not answer as an embeddings endpoint does: check that it ends where /embeddings begins, for example in /v1.',
      );
    if (data.length !== this.expected)
      throw new WrongAnswer(
        `The embedding server (OPENAI_BASE_URL) answered ${data.length} vectors for ${this.expected} texts.`,
      );
    if (!data.every((entry) => isVector(entry?.embedding)))
      throw new WrongAnswer(
        'The embedding server (OPENAI_BASE_URL) answered something else than vectors of numbers: check OPENAI_EMBEDDING_MODEL.',
      );
    const { total_tokens: tokens } = response.usage ?? {};
    if (Number.isInteger(tokens) && tokens > 0) this.tokens = tokens;
    return { ...response, data: data.toSorted((a, b) => (a.index ?? 0) - (b.index ?? 0)) };
  }
}

function isVector(value: unknown): value is number[] {
  return Array.isArray(value) && value.length > 0 && value.every(Number.isFinite);
}

function translated(error: unknown): Error {
  const { sentence, passing, retryAfterMs } = openAiFailure(error, {
    name: 'embedding server',
    modelVariable: 'OPENAI_EMBEDDING_MODEL',
  });
  return passing ? new EmbeddingUnavailable(sentence, retryAfterMs) : new EmbeddingMisconfigured(sentence);
}
