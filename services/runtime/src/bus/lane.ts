import { setTimeout as sleep } from 'node:timers/promises';
import type { Received } from './bus.ts';
import { type AttemptTiming, DIED, type Handling, restAfter } from './handling.ts';

/** Where a group resumes in a lane, and how often the message there was started but not handled. */
export interface Position {
  offset: bigint;
  attempts: number;
}

/** A message in a lane; the next one has a higher offset. */
export interface LaneMessage {
  offset: bigint;
  received(attempt: number): Received;
}

/**
 * What a group processes in order: a partition in Kafka, a lane of the log in MongoDB. One process of the group owns it
 * at a time.
 */
export interface Lane {
  handling: Handling;
  timing: AttemptTiming;
  /** Resolves to true once this process is sure to own the lane for one whole attempt, to false if it never will. */
  mayBegin(): Promise<boolean>;
  /** Stores the group's position. False if the lane has another owner; rejects if that is unknown. */
  commit(position: Position): Promise<boolean>;
  stopping: AbortSignal;
}

const COMMIT_EVERY_MS = 1_000;
const TRY_AGAIN_MS = 250;

/**
 * Handles the messages of a lane in order, until all are handled or the lane is stopping or lost. Commits the position
 * once a second, and at the end. Resolves to whether all are handled and committed.
 *
 * For a new owner's first message and for every retry, the number of the attempt is committed before it starts: so a
 * message at which processes die is set aside after as many attempts as any other. (Committing it for each message
 * would cost as much as handling it.) If the last owner died before its next commit, any of the messages after its
 * first may have killed it, so they are committed one by one.
 *
 * @param before how often the first message was started before, if this process has just become the owner
 */
export async function workThrough(lane: Lane, messages: LaneMessage[], before: number | undefined): Promise<boolean> {
  let uncommitted: Position | undefined;
  let committedAt = performance.now();
  let done = true;
  for (const [i, message] of messages.entries()) {
    const first = i === 0 ? before : before ? 0 : undefined;
    done = !lane.stopping.aborted && (await settle(lane, message, first));
    if (!done) break;
    uncommitted = { offset: message.offset + 1n, attempts: 0 };
    if (performance.now() - committedAt < COMMIT_EVERY_MS) continue;
    if (!(await commit(lane, uncommitted))) return false;
    uncommitted = undefined;
    committedAt = performance.now();
  }
  const committed = uncommitted === undefined || (await commit(lane, uncommitted));
  return done && committed;
}

/**
 * Attempts a message until it is handled or set aside; false if the lane was stopped or lost first.
 *
 * @param before how often it was started before; undefined if that need not be committed for the first attempt
 */
async function settle(lane: Lane, { offset, received }: LaneMessage, before: number | undefined): Promise<boolean> {
  const { handling, timing, stopping } = lane;
  let attempts = before ?? 0;
  let failures = 0;
  let reason: unknown = DIED;
  while (attempts < timing.maxAttempts) {
    if (!(await mayBegin(lane))) return false;
    attempts += 1;
    const mustCommit = before !== undefined || failures > 0;
    if (mustCommit && !(await commit(lane, { offset, attempts }))) return false;
    const failure = await handling.attempt(received(attempts));
    if (failure === undefined) return true;
    failures += 1;
    if (failure.counts && !stopping.aborted) reason = failure.error;
    else {
      // Taken back: a process that ends during the pause must not leave behind an attempt that did not count.
      attempts -= 1;
      if (!(await commit(lane, { offset, attempts }))) return false;
    }
    if (attempts < timing.maxAttempts) await rest(restAfter(failures, failure, timing), stopping);
  }
  return setAside(lane, received(attempts), reason);
}

async function setAside(lane: Lane, message: Received, reason: unknown): Promise<boolean> {
  while (await mayBegin(lane)) {
    const isDone = await lane.handling.setAside(message, reason).then(
      () => true,
      () => false,
    );
    if (isDone) return true;
    await rest(TRY_AGAIN_MS, lane.stopping);
  }
  return false;
}

/** Retries until the answer is known; while stopping, tries once. */
const mayBegin = ({ mayBegin, stopping }: Lane) => insist(async () => !stopping.aborted && mayBegin(), stopping);
const commit = ({ commit, stopping }: Lane, position: Position) => insist(() => commit(position), stopping);

async function insist(ask: () => Promise<boolean>, stopping: AbortSignal): Promise<boolean> {
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined || stopping.aborted) return answer ?? false;
    await rest(TRY_AGAIN_MS, stopping);
  }
}

const rest = (ms: number, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => {});
