import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Db, Document } from 'mongodb';
import { linkedSignal } from '../linked-signal.ts';

/** Filter: the time in `field` has passed, or was never set, by the database's clock. */
export const passed = (field: string): Document => ({
  $expr: { $lte: [{ $ifNull: [`$${field}`, new Date(0)] }, '$$NOW'] },
});

/** Pipeline value: so many milliseconds from now, by the database's clock. */
export const fromNow = (ms: number): Document => ({ $add: ['$$NOW', ms] });

/** Of the lease's length, after which the work of a holder that could not renew it is stopped. */
const SAFE_SHARE = 0.9;

/**
 * Keeps a lease while `work` runs: renews it three times in its length, and aborts the work's signal when it was lost,
 * or shortly before it ends unrenewed by this process's own monotonic clock, so that no one else's work begins before
 * this one has been told to stop.
 *
 * @param renew says whether the lease is still ours; a failure to answer is tried again until the lease runs out.
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

  function renewLater() {
    renewal = setTimeout(renew, options.ttlMs / 3);
  }

  async function renew() {
    const asked = performance.now();
    // A process that was stopped (SIGSTOP, a long pause) wakes up here, after its time.
    const ours = asked < safeUntil && (await options.renew().catch(() => undefined));
    if (ended) return;
    if (ours === false) return lose();
    if (ours) safeSince(asked);
    renewLater();
  }

  safeSince(performance.now());
  renewLater();
  try {
    return await work(linked.signal);
  } finally {
    ended = true;
    clearTimeout(watchdog);
    clearTimeout(renewal);
  }
}

/** The lease has passed to someone else, or may have: what was done under it must not be published. */
export class LeaseLost extends Error {
  override name = 'LeaseLost';
  constructor() {
    super('the lease was lost');
  }
}

/** Waits for a named lease of this database, then runs `work` under it. One holder at a time, over all replicas. */
export async function withLease<T>(
  db: Db,
  name: string,
  options: { ttlMs: number; signal: AbortSignal },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const leases = db.collection<{ _id: string; owner: string; until: Date }>('leases');
  const owner = randomUUID();
  const take = { $set: { owner: { $literal: owner }, until: fromNow(options.ttlMs) } };

  // An upsert may not compare with the database's clock, so the lease is there before it is asked for.
  await leases.updateOne({ _id: name }, { $setOnInsert: { owner: '', until: new Date(0) } }, { upsert: true });
  while ((await leases.updateOne({ _id: name, ...passed('until') }, [take])).matchedCount === 0)
    await sleep(Math.min(1_000, options.ttlMs / 4), undefined, { signal: options.signal });

  const mine = { _id: name, owner };
  try {
    const renew = async () => (await leases.updateOne(mine, [take])).matchedCount === 1;
    return await keepLease({ ttlMs: options.ttlMs, renew, signal: options.signal }, work);
  } finally {
    await leases.updateOne(mine, { $set: { until: new Date(0) } });
  }
}
