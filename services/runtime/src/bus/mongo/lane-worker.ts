import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { AttemptTiming, Handling } from '../handling.ts';
import { type Lane, type LaneMessage, workThrough } from '../lane.ts';
import { type LoggedMessage, readLane, toReceived } from './log.ts';
import {
  claimLane,
  commitPosition,
  type GroupLane,
  type Offset,
  readOffset,
  registerLane,
  releaseLane,
  renewLane,
} from './offsets.ts';

export interface LaneTiming extends AttemptTiming {
  /** How long a dead process keeps its lanes from the others; a handler may take half of it. */
  leaseMs: number;
}

export interface LaneWork {
  messages: Collection<LoggedMessage>;
  offsets: Collection<Offset>;
  timing: LaneTiming;
  handling: Handling;
}

/** Messages that a lane holds in memory, 16 MB at most. */
const READ_LIMIT = 16;
/** Share of a lease that is used, by this process's own clock. */
const SAFE = 0.9;

/**
 * Returns a function that handles the waiting messages of a lane, in order, under a lease. It returns whether the lane
 * is empty: false means that another process has it, or that it was lost.
 */
export function laneWorker(lane: GroupLane, work: LaneWork): (signal: AbortSignal) => Promise<boolean> {
  const { messages, offsets, timing, handling } = work;
  const owner = randomUUID();
  const isEmptyAfter = async (offset: number) => (await readLane(messages, lane, offset, 1)).length === 0;

  /** The lane for the duration of a lease, which each commit renews. */
  function leased(claimedAt: number, stopping: AbortSignal): Lane {
    let safeUntil = claimedAt + timing.leaseMs * SAFE;
    const extending = async (renew: () => Promise<boolean>) => {
      const asked = performance.now();
      const isOurs = await renew();
      if (isOurs) safeUntil = asked + timing.leaseMs * SAFE;
      return isOurs;
    };
    return {
      handling,
      timing,
      stopping,
      mayBegin: async () =>
        performance.now() + timing.leaseMs / 2 < safeUntil ||
        extending(() => renewLane(offsets, lane, owner, timing.leaseMs)),
      commit: (position) => extending(() => commitPosition(offsets, lane, owner, position, timing.leaseMs)),
    };
  }

  async function workUnderLease({ offset, attempts }: Offset, leased: Lane): Promise<boolean> {
    let after = offset;
    for (let before: number | undefined = attempts; ; before = undefined) {
      const batch = await readLane(messages, lane, after, READ_LIMIT);
      if (batch.length === 0) return true;
      if (!(await workThrough(leased, batch.map(toLaneMessage), before))) return false;
      after = batch.at(-1)!.seq;
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
      return await workUnderLease(claimed, leased(claimedAt, signal));
    } finally {
      await releaseLane(offsets, lane, owner);
    }
  };
}

const toLaneMessage = (message: LoggedMessage): LaneMessage => ({
  offset: BigInt(message.seq),
  received: (attempt) => toReceived(message, attempt),
});
