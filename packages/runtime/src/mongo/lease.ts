import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import { linkedSignal } from '../linked-signal.ts';
import { within } from '../process.ts';

/** Filter: the time in `field` has passed by the database's clock, or was never set. */
export const passed = (field: string): Document => ({
  $expr: { $lte: [{ $ifNull: [`$${field}`, new Date(0)] }, '$$NOW'] },
});

/** Pipeline value: `ms` milliseconds from now, by the database's clock. */
export const fromNow = (ms: number): Document => ({ $add: ['$$NOW', ms] });

/** Fraction of the lease after which unrenewed work is aborted. */
const SAFE_SHARE = 0.9;
/** Fractions of the lease. They leave time for two more renewals after one that hangs. */
const RENEW_SHARE = 1 / 3;
const RENEWAL_SHARE = 1 / 5;
const RETRY_SHARE = 1 / 30;

/**
 * Keeps a lease while `work` runs: renews it three times per lease period. Aborts the work's signal when the lease is lost,
 * or shortly before an unrenewed lease expires by this process's monotonic clock, so that the work is aborted before
 * another holder can start.
 *
 * @param renew returns whether the lease is still ours. A renewal that fails, or takes longer than a fifth of the lease,
 * is retried until the lease expires; a later result is ignored.
 */
export async function keepLease<T>(
  options: { ttlMs: number; renew(): Promise<boolean>; signal?: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lost = new AbortController();
  using linked = linkedSignal([lost.signal, ...(options.signal ? [options.signal] : [])]);
  const lose = () => lost.abort(new LeaseLost());
  const safeMs = options.ttlMs * SAFE_SHARE;
  let safeUntil: number;
  let watchdog: NodeJS.Timeout | undefined;
  let renewal: NodeJS.Timeout | undefined;
  let ended = false;

  function safeSince(asked: number) {
    safeUntil = asked + safeMs;
    clearTimeout(watchdog);
    watchdog = setTimeout(lose, safeUntil - performance.now());
  }

  function renewLater(share: number) {
    renewal = setTimeout(renew, options.ttlMs * share);
  }

  async function renew() {
    const asked = performance.now();
    // A process that was suspended (SIGSTOP) may resume here after its lease has expired.
    const ours = asked < safeUntil && (await answer().catch(() => undefined));
    if (ended || lost.signal.aborted) return;
    if (ours === false) return lose();
    if (ours) safeSince(asked);
    renewLater(ours ? RENEW_SHARE : RETRY_SHARE);
  }

  const answer = async () => within(options.ttlMs * RENEWAL_SHARE, options.renew(), 'The renewal took too long.');

  safeSince(performance.now());
  renewLater(RENEW_SHARE);
  try {
    return await work(linked.signal);
  } finally {
    ended = true;
    clearTimeout(watchdog);
    clearTimeout(renewal);
  }
}

/** Another holder has the lease, or may have it: work done under it must not be published. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
  constructor() {
    super('the lease was lost');
  }
}

const RELEASE_MS = 2_000;

/** Waits for a named lease of this database, then runs `work` under it. One holder at a time across all replicas. */
export async function withLease<T>(
  db: Db,
  name: string,
  options: { ttlMs: number; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leases = db.collection<{ _id: string; owner: string; until: Date }>('leases');
  const owner = randomUUID();
  const take = { $set: { owner: { $literal: owner }, until: fromNow(options.ttlMs) } };

  // An upsert can't compare with the database's clock, so create the lease first.
  await leases.updateOne({ _id: name }, { $setOnInsert: { owner: '', until: new Date(0) } }, { upsert: true });
  while ((await leases.updateOne({ _id: name, ...passed('until') }, [take])).matchedCount === 0)
    await sleep(Math.min(1_000, options.ttlMs / 4), undefined, { signal: options.signal });

  const mine = { _id: name, owner };
  try {
    const renew = async () => (await leases.updateOne(mine, [take])).matchedCount === 1;
    return await keepLease({ ttlMs: options.ttlMs, renew, signal: options.signal }, work);
  } finally {
    // Clear the owner too, so that a renewal still in flight finds nothing to renew. If the database does not respond,
    // the lease expires.
    const released = leases.updateOne(mine, { $set: { until: new Date(0), owner: '' } });
    await within(RELEASE_MS, released, 'The lease was not released in time.').catch(() => {});
  }
}
