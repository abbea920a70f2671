import { randomUUID } from 'node:crypto';
import type { Collection } from 'mongodb';
import type { AttemptTiming, Handling } from '../handling.ts';
import { type Partition, type PartitionMessage, workThrough } from '../partition.ts';
import { type LoggedMessage, readPartition, toReceived } from './log.ts';
import {
  claimPartition,
  commitPosition,
  type GroupPartition,
  type Offset,
  readOffset,
  registerPartition,
  releasePartition,
  renewPartition,
} from './offsets.ts';

export interface PartitionTiming extends AttemptTiming {
  /** How long a dead process keeps its partitions from the others; a handler may take half of it. */
  leaseMs: number;
}

export interface PartitionWork {
  messages: Collection<LoggedMessage>;
  offsets: Collection<Offset>;
  timing: PartitionTiming;
  handling: Handling;
}

/** Messages that a partition holds in memory, 16 MB at most. */
const READ_LIMIT = 16;
/** Share of a lease that is used, by this process's own clock. */
const SAFE = 0.9;

/**
 * Returns a function that handles the waiting messages of a partition, in order, under a lease. It returns whether the partition
 * is empty: false means that another process has it, or that it was lost.
 */
export function partitionWorker(
  partition: GroupPartition,
  work: PartitionWork,
): (signal: AbortSignal) => Promise<boolean> {
  const { messages, offsets, timing, handling } = work;
  const owner = randomUUID();
  const isEmptyAfter = async (offset: number) => (await readPartition(messages, partition, offset, 1)).length === 0;

  /** The partition for the duration of a lease, which each commit renews. */
  function leased(claimedAt: number, stopping: AbortSignal): Partition {
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
        extending(() => renewPartition(offsets, partition, owner, timing.leaseMs)),
      commit: (position) => extending(() => commitPosition(offsets, partition, owner, position, timing.leaseMs)),
    };
  }

  async function workUnderLease({ offset, attempts }: Offset, leased: Partition): Promise<boolean> {
    let after = offset;
    for (let before: number | undefined = attempts; ; before = undefined) {
      const batch = await readPartition(messages, partition, after, READ_LIMIT);
      if (batch.length === 0) return true;
      if (!(await workThrough(leased, batch.map(toPartitionMessage), before))) return false;
      after = batch.at(-1)!.seq;
    }
  }

  let registered = false;
  return async (signal) => {
    if (!registered) await registerPartition(offsets, partition);
    registered = true;
    if (await isEmptyAfter(await readOffset(offsets, partition))) return true;
    const claimedAt = performance.now();
    const claimed = await claimPartition(offsets, partition, owner, timing.leaseMs);
    if (!claimed) return false;
    try {
      return await workUnderLease(claimed, leased(claimedAt, signal));
    } finally {
      await releasePartition(offsets, partition, owner);
    }
  };
}

const toPartitionMessage = (message: LoggedMessage): PartitionMessage => ({
  offset: BigInt(message.seq),
  received: (attempt) => toReceived(message, attempt),
});
