import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import { within } from '../process.ts';
import type { Received } from './bus.ts';
import { type LoggedMessage, readLane } from './mongo-log.ts';
import {
  claimLane,
  commitOffset,
  type GroupLane,
  type Offset,
  readOffset,
  registerLane,
  releaseLane,
  restLane,
} from './mongo-offsets.ts';

export interface LaneTiming {
  /** How long a process that died keeps its lanes from the others; a handler may take half of it. */
  leaseMs: number;
  /** Rest after the first failed attempt; each further one doubles it. */
  firstRestMs: number;
  longestRestMs: number;
  /** A message is set aside when so many attempts have failed. */
  maxAttempts: number;
}

export interface LaneWork {
  messages: Collection<LoggedMessage>;
  offsets: Collection<Offset>;
  timing: LaneTiming;
  handle(message: Received): Promise<void>;
  /** Resolves once the message is stored elsewhere for good. */
  setAside(message: Received, reason: unknown): Promise<void>;
  /** Called after every attempt; `failure` is undefined where it succeeded. */
  observe(message: Received, seconds: number, failure: unknown): void;
}

/** What a lane holds in memory: so many messages, 16 MB at the most. */
const READ_LIMIT = 16;
/** By this process's own clock, the last part of a lease is left unused. */
const SAFE = 0.9;
const DIED = new Error('The process died, or hung, while it handled this message.');

/**
 * Returns a function that handles what waits in a lane, in order, under a lease. It says whether the lane is empty: false
 * means that another process has it, or that it rests after a failure.
 */
export function laneWorker(lane: GroupLane, work: LaneWork): (signal: AbortSignal) => Promise<boolean> {
  const { messages, offsets, timing } = work;
  const owner = randomUUID();
  const isEmptyAfter = async (offset: number) => (await readLane(messages, lane, offset, 1)).length === 0;

  /** Undefined where the handler has succeeded, else its failure. */
  async function attempt(message: Received): Promise<unknown> {
    const begun = performance.now();
    const limitMs = timing.leaseMs / 2;
    const failure = await within(limitMs, handling(message), `The handler took longer than ${limitMs / 1000} s.`).then(
      () => undefined,
      (error) => error ?? new Error('The handler failed without a reason.'),
    );
    work.observe(message, (performance.now() - begun) / 1000, failure);
    return failure;
  }

  /** A handler that throws before its first await rejects too. */
  async function handling(message: Received) {
    await work.handle(message);
  }

  /** Whether the group may go on behind the message. */
  async function settle(message: LoggedMessage, failedBefore: number): Promise<boolean> {
    const exhausted = failedBefore >= timing.maxAttempts;
    const received = toReceived(message, exhausted ? failedBefore : failedBefore + 1);
    const failure = exhausted ? DIED : await attempt(received);
    if (failure === undefined) return true;
    if (received.attempt < timing.maxAttempts) {
      const restMs = Math.min(timing.longestRestMs, timing.firstRestMs * 2 ** (received.attempt - 1));
      await restLane(offsets, lane, owner, received.attempt, restMs);
      return false;
    }
    await work.setAside(received, failure);
    return true;
  }

  async function workUnderLease(claimed: Offset, claimedAt: number, signal: AbortSignal): Promise<boolean> {
    let { offset, attempts } = claimed;
    let safeUntil = claimedAt + timing.leaseMs * SAFE;
    for (;;) {
      const batch = await readLane(messages, lane, offset, READ_LIMIT);
      if (batch.length === 0) return true;
      for (const message of batch) {
        if (signal.aborted || performance.now() + timing.leaseMs / 2 > safeUntil) return false;
        if (!(await settle(message, attempts))) return false;
        const now = performance.now();
        if (!(await commitOffset(offsets, lane, owner, message.seq, timing.leaseMs))) return false;
        offset = message.seq;
        attempts = 0;
        safeUntil = now + timing.leaseMs * SAFE;
      }
    }
  }

  let registered = false;
  return async (signal) => {
    if (!registered) await registerLane(offsets, lane);
    registered = true;
    if (await isEmptyAfter(await readOffset(offsets, lane))) return true;
    const claimedAt = performance.now();
    const claimed = await claimLane(offsets, lane, owner, timing.leaseMs);
    if (!claimed) return false;
    try {
      return await workUnderLease(claimed, claimedAt, signal);
    } finally {
      await releaseLane(offsets, lane, owner);
    }
  };
}

const toReceived = ({ key, id, value, headers }: LoggedMessage, attempt: number): Received => ({
  key,
  id,
  value: value.value(),
  headers,
  attempt,
});
