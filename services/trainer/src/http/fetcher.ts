import { once } from 'node:events';
import { type AllowList, vetUrl } from '@parley/corpus/guard';
import { parseUrl } from '@parley/runtime/parse-url';
import { Agent, type Dispatcher } from 'undici';
import { type Bounds, readBody } from './body.ts';
import { guardedConnector, type Resolve, resolveByDns } from './connector.ts';
import { LoadError } from './load-error.ts';
import { loadErrorOf, seconds, size } from './sentences.ts';

const MAX_REDIRECTS = 5;
const MAX_HEADER_BYTES = 32 * 1024;
/** What is read of a body nobody wants, so that its connection can be used again. */
const MAX_DUMPED_BYTES = 64 * 1024;

/** The head of an answer. Header names are lower case; repeated headers are joined by commas. */
export interface Head {
  readonly url: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

export interface Fetched extends Head {
  /** Without its compression; empty where `accept` declined it. */
  readonly body: Buffer;
  /** The addresses that redirected, in order; `url` is where they ended. */
  readonly redirects: readonly string[];
}

export interface GetOptions extends Bounds {
  readonly headers?: Readonly<Record<string, string>>;
  /** For all of it: name, connections, redirects and the last byte of the body. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Asked before the body is read; false leaves it unread. */
  readonly accept?: (head: Head) => boolean;
  /** Asked before a redirect is followed; false hands back the redirect itself. */
  readonly follow?: (target: URL) => boolean;
}

export interface Fetcher {
  /** Throws a LoadError, or the signal's reason once that is aborted. A status is never an error here. */
  get(url: string, options: GetOptions): Promise<Fetched>;
  close(): Promise<void>;
}

export interface FetcherConfig {
  readonly allow: AllowList;
  readonly userAgent: string;
  readonly resolve?: Resolve;
}

/** The HTTP client for everything outside: http and https, public or allowed addresses only, vetted at every redirect. */
export function createFetcher({ allow, userAgent, resolve = resolveByDns }: FetcherConfig): Fetcher {
  const agent = new Agent({ connect: guardedConnector(allow, resolve), maxHeaderSize: MAX_HEADER_BYTES });

  async function send(url: URL, headers: GetOptions['headers'], signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const refusal = vetUrl(url, allow);
    if (refusal) throw new LoadError(refusal);
    const request = agent.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'GET',
      headers: { 'accept-encoding': 'gzip, br', 'user-agent': userAgent, ...headers },
      signal,
    });
    // undici sees the signal only once it is connected.
    return Promise.race([request, rejectOnAbort(signal, request)]);
  }

  async function follow(start: string, options: GetOptions, signal: AbortSignal): Promise<Fetched> {
    const redirects: string[] = [];
    let url = addressOf(start);
    let headers = options.headers;
    for (;;) {
      const answer = await send(url, headers, signal);
      const head = { url: url.href, status: answer.statusCode, headers: plainHeaders(answer.headers) };
      const target = redirectOf(head);
      if (!target || options.follow?.(target) === false) {
        return { ...head, redirects, body: await bodyOf(answer, head, options, signal) };
      }
      await answer.body.dump({ limit: MAX_DUMPED_BYTES, signal });
      if (redirects.push(url.href) > MAX_REDIRECTS) {
        throw new LoadError(`The page redirects more than ${MAX_REDIRECTS} times.`);
      }
      if (target.origin !== url.origin) headers = undefined;
      url = target;
    }
  }

  return {
    async get(url, options) {
      const timeout = AbortSignal.timeout(options.timeoutMs);
      const signal = options.signal ? AbortSignal.any([options.signal, timeout]) : timeout;
      try {
        signal.throwIfAborted();
        return await follow(url, options, signal);
      } catch (error) {
        options.signal?.throwIfAborted();
        if (timeout.aborted) throw new LoadError(`The page took longer than ${seconds(options.timeoutMs)} to answer.`);
        throw loadErrorOf(error, hostOf(url));
      }
    },
    close: () => agent.destroy(),
  };
}

async function rejectOnAbort(signal: AbortSignal, request: Promise<Dispatcher.ResponseData>): Promise<never> {
  // Whoever lost the race must not end the process as an unhandled rejection.
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
    body.on('error', () => {}).destroy();
    throw new LoadError(`The page is larger than ${size(options.maxBytes)}.`);
  }
  return readBody(body, head.headers['content-encoding'] ?? '', options);
}

/** Where an answer redirects to; nothing if it does not. Throws a LoadError if that is no address. */
export function redirectOf({ url, status, headers }: Head): URL | undefined {
  const { location } = headers;
  if (![301, 302, 303, 307, 308].includes(status) || !location) return undefined;
  if (!parseUrl(location, url)) throw new LoadError('The page redirects to something that is not an address.');
  return new URL(location, url);
}

function plainHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value ?? '')]));
}

function addressOf(text: string): URL {
  if (!parseUrl(text)) throw new LoadError(`"${text.slice(0, 200)}" is not an address.`);
  return new URL(text);
}

function hostOf(text: string): string {
  return parseUrl(text)?.hostname ?? text.slice(0, 200);
}
