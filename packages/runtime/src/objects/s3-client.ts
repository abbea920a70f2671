import http from 'node:http';
import https from 'node:https';
import type { Client } from 'minio';
import { linkedSignal } from '../linked-signal.ts';
import { unlessAborted } from '../process.ts';
import { type RetryPolicy, retry } from '../retry.ts';
import { storeAway } from './objects.ts';
import { type S3Keys, temporaryKeys } from './s3-keys.ts';
import { boundedTransport, PassingFailure } from './s3-transport.ts';

export interface S3Config {
  /** `http://host:port` or `https://host:port` */
  endpoint: string;
  /** Absent: temporary ones, of the role that the process has. */
  keys?: S3Keys | undefined;
  bucket: string;
  region: string;
  /** Waits for the server to know the keys, and to allow them the bucket, instead of refusing to start. */
  awaitRights?: boolean;
}

export interface S3Timing {
  /** How long the server may be silent before an attempt fails. */
  idleMs: number;
  /** How long one call may take, including all attempts and pauses. */
  callMs: number;
}

export const S3_TIMING: S3Timing = { idleMs: 10_000, callMs: 30_000 };

export interface S3 {
  bucket: string;
  /**
   * Makes a request, and retries it after transient failures. The request must be idempotent.
   *
   * @throws AppError `unavailable` within `callMs`, with the last failure as its cause; the signal's reason once it
   * aborts.
   */
  ask<T>(request: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): void;
}

const SOCKETS = 64;

/** A client of an S3-compatible server. Connects on the first request. */
export function connectS3({ endpoint, bucket, region, keys }: S3Config, { idleMs, callMs }: S3Timing): S3 {
  const { protocol, hostname, port } = new URL(endpoint);
  const useSSL = protocol === 'https:';
  const transportAgent = new (useSSL ? https : http).Agent({ keepAlive: true, maxSockets: SOCKETS });
  const keysNow = keys ? async () => keys : temporaryKeys(region);
  /** One client per call, so that the transport has the call's signal. A client is only settings, so this is cheap. */
  async function clientUntil(signal: AbortSignal): Promise<Client> {
    // Loaded lazily: it takes a third of a second, and most processes never use it.
    const { Client } = await import('minio');
    return new Client({
      ...(await unlessAborted(signal, keysNow())),
      region, // Without it, each client would first request it.
      endPoint: hostname,
      port: Number(port) || (useSSL ? 443 : 80),
      useSSL,
      transport: boundedTransport(useSSL, { idleMs, signal }),
      transportAgent,
      // Its own retries leave out lost connections, and print to the console: see "a put is retried in full".
      retryOptions: { disableRetry: true },
    });
  }

  async function ask<T>(request: (client: Client) => Promise<T>, signal?: AbortSignal): Promise<T> {
    using end = linkedSignal(signal ? [signal] : [], callMs);
    let failure: unknown;
    try {
      const client = await clientUntil(end.signal);
      return await retry(
        async () => {
          const answer = await request(client).catch((error) => {
            failure = error;
            throw error;
          });
          end.signal.throwIfAborted(); // A response that is cut off can look complete.
          return answer;
        },
        POLICY,
        end.signal,
      );
    } catch (error) {
      signal?.throwIfAborted();
      throw storeAway(failure ?? error);
    }
  }

  return { bucket, ask, close: () => transportAgent.destroy() };
}

const CONNECTION_CODES = new Set(
  'ECONNREFUSED ECONNRESET EPIPE ETIMEDOUT EHOSTUNREACH EHOSTDOWN ENETUNREACH ENOTFOUND EAI_AGAIN'.split(' '),
);

const isTransientFailure = (error: unknown) =>
  error instanceof PassingFailure || CONNECTION_CODES.has(codeOf(error) ?? '');

const POLICY: RetryPolicy = {
  attempts: 6,
  backoffMs: 200,
  longestPauseMs: 10_000,
  pauseAfter: (error, backoffMs) => (isTransientFailure(error) ? backoffMs : undefined),
};

/** The code of S3 or of the system, such as `NoSuchKey` or `ECONNRESET`. Looks through AppErrors to their cause. */
export function codeOf(error: unknown): string | undefined {
  const { code, cause } = error as { code?: unknown; cause?: unknown };
  return codeOfCause(cause) ?? (typeof code === 'string' ? code : undefined);
}

const codeOfCause = (cause: unknown) => (cause instanceof Error ? codeOf(cause) : undefined);
