import { accountShare, createTally, unavailable } from '@parley/runtime';
import { HttpError } from './http-error.ts';

/** The bytes of request bodies in flight: being read or worked on. */
export interface BodyBudget {
  /** Starts counting for one request with this API key of this account. */
  open(key: string, account: string): BodyAccount;
  /** Total of all requests. */
  held(): number;
}

export interface BodyAccount {
  /** Throws 429 if the key would exceed its limit, or the account half of the process's; UNAVAILABLE if the process would. */
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
  const [byKey, byAccount] = [createTally(), createTally()];
  const maxBytesPerAccount = accountShare(maxBytes);
  let total = 0;

  const tooMuch = (whose: string, most: number) =>
    new HttpError(429, `${whose} ${most / MIB} MiB of request bodies under way. Try again in a moment.`, {
      'Retry-After': '1',
    });

  return {
    held: () => total,
    open(key, account) {
      let taken = 0;
      function add(bytes: number) {
        total += bytes;
        byKey.add(key, bytes);
        byAccount.add(account, bytes);
      }
      return {
        take(bytes) {
          if (byKey.of(key) + bytes > maxBytesPerKey) throw tooMuch('This API key has', maxBytesPerKey);
          if (byAccount.of(account) + bytes > maxBytesPerAccount)
            throw tooMuch('The API keys of this account together have', maxBytesPerAccount);
          if (total + bytes > maxBytes)
            throw unavailable('Too many large requests are under way. Try again in a moment.');
          taken += bytes;
          add(bytes);
        },
        release() {
          add(-taken);
          taken = 0;
        },
      };
    },
  };
}
