import type { Log, Metrics } from '@parley/runtime';
import { CLAIM_MS, type Claimed, LeaseLost } from '@parley/runtime/mongo';
import type { EventRecord } from '../domain/event.ts';
import { progressOf, type StoredProgress, type Timing } from '../domain/progress.ts';
import { type DisabledBecause, isSubscribed } from '../domain/webhook.ts';
import type { Backlog } from '../store/backlog.ts';
import type { Attempt, DeliveryStore, Outcome } from '../store/deliveries.ts';
import type { Queue } from '../store/queue.ts';
import type { WebhookDoc, WebhookStore } from '../store/webhooks.ts';
import { isAccepted, isGone, type Send } from './sender.ts';
import { createUnread } from './unread.ts';

export interface Delivering {
  backlog: Backlog;
  queue: Queue;
  deliveries: DeliveryStore;
  webhooks: Pick<WebhookStore, 'disable'>;
  send: Send;
  metrics: Pick<Metrics, 'handled'>;
  log: Log;
  timing: Timing;
  /** Requests to one endpoint at a time. */
  concurrency: number;
}

/** How long a turn takes while others may wait. */
const TURN_MS = 5_000;
/** If the process dies, whatever it delivered since progress was last stored is delivered again. */
const SAVE_EVERY_MS = 250;

/**
 * Delivers to one endpoint for a while: events of a resource one after the other, those of several at once. Stores how far it has
 * got every so often, and at the end when the endpoint is due next.
 *
 * @param options.isStopping ends the turn once the requests in progress have ended
 * @param options.signal aborts it
 * @throws LeaseLost if the endpoint was disabled, deleted, sent back, or taken over by another process
 */
export async function takeTurn(
  parts: Delivering,
  found: WebhookDoc,
  claimed: Claimed,
  { isStopping, signal }: { isStopping: () => boolean; signal: AbortSignal },
): Promise<void> {
  const { queue, deliveries } = parts;
  const { _id: id, account } = found;
  const progress = progressOf(found, parts.timing);
  const unread = createUnread(parts.backlog, account, progress);
  const now = clockFrom(found.due!.getTime() - CLAIM_MS);
  const end = performance.now() + TURN_MS;
  let webhook = found;
  let attempts: Attempt[] = [];
  let added = 0;
  let savedAt = performance.now();
  let saving = Promise.resolve();

  const isOver = () => signal.aborted || isStopping() || performance.now() > end;

  /** Records what was attempted. Returns the progress up to then. */
  async function record(): Promise<StoredProgress> {
    const stored = progress.stored();
    const made = attempts;
    attempts = [];
    added += await deliveries.record(account, id, made);
    return stored;
  }

  async function saveNow(): Promise<void> {
    const saved = await queue.save(account, claimed, await record());
    if (!saved) throw new LeaseLost();
    webhook = saved;
  }

  /** One save at a time. */
  async function saveOften(): Promise<void> {
    if (performance.now() - savedAt < SAVE_EVERY_MS) return;
    savedAt = performance.now();
    saving = saving.then(saveNow);
    await saving;
  }

  async function disable(reason: DisabledBecause): Promise<never> {
    await record();
    const isDisabled = await parts.webhooks.disable(account, id, reason);
    if (isDisabled) parts.log.info({ account, webhook: id, reason }, 'a webhook was disabled');
    await deliveries.giveUp(account, id);
    throw new LeaseLost();
  }

  function attempted(event: EventRecord, outcome: Outcome): Attempt {
    if (isAccepted(outcome)) {
      progress.delivered(event);
      return { event, ...outcome, state: 'delivered', next_at: null };
    }
    const next_at = progress.failed(event, now()) ?? null;
    return { event, ...outcome, state: next_at ? 'retrying' : 'failed', next_at };
  }

  /** Returns whether the next event of the resource may follow. */
  async function attempt(event: EventRecord): Promise<boolean> {
    const outcome = await parts.send(webhook, event, signal);
    const made = attempted(event, outcome);
    attempts.push(made);
    parts.metrics.handled('webhooks', 'receivers', RESULT[made.state], outcome.ms / 1_000);
    if (isGone(outcome)) await disable('gone');
    if (!isAccepted(outcome) && progress.isHopeless(now())) await disable('failing');
    if (made.state === 'retrying') unread.forget(event.resource);
    return made.state !== 'retrying';
  }

  /** Delivers what waits of a resource, until an attempt is to be made later or the turn is over. */
  async function deliver(resource: string): Promise<void> {
    for (;;) {
      const event = await unread.next(webhook, resource);
      if (!event) return progress.finished(resource);
      const goesOn = isSubscribed(webhook, event.type) ? await attempt(event) : progress.skipped(event);
      await saveOften();
      if (!goesOn || isOver() || progress.isBroken()) return;
    }
  }

  /** Returns whether something was attempted, and more may be. */
  async function round(): Promise<boolean> {
    const isProbe = progress.isBroken();
    if (!isProbe || progress.ready(now()).length === 0) await unread.read(webhook, webhook.head);
    const ready = progress.ready(now());
    if (ready.length === 0) return false;
    const worker = async () => {
      while (ready.length > 0 && !isOver() && (isProbe || !progress.isBroken())) await deliver(ready.shift()!);
    };
    await allEnded(Array.from({ length: Math.min(parts.concurrency, ready.length) }, worker));
    return !progress.isBroken();
  }

  while (!isOver() && (await round()));
  signal.throwIfAborted();
  const pauses = { readMs: progress.readPauseMs(), heldMs: progress.heldPauseMs(now()) };
  await queue.release(account, claimed, await record(), pauses);
  await deliveries.cut(account, id, added);
}

const RESULT = { delivered: 'ok', retrying: 'refused', failed: 'dead' } as const;

/** Waits for all of them, also if one fails, so that none goes on behind the caller's back. */
async function allEnded(work: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(work)) if (one.status === 'rejected') throw one.reason;
}

/** The database's time, by this process's monotonic clock. */
function clockFrom(startMs: number): () => Date {
  const began = performance.now();
  return () => new Date(startMs + performance.now() - began);
}
