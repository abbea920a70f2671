import http from 'node:http';
import https from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'minio';
import { stillUnavailable } from '../errors.ts';
import { boundedTransport, PassingFailure } from './s3-transport.ts';

export interface S3Config {
  /** `http://host:port` or `https://host:port` */
  endpoint: string;
  accessKey: string;
  secretKey: string;
  bucket: string;
  region: string;
}

export interface S3Timing {
  /** How long the server may be silent before a try has failed. */
  idleMs: number;
  /** How long one call may take, all tries and pauses included. */
  callMs: number;
}

export const S3_TIMING: S3Timing = { idleMs: 10_000, callMs: 30_000 };

export interface S3 {
  bucket: string;
  /**
   * Makes a request: again, after a pause, where the trouble may pass. So it must be one that can be repeated.
   *
   * @throws AppError `unavailable` within `callMs`, with the last failure as its cause; the signal's reason when it was
   * aborted.
   */
  ask<T>(request: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): void;
}

const TRIES = 6;
const FIRST_PAUSE_MS = 100;
const SOCKETS = 64;

/** Connects to a server that speaks S3, when the first request is made. */
export function connectS3({ endpoint, bucket, ...identity }: S3Config, { idleMs, callMs }: S3Timing): S3 {
  const { protocol, hostname, port } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  const transportAgent = new (useSSL ? https : http).Agent({ keepAlive: true, maxSockets: SOCKETS });
  /** One for each call, so that the transport knows the call's own signal; a client is no more than its settings. */
  async function clientUntil(signal: AbortSignal): Promise<Client> {
    // Loading it takes a third of a second, and most processes have no use for it.
    const { Client } = await import('minio');
    return new Client({
      ...identity, // With the region: without one, the client asks for it before each first request.
      endPoint: hostname,
      port: Number(port) || (useSSL ? 443 : 80),
      useSSL,
      transport: boundedTransport(useSSL, { idleMs, signal }),
      transportAgent,
      retryOptions: { disableRetry: true }, // Its tries know no lost connection, and print to the console.
    });
  }

  async function ask<T>(request: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`No answer within ${callMs} ms`)), callMs);
    const end = signal ? AbortSignal.any([late.signal, signal]) : late.signal;
    try {
      const client = await clientUntil(end);
      return await repeatedly(() => request(client), end);
    } catch (error) {
      signal?.throwIfAborted();
      throw storeAway(error);
    } finally {
      clearTimeout(timer);
    }
  }

  return { bucket, ask, close: () => transportAgent.destroy() };
}

async function repeatedly<T>(request: () => Promise<T>, end: AbortSignal): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      const answer = await request();
      end.throwIfAborted(); // What is cut off at the wrong moment looks like the end of an answer.
      return answer;
    } catch (error) {
      if (tries === TRIES || end.aborted || !mayPass(error)) throw error;
      const longest = FIRST_PAUSE_MS * 2 ** tries;
      await sleep(longest * (0.5 + Math.random() / 2), undefined, { signal: end }).catch(() => {
        throw error;
      });
    }
  }
}

const CONNECTION_CODES = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
);

const mayPass = (error: unknown) => error instanceof PassingFailure || CONNECTION_CODES.has(codeOf(error) ?? '');

/** The code of S3 or of the system, as in `NoSuchKey` or `ECONNRESET`; also of what is behind an AppError. */
export function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return codeOfCause(cause) ?? (typeof code === 'string' ? code : undefined);
}

const codeOfCause = (cause: unknown) => (cause instanceof Error ? codeOf(cause) : undefined);

/** What a caller of the store hears of any failure. Our own tries are over: no transport needs to make more of them. */
export const storeAway = (cause: unknown) =>
  stillUnavailable('The file store is away for the moment. Try again.', cause);
