import { unavailable } from '@parley/runtime';
import { HttpError } from './http-error.ts';

/** The bytes of request bodies in flight: being read or worked on. */
export interface BodyBudget {
  /** Starts counting for one request. */
  open(key: string): BodyAccount;
  /** Total of all requests. */
  held(): number;
}

export interface BodyAccount {
  /** Throws 429 if the key would exceed its limit, UNAVAILABLE if the process would. */
  take(bytes: number): void;
  /** Idempotent. */
  release(): void;
}

const MIB = 1024 * 1024;

/** Without a limit, a few hundred connections that stall in the middle of a body exhaust the memory of the process. */
export function createBodyBudget({
  maxBytes,
  maxBytesPerKey,
}: {
  maxBytes: number;
  maxBytesPerKey: number;
}): BodyBudget {
  const byKey = new Map<string, number>();
  let total = 0;

  function add(key: string, bytes: number) {
    total += bytes;
    const held = (byKey.get(key) ?? 0) + bytes;
    if (held > 0) byKey.set(key, held);
    else byKey.delete(key);
  }

  return {
    held: () => total,
    open(key) {
      let taken = 0;
      return {
        take(bytes) {
          if ((byKey.get(key) ?? 0) + bytes > maxBytesPerKey)
            throw new HttpError(
              429,
              `This API key has ${maxBytesPerKey / MIB} MiB of request bodies under way. Try again in a moment.`,
              { 'Retry-After': '1' },
            );
          if (total + bytes > maxBytes)
            throw unavailable('Too many large requests are under way. Try again in a moment.');
          taken += bytes;
          add(key, bytes);
        },
        release() {
          add(key, -taken);
          taken = 0;
        },
      };
    },
  };
}
