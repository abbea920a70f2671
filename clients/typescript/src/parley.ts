import createClient from 'openapi-fetch';
import type { HttpMethod } from 'openapi-typescript-helpers';
import { isJson, send } from './attempts.ts';
import { errorOf } from './error.ts';
import { type ReplySoFar, streamReply } from './stream-reply.ts';
import type { Arguments, Call, CallOptions, ItemOf, ListPath, RequestOf } from './types.ts';

export interface ParleyOptions {
  /** The address of the API, which ends with `/v1`: `https://parley.example.com/v1`. */
  baseUrl: string;
  /** An API key of the account. It is a secret. */
  apiKey: string;
  /** How long to wait for the response to one attempt, and in a stream for the next event: 90 seconds by default. */
  timeoutMs?: number;
  /** How often a request is repeated after 429, 503 or a network failure: 3 times by default. */
  retries?: number;
  /** Instead of the global `fetch`. */
  fetch?: (request: Request) => Promise<Response>;
}

/** Parley's REST API. Every method throws a `ParleyError` for a request that failed. */
export interface Parley {
  get: Call<'get'>;
  post: Call<'post'>;
  put: Call<'put'>;
  patch: Call<'patch'>;
  delete: Call<'delete'>;
  /** All items of a list, page by page as the loop proceeds. `query.limit` is the size of a page. */
  list<P extends ListPath>(
    path: P,
    ...request: Arguments<RequestOf<P, 'get'>>
  ): AsyncGenerator<ItemOf<P>, void, undefined>;
  /**
   * Asks a chatbot, and yields its reply while it is written. A stream that breaks off is requested again, up to `retries`
   * times, and gets the same reply.
   */
  streamReply(request: RequestOf<'/chatbot/{id}/reply', 'post'>): AsyncGenerator<ReplySoFar, void, undefined>;
  /** Uploads the file of a document to its `upload_url`. */
  upload(uploadUrl: string, file: Blob | string, options?: CallOptions): Promise<void>;
}

const TIMEOUT_MS = 90_000;
const RETRIES = 3;

interface AnyParameters {
  path?: Record<string, unknown>;
  query?: Record<string, unknown>;
}

interface AnyRequest extends AnyParameters, CallOptions {
  body?: unknown;
}

/** Callers see the types of their operation; inside, all operations are the same. */
interface AnyOperation {
  parameters: AnyParameters;
  requestBody?: { content: { 'application/json': unknown } };
  responses: { 200: { content: { 'application/json': unknown } } };
}

/** A client of the API with the key of one account. */
export function createParley(options: ParleyOptions): Parley {
  const { baseUrl, apiKey, timeoutMs: limitMs = TIMEOUT_MS, retries = RETRIES } = options;
  const { fetch = (request: Request) => globalThis.fetch(request) } = options;
  const client = createClient<Record<string, Record<HttpMethod, AnyOperation>>>({
    baseUrl,
    headers: { accept: 'application/json', authorization: `Bearer ${apiKey}` },
  });

  async function respond(method: HttpMethod, path: string, request: AnyRequest, headers = {}): Promise<Response> {
    const { path: inPath = {}, query = {}, body, idempotencyKey } = request;
    const { response } = await client.request(method, path, {
      params: { path: inPath, query },
      body,
      headers: { ...(method === 'post' && { 'Idempotency-Key': idempotencyKey ?? randomKey() }), ...headers },
      fetch: (sent: Request) => answered(sent, request),
      // Leaves the response unread.
      parseAs: 'stream',
    });
    return response;
  }

  async function call(method: HttpMethod, path: string, request: AnyRequest = {}): Promise<unknown> {
    const response = await respond(method, path, request);
    return isJson(response) ? ((await response.json()) as { data?: unknown }).data : response.blob();
  }

  async function* list(path: string, request: AnyRequest = {}) {
    let query = request.query;
    for (;;) {
      const page = (await call('get', path, { ...request, ...(query && { query }) })) as Page;
      yield* page.items;
      if (!page.has_more) return;
      query = { ...query, next_cursor: page.next_cursor };
    }
  }

  async function upload(url: string, file: Blob | string, request: CallOptions = {}) {
    // The address is signed, so it needs no key.
    await answered(new Request(url, { method: 'PUT', body: file }), request);
  }

  /** Throws the error that a response reports. */
  async function answered(request: Request, { signal, timeoutMs = limitMs }: CallOptions): Promise<Response> {
    const response = await send(request, { fetch, retries, timeoutMs, signal });
    if (!response.ok) throw await errorOf(response);
    return response;
  }

  const method = (name: HttpMethod) => (path: string, request?: AnyRequest) => call(name, path, request);
  return {
    get: method('get'),
    post: method('post'),
    put: method('put'),
    patch: method('patch'),
    delete: method('delete'),
    list,
    streamReply: (request: AnyRequest) => {
      const { idempotencyKey = randomKey(), timeoutMs = limitMs, signal } = request;
      const again = { ...request, idempotencyKey };
      const open = () => respond('post', '/chatbot/{id}/reply', again, { accept: 'text/event-stream' });
      return streamReply({ open, retries, timeoutMs, signal });
    },
    upload,
  } as Parley;
}

interface Page {
  items: unknown[];
  has_more: boolean;
  next_cursor?: string;
}

/** 128 random bits; unlike `crypto.randomUUID`, also on pages without TLS. */
const randomKey = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
