// The package behind Jest's `expect`, which also works outside of Jest.
import { expect } from 'expect';
import type { Page } from './resources.ts';

export interface Answer<T> {
  status: number;
  headers: Headers;
  /** Absent if the response has no content: HEAD, OPTIONS. */
  body: { success: boolean; message: string; data: T };
  text: string;
}

export interface RequestOptions {
  /** Sent as JSON; strings and bytes are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

type Sent<T> = Promise<Answer<T>>;

/** Called with every answer, by tests that look at all of them. */
export const observers: ((method: string, path: string, answer: Answer<unknown>) => void)[] = [];

/** A client of the REST API that checks the envelope of every response. */
export interface Api {
  /** Ends with `/v1`. */
  baseUrl: string;
  request<T = unknown>(method: string, path: string, options?: RequestOptions): Sent<T>;
  get<T = unknown>(path: string): Sent<T>;
  post<T = unknown>(path: string, body?: unknown, headers?: Record<string, string>): Sent<T>;
  put<T = unknown>(path: string, body?: unknown): Sent<T>;
  patch<T = unknown>(path: string, body?: unknown): Sent<T>;
  del<T = unknown>(path: string, body?: unknown): Sent<T>;
  /** Reads all pages of a list. */
  all<T>(path: string, limit?: number): Promise<T[]>;
  /** The same account's client with another Authorization header, or none. */
  as(authorization: string | undefined): Api;
}

/** `baseUrl` ends with `/v1`; `send` replaces `fetch`. */
export const keyed = (baseUrl: string, key: string, send: Send = fetch): Api =>
  createApi(baseUrl, `Bearer ${key}`, send);

export type Send = (url: string, init: RequestInit) => Promise<Response>;

function createApi(baseUrl: string, authorization: string | undefined, send: Send): Api {
  async function request<T>(method: string, path: string, { body, headers }: RequestOptions = {}): Sent<T> {
    const sent = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await send(`${baseUrl}${path}`, {
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
    for (const observer of observers) observer(method, path, answer);
    const described = path.startsWith('/openapi.json');
    if (method !== 'HEAD' && method !== 'OPTIONS' && !described) holdToTheEnvelope(answer, `${method} ${path}`);
    return answer;
  }
  return {
    baseUrl,
    request,
    get: (path) => request('GET', path),
    post: (path, body, headers) => request('POST', path, { body, ...(headers && { headers }) }),
    put: (path, body) => request('PUT', path, { body }),
    patch: (path, body) => request('PATCH', path, { body }),
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
    as: (other) => createApi(baseUrl, other, send),
  };
}

/** The data of a response that must have succeeded. */
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
/** Text that comes from a stack trace, a module, a driver or the transport. */
const INTERNAL = /\bat .*:\d+:\d+|node_modules|\.ts\b|Mongo|E11000|ECONN|grpc|connectrpc|ZodError|undefined|\[object/i;

/** Thousands of answers are checked: `expect` runs only to describe a fault. */
export function holdToTheEnvelope({ status, headers, body }: Answer<unknown>, request: string): void {
  const keys = Object.keys(body).sort();
  const required = REQUIRED_HEADER[status];
  const { success, message } = body;
  const faults = {
    type: !headers.get('content-type')?.startsWith('application/json'),
    id: !/^[\w.-]{1,64}$/.test(headers.get('x-request-id') ?? ''),
    success: success !== (status === 200),
    keys: !(status === 200 ? ['success', 'data,success'] : ['message,success']).includes(keys.join()),
    // A sentence that reveals nothing internal.
    message: status !== 200 && !(/^\S.*[.!?]$/s.test(message) && !INTERNAL.test(message)),
    required: required !== undefined && headers.get(required) === null,
  };
  if (!Object.values(faults).includes(true)) return;
  const found = Object.entries(faults).flatMap(([name, wrong]) => (wrong ? [name] : []));
  expect({ request, status, ...body, headers: Object.fromEntries(headers), faults: found }).toMatchObject({
    faults: [],
  });
}
