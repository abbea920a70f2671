import { ParleyError } from './error.ts';

export interface AttemptOptions {
  fetch: (request: Request) => Promise<Response>;
  /** For each attempt, until its response has arrived. */
  timeoutMs: number;
  /** How often a failed attempt is repeated. */
  retries: number;
  /** Ends everything with its reason. */
  signal?: AbortSignal | undefined;
}

/** A server that asks for a longer wait than this gets its error passed on to the caller. */
const MAX_WAIT_MS = 60_000;
const FIRST_WAIT_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;

/**
 * Sends a request until it gets a response other than "try again later": 429, 503, a 409 that says when to retry (the first
 * attempt is still under way), or a network failure. Throws a ParleyError without a status if the last attempt had no response.
 */
export async function send(request: Request, options: AttemptOptions): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const isLast = attempt >= options.retries;
    const outcome = await attemptOnce(request.clone(), options);
    const waitMs = isLast ? undefined : waitAfter(outcome, attempt);
    if (waitMs === undefined) {
      if (outcome instanceof Response) return outcome;
      throw outcome;
    }
    await pause(waitMs, options.signal);
  }
}

/** How long to wait before the next attempt; undefined if there should be none. */
function waitAfter(outcome: Response | ParleyError, attempt: number): number | undefined {
  if (!(outcome instanceof Response)) return backoffMs(attempt);
  const header = outcome.headers.get('retry-after');
  const seconds = header === null ? Number.NaN : Number(header);
  const asked = Number.isFinite(seconds) && seconds >= 0;
  if (outcome.status !== 429 && outcome.status !== 503 && !(outcome.status === 409 && asked)) return undefined;
  if (!asked) return backoffMs(attempt);
  return seconds * 1000 > MAX_WAIT_MS ? undefined : seconds * 1000;
}

/** Longer after each attempt, and different for each client. */
export const backoffMs = (attempt: number): number =>
  Math.min(LONGEST_BACKOFF_MS, FIRST_WAIT_MS * 2 ** attempt) * (0.5 + Math.random() / 2);

/** One attempt. JSON is read here, within the time limit; anything else is left to be streamed. */
async function attemptOnce(request: Request, options: AttemptOptions): Promise<Response | ParleyError> {
  const { fetch, timeoutMs, signal } = options;
  const ended = new AbortController();
  const timer = setTimeout(() => ended.abort(new Error(`no response within ${timeoutMs} ms`)), timeoutMs);
  const abort = () => ended.abort(signal?.reason);
  signal?.addEventListener('abort', abort, { once: true });
  try {
    signal?.throwIfAborted();
    const response = await fetch(new Request(request, { signal: ended.signal }));
    return isJson(response) ? new Response(await response.text(), response) : response;
  } catch (cause) {
    signal?.throwIfAborted();
    return new ParleyError(`No response from ${new URL(request.url).origin}: ${reasonOf(cause)}.`, {
      status: 0,
      cause,
    });
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
  }
}

export const isJson = ({ headers }: Response): boolean =>
  /^application\/json\b/.test(headers.get('content-type') ?? '');

/** Node's fetch says only "fetch failed", and why in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message || error.message : error.message;
}

/** Throws the reason of the signal if it aborts meanwhile. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', abort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort, { once: true });
  });
}
