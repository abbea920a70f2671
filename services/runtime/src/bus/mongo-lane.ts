import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { Received } from './bus.ts';
import { type AttemptTiming, DIED, type Handling, restAfter } from './handling.ts';
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

export interface LaneTiming extends AttemptTiming {
  /** How long a process that died keeps its lanes from the others; a handler may take half of it. */
  leaseMs: number;
}

export interface LaneWork {
  messages: Collection<LoggedMessage>;
  offsets: Collection<Offset>;
  timing: LaneTiming;
  handling: Handling;
}

/** What a lane holds in memory: so many messages, 16 MB at the most. */
const READ_LIMIT = 16;
/** By this process's own clock, the last part of a lease is left unused. */
const SAFE = 0.9;

/**
 * Returns a function that handles what waits in a lane, in order, under a lease. It says whether the lane is empty: false
 * means that another process has it, or that it rests after a failure.
 */
export function laneWorker(lane: GroupLane, work: LaneWork): (signal: AbortSignal) => Promise<boolean> {
  const { messages, offsets, timing, handling } = work;
  const owner = randomUUID();
  const isEmptyAfter = async (offset: number) => (await readLane(messages, lane, offset, 1)).length === 0;

  /** Whether the group may go on behind the message. */
  async function settle(message: LoggedMessage, failedBefore: number): Promise<boolean> {
    const exhausted = failedBefore >= timing.maxAttempts;
    const received = toReceived(message, exhausted ? failedBefore : failedBefore + 1);
    const failure = exhausted ? DIED : await handling.attempt(received);
    if (failure === undefined) return true;
    if (received.attempt < timing.maxAttempts) {
      await restLane(offsets, lane, owner, received.attempt, restAfter(received.attempt, timing));
      return false;
    }
    await handling.setAside(received, failure);
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
