import type { ServerResponse } from 'node:http';
import { createShares } from '@parley/runtime';
import type { Limits } from '../config.ts';
import { tooManyInProgress } from './http-error.ts';

/** Files that are being sent, each of which holds a connection to the object store. */
export interface Downloads {
  /**
   * Counts a download until its response is closed, which happens after the time for a download at the latest.
   *
   * @throws 429 if the account has too many in progress, UNAVAILABLE if all together have
   */
  begin(account: string, response: ServerResponse): void;
}

export function createDownloads(limits: Pick<Limits, 'downloadMs' | 'downloadsAtOnce'>): Downloads {
  const shares = createShares(limits.downloadsAtOnce, tooManyInProgress('downloads'));
  return {
    begin(account, response) {
      const held = shares.begin(account);
      // A client that reads now and then, but slowly, never pauses for too long.
      const end = setTimeout(() => response.destroy(), limits.downloadMs);
      response.once('close', () => {
        clearTimeout(end);
        held[Symbol.dispose]();
      });
    },
  };
}
