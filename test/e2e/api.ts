// Jest's own, which programs outside of Jest can have too.
import { expect } from 'expect';
import type { Page } from './resources.ts';

export interface Answer<T> {
  status: number;
  headers: Headers;
  /** Absent where the answer has no content: HEAD, OPTIONS. */
  body: { success: boolean; message: string; data: T };
  text: string;
}

export interface RequestOptions {
  /** Sent as JSON; a string or bytes are sent as they are. */
  body?: unknown;
  headers?: Record<string, string>;
}

type Sent<T> = Promise<Answer<T>>;

/** A client of the REST API. Whatever is answered is held to the envelope. */
export interface Api {
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Sent<T>;
  get<T = unknown>(path: string): Sent<T>;
  post<T = unknown>(path: string, body?: unknown, headers?: Record<string, string>): Sent<T>;
  put<T = unknown>(path: string, body?: unknown): Sent<T>;
  del<T = unknown>(path: string, body?: unknown): Sent<T>;
  /** The items of all pages of a list. */
  all<T>(path: string, limit?: number): Promise<T[]>;
  /** The same account's client with another Authorization header, or none. */
  as(authorization: string | undefined): Api;
}

/** `baseUrl` ends with `/v1`. */
export const keyed = (baseUrl: string, key: string): Api => createApi(baseUrl, `Bearer ${key}`);

function createApi(baseUrl: string, authorization: string | undefined): Api {
  async function request<T>(method: string, path: string, { body, headers }: RequestOptions = {}): Sent<T> {
    const sent = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(authorization !== undefined && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: (sent ? body : JSON.stringify(body)) as string | Uint8Array<ArrayBuffer>,
      signal: AbortSignal.timeout(30_000),
    });
    const text = await response.text();
    const answer = { status: response.status, headers: response.headers, text, body: text && JSON.parse(text) };
    const described = path.startsWith('/openapi.json');
    if (method !== 'HEAD' && method !== 'OPTIONS' && !described) holdToTheEnvelope(answer, `${method} ${path}`);
    return answer;
  }
  return {
    request,
    get: (path) => request('GET', path),
    post: (path, body, headers) => request('POST', path, { body, ...(headers && { headers }) }),
    put: (path, body) => request('PUT', path, { body }),
    del: (path, body) => request('DELETE', path, { body }),
    async all<T>(path: string, limit = 100) {
      const items: T[] = [];
      for (let query = `limit=${limit}`; ; ) {
        const page = must(await request<Page<T>>('GET', `${path}?${query}`));
        items.push(...page.items);
        if (!page.has_more) return items;
        query = `limit=${limit}&next_cursor=${encodeURIComponent(page.next_cursor!)}`;
      }
    },
    as: (other) => createApi(baseUrl, other),
  };
}

/** The data of an answer that had to be a success. */
export function must<T>({ status, body }: Answer<T>): T {
  if (status !== 200) throw new Error(`${status}: ${body.message}`);
  return body.data;
}

const REQUIRED_HEADER: Record<number, string> = {
  401: 'www-authenticate',
  405: 'allow',
  429: 'retry-after',
  503: 'retry-after',
};
/** A stack, a module, a driver's or a transport's own words. */
const INTERNAL = /\bat .*:\d+:\d+|node_modules|\.ts\b|Mongo|E11000|ECONN|grpc|connectrpc|ZodError|undefined|\[object/i;

function holdToTheEnvelope({ status, headers, body }: Answer<unknown>, request: string): void {
  const seen = { request, status, ...body };
  expect({ ...seen, type: headers.get('content-type') }).toMatchObject({
    type: expect.stringMatching(/^application\/json/),
  });
  expect({ ...seen, id: headers.get('x-request-id') }).toMatchObject({ id: expect.stringMatching(/^[\w.-]{1,64}$/) });
  if (status === 200) {
    expect({ ...seen, keys: Object.keys(body).sort() }).toMatchObject({ success: true });
    expect(Object.keys(body).filter((key) => key !== 'success' && key !== 'data')).toEqual([]);
    return;
  }
  expect({ ...seen, keys: Object.keys(body).sort() }).toMatchObject({ success: false, keys: ['message', 'success'] });
  // A sentence, without what is ours alone.
  expect(seen).toMatchObject({ message: expect.stringMatching(/^\S.*[.!?]$/s) });
  expect(seen).toMatchObject({ message: expect.not.stringMatching(INTERNAL) });
  const required = REQUIRED_HEADER[status];
  if (required)
    expect({ ...seen, [required]: headers.get(required) }).toMatchObject({ [required]: expect.any(String) });
}
