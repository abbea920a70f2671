import { createLoop, type Log, type Loop, type RootSecret } from '@parley/runtime';
import { deleteInParts } from '@parley/runtime/mongo';
import { callAs } from '@parley/runtime/rpc';
import type { Db } from 'mongodb';
import type { Services } from '../services.ts';

const REST_MS = 10_000;
const PAGE = 100;

/**
 * Deletes the kept responses of accounts that were deleted in the last day, every ten seconds: also those of requests that ended
 * after their account. Counters of rate limits have no id of anybody, and expire after two minutes.
 */
export function forgetDeletedAccounts(options: {
  db: Db;
  auth: Pick<Services['auth'], 'listDeletedAccounts'>;
  secret: RootSecret;
  log: Log;
  restMs?: number;
}): Loop {
  const { db, auth, secret, log, restMs = REST_MS } = options;
  const records = db.collection<{ _id: string; account?: string }>('idempotency');

  async function round(signal: AbortSignal): Promise<void> {
    let nextCursor = '';
    do {
      const page = await auth.listDeletedAccounts(
        { limit: PAGE, nextCursor },
        callAs(secret, {}, { role: 'gateway', signal }),
      );
      if (page.items.length > 0) await deleteInParts(records, { account: { $in: page.items.map(({ id }) => id) } });
      ({ nextCursor } = page);
    } while (nextCursor);
  }

  return createLoop({ name: 'forgetting deleted accounts', restMs, log, round });
}
