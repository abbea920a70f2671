import { once } from 'node:events';
import { Agent, type Dispatcher, ProxyAgent } from 'undici';
import { linkedSignal } from '../linked-signal.ts';
import { parseUrl } from '../parse-url.ts';
import { type Bounds, readBody } from './body.ts';
import { guardedConnector, type Resolve, resolveByDns } from './connector.ts';
import { type AllowList, vetUrl } from './guard.ts';
import { OutboundError } from './outbound-error.ts';

/** Maximum length of an address, requested or redirected to, in characters. */
export const MAX_ADDRESS = 2_048;
const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 32 * 1024;
/** How much of an unwanted body is read, so that its connection can be reused. */
const MAX_DUMPED_BYTES = 64 * 1024;

/** The head of a response. Header names are lower case; repeated headers are joined by commas. */
export interface Head {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The values of those headers that the response has more than once, if it has any. */
  readonly repeated?: Readonly<Record<string, readonly string[]>>;
}

export interface Fetched extends Head {
  /** Decompressed; empty if `accept` declined it. */
  readonly body: Buffer;
  /** The addresses that redirected, in order; `url` is the final one. */
  readonly redirects: readonly string[];
  /** The target of this redirect, if `follow` declined it. */
  readonly redirect?: URL | undefined;
}

export interface GetOptions extends Bounds {
  readonly headers?: Readonly<Record<string, string>>;
  /** For everything: lookup, connections, redirects and the last byte of the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called before the body is read; false leaves it unread. */
  readonly accept?: (head: Head) => boolean;
  /** Called before a redirect is followed; false returns the redirect itself. `get` throws whatever this throws. */
  readonly follow?: (target: URL) => boolean | Promise<boolean>;
}

export interface OutboundClient {
  /** Throws an OutboundError, or the signal's reason once that aborts. A status is never an error here. */
  get(url: string, options: GetOptions): Promise<Fetched>;
  /** The same, for sending a body. Redirects are not followed. */
  post(url: string, body: string, options: GetOptions): Promise<Fetched>;
  close(): Promise<void>;
}

export interface OutboundConfig {
  readonly allow: AllowList;
  readonly userAgent: string;
  readonly resolve?: Resolve;
  /**
   * The operator's HTTP proxy, which may be private; with user name and password if it asks for them. It looks names up
   * itself, so only IP literals are vetted: for fixed addresses, not for those that users give.
   */
  readonly proxy?: string | undefined;
}

/** The HTTP client for addresses that users give: http and https, public or allowed only, vetted at every redirect. */
export function createOutboundClient(config: OutboundConfig): OutboundClient {
  const { allow, userAgent, resolve = resolveByDns, proxy } = config;
  const agent = proxy
    ? new ProxyAgent({ uri: proxy, maxHeaderSize: MAX_HEADER_BYTES })
    : new Agent({ connect: guardedConnector(allow, resolve), maxHeaderSize: MAX_HEADER_BYTES });

  async function send(url: URL, headers: GetOptions['headers'], body: string | undefined, signal: AbortSignal) {
    const refusal = vetUrl(url, allow);
    if (refusal) throw new OutboundError({ kind: 'refused', sentence: refusal });
    const request = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: body === undefined ? 'GET' : 'POST',
      ...(body !== undefined && { body }),
      headers: { 'accept-encoding': 'gzip, br', 'user-agent': userAgent, ...headers },
      signal,
    });
    // undici notices the signal only once it is connected.
    return Promise.race([request, rejectOnAbort(signal, request)]);
  }

  async function follow(
    start: string,
    body: string | undefined,
    options: GetOptions,
    signal: AbortSignal,
  ): Promise<Fetched> {
    const redirects: string[] = [];
    let url = addressOf(start);
    let headers = options.headers;
    for (;;) {
      const answer = await sent(url, () => send(url, headers, body, signal));
      const head = { url: url.href, status: answer.statusCode, ...headersOf(answer.headers) };
      const target = redirectOf(head);
      if (!target || body !== undefined || (await options.follow?.(target)) === false) {
        return {
          ...head,
          redirects,
          redirect: target,
          body: await sent(url, () => bodyOf(answer, head, options, signal)),
        };
      }
      await sent(url, () => answer.body.dump({ limit: MAX_DUMPED_BYTES, signal }));
      if (redirects.push(url.href) > MAX_REDIRECTS) {
        throw new OutboundError({ kind: 'too_many_redirects', max: MAX_REDIRECTS });
      }
      if (target.origin !== url.origin) headers = undefined;
      url = target;
    }
  }

  async function request(url: string, body: string | undefined, options: GetOptions): Promise<Fetched> {
    const failed = new AbortController();
    const signals = options.signal ? [options.signal, failed.signal] : [failed.signal];
    using bounds = linkedSignal(signals, options.timeoutMs);
    try {
      bounds.signal.throwIfAborted();
      return await follow(url, body, options, bounds.signal);
    } catch (error) {
      // An unread response would keep its connection.
      failed.abort();
      options.signal?.throwIfAborted();
      if (bounds.late) throw new OutboundError({ kind: 'timeout', timeoutMs: options.timeoutMs });
      throw error;
    }
  }

  return {
    get: (url, options) => request(url, undefined, options),
    post: request,
    close: () => agent.destroy(),
  };
}

