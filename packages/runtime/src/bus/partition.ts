import { setTimeout as sleep } from 'node:timers/promises';
import { type RetryPolicy, retry } from '../retry.ts';
import type { Received } from './bus.ts';
import { type AttemptTiming, DIED, type Handling, restAfter } from './handling.ts';

/** Where a group resumes in a partition, and how often the message there was started but not handled. */
export interface Position {
  offset: bigint;
  attempts: number;
}

/** A message in a partition; the next one has a higher offset. */
export interface PartitionMessage {
  offset: bigint;
  received(attempt: number): Received;
}

/**
 * The unit that a group processes in order: a partition in Kafka, a partition of the log in MongoDB. One process of the group owns it
 * at a time.
 */
export interface Partition {
  handling: Handling;
  timing: AttemptTiming;
  /** Resolves to true once this process is sure to own the partition for one whole attempt, to false if it never will. */
  mayBegin(): Promise<boolean>;
  /** Stores the group's position. False if the partition has another owner; rejects if that is unknown. */
  commit(position: Position): Promise<boolean>;
  stopping: AbortSignal;
}

const COMMIT_EVERY_MS = 1_000;
const TRY_AGAIN_MS = 250;

/**
 * Handles the messages of a partition in order, until all are handled or the partition is stopping or lost. Commits the position
 * once a second, and at the end. Resolves to whether all are handled and committed.
 *
 * For a new owner's first message and for every retry, the number of the attempt is committed before it starts: so a
 * message at which processes die is dead-lettered after as many attempts as any other. (Committing it for each message
 * would cost as much as handling it.) If the last owner died before its next commit, any of the messages after its
 * first may have killed it, so they are committed one by one.
 *
 * @param before how often the first message was started before, if this process has just become the owner
 */
export async function workThrough(
  partition: Partition,
  messages: PartitionMessage[],
  before: number | undefined,
): Promise<boolean> {
  let uncommitted: Position | undefined;
  let committedAt = performance.now();
  let done = true;
  for (const [i, message] of messages.entries()) {
    const first = i === 0 ? before : before ? 0 : undefined;
    done = !partition.stopping.aborted && (await settle(partition, message, first));
    if (!done) break;
    uncommitted = { offset: message.offset + 1n, attempts: 0 };
    if (performance.now() - committedAt < COMMIT_EVERY_MS) continue;
    if (!(await commit(partition, uncommitted))) return false;
    uncommitted = undefined;
    committedAt = performance.now();
  }
  const committed = uncommitted === undefined || (await commit(partition, uncommitted));
  return done && committed;
}

/**
 * Attempts a message until it is handled or dead-lettered; false if the partition was stopped or lost first.
 *
 * @param before how often it was started before; undefined if that need not be committed for the first attempt
 */
async function settle(
  partition: Partition,
  { offset, received }: PartitionMessage,
  before: number | undefined,
): Promise<boolean> {
  const { handling, timing, stopping } = partition;
  let attempts = before ?? 0;
  let failures = 0;
  let reason: unknown = DIED;
  while (attempts < timing.maxAttempts) {
    if (!(await mayBegin(partition))) return false;
    attempts += 1;
    const mustCommit = before !== undefined || failures > 0;
    if (mustCommit && !(await commit(partition, { offset, attempts }))) return false;
    const failure = await handling.attempt(received(attempts));
    if (failure === undefined) return true;
    failures += 1;
    if (failure.final) return deadLetter(partition, received(attempts), failure.error);
    if (failure.counts && !stopping.aborted) reason = failure.error;
    else {
      // Taken back: a process that ends during the pause must not leave behind an attempt that did not count.
      attempts -= 1;
      if (!(await commit(partition, { offset, attempts }))) return false;
    }
    if (attempts < timing.maxAttempts) await rest(restAfter(failures, failure, timing), stopping);
  }
  return deadLetter(partition, received(attempts), reason);
}

const deadLetter = (partition: Partition, message: Received, reason: unknown): Promise<boolean> =>
  untilKnown(async () => {
    if (!(await mayBegin(partition))) return false;
    await partition.handling.deadLetter(message, reason);
    return true;
  }, partition.stopping);

const mayBegin = ({ mayBegin, stopping }: Partition) =>
  untilKnown(async () => !stopping.aborted && mayBegin(), stopping);
const commit = ({ commit, stopping }: Partition, position: Position) => untilKnown(() => commit(position), stopping);

const FOR_EVER: RetryPolicy = {
  attempts: Number.POSITIVE_INFINITY,
  backoffMs: TRY_AGAIN_MS,
  longestPauseMs: TRY_AGAIN_MS,
  pauseAfter: () => TRY_AGAIN_MS,
};

/** Retries until the answer is known; once stopped, tries once more. */
const untilKnown = (ask: () => Promise<boolean>, stopping: AbortSignal): Promise<boolean> =>
  retry(ask, FOR_EVER, stopping)
    .catch(ask)
    .catch(() => false);

const rest = (ms: number, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => {});