/** Classifies failures of the network, of TLS, of HTTP and of decompression, and keeps the cause. */
async function sent<T>(url: URL, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof OutboundError) throw error;
    const { code = '', name } = error as { code?: string; name?: string };
    const failure = {
      kind: 'network',
      host: url.hostname,
      code: name === 'HTTPParserError' ? 'not_http' : code,
    } as const;
    throw new OutboundError(failure, error);
  }
}

async function rejectOnAbort(signal: AbortSignal, request: Promise<Dispatcher.ResponseData>): Promise<never> {
  // Prevents an unhandled rejection of the promise that lost the race.
  request.then(({ body }) => signal.aborted && body.on('error', () => {}).destroy()).catch(() => {});
  if (!signal.aborted) await once(signal, 'abort');
  throw signal.reason;
}

async function bodyOf(
  { body }: Dispatcher.ResponseData,
  head: Head,
  options: GetOptions,
  signal: AbortSignal,
): Promise<Buffer> {
  if (options.accept?.(head) === false) {
    await body.dump({ limit: MAX_DUMPED_BYTES, signal });
    return Buffer.alloc(0);
  }
  if (!options.truncate && Number(head.headers['content-length']) > options.maxBytes) {
    throw new OutboundError({ kind: 'too_large', maxBytes: options.maxBytes });
  }
  return readBody(body, head.headers['content-encoding'] ?? '', options);
}

/** The target of a redirect; undefined if the response is none. */
function redirectOf({ url, status, headers }: Head): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || !location) return undefined;
  const target = parseUrl(location, url);
  if (!target) throw new OutboundError({ kind: 'bad_redirect' });
  return bounded(target);
}

function bounded(url: URL): URL {
  if (url.href.length > MAX_ADDRESS) throw new OutboundError({ kind: 'address_too_long', maxLength: MAX_ADDRESS });
  return url;
}

function headersOf(received: Dispatcher.ResponseData['headers']): Pick<Head, 'headers' | 'repeated'> {
  const headers = Object.fromEntries(Object.entries(received).map(([name, value]) => [name, String(value ?? '')]));
  const lists = Object.entries(received).filter((header): header is [string, string[]] => Array.isArray(header[1]));
  return lists.length > 0 ? { headers, repeated: Object.fromEntries(lists) } : { headers };
}

function addressOf(text: string): URL {
  const url = parseUrl(text);
  if (!url) throw new OutboundError({ kind: 'not_an_address', text: text.slice(0, 200) });
  return bounded(url);
}
