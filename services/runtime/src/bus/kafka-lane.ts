import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaMessage } from 'kafkajs';
import type { Received } from './bus.ts';
import { type AttemptTiming, DIED, type Handling, restAfter } from './handling.ts';
import { toReceived } from './kafka-message.ts';

/** What has been told to the group about a partition: where it goes on, and how often that message was begun. */
export interface Place {
  offset: string;
  attempts: number;
}

export interface Lane {
  handling: Handling;
  timing: AttemptTiming;
  /** Whether the group is sure to count on this process for as long as one attempt may take. */
  isMember(): boolean;
  /** Tells the group; rejects where it does not count on this process any more. */
  commit(place: Place): Promise<void>;
  stopping: AbortSignal;
}

const COMMIT_EVERY_MS = 1_000;
const TRY_AGAIN_MS = 250;

/**
 * Handles fetched messages of one partition in their order, until all are handled or the lane is stopping, and tells the
 * group how far it has come: once a second, and at the end.
 *
 * The number of an attempt is told before it begins, for the message that a new owner of the partition begins with and
 * for every repetition: so a message at which processes die is set aside after as many attempts as any other. (To tell
 * it for each message would cost as much as handling it.)
 *
 * @param before what had been told when this process was given the partition, where these are its first messages
 */
export async function workThrough(lane: Lane, messages: KafkaMessage[], before: Place | undefined): Promise<void> {
  let untold: Place | undefined;
  let toldAt = performance.now();
  for (const [i, message] of messages.entries()) {
    const first = i === 0 ? before : undefined;
    if (lane.stopping.aborted || !(await settle(lane, message, first))) break;
    untold = { offset: String(BigInt(message.offset) + 1n), attempts: 0 };
    if (performance.now() - toldAt < COMMIT_EVERY_MS) continue;
    if (!(await tell(lane, untold))) return;
    untold = undefined;
    toldAt = performance.now();
  }
  if (untold) await tell(lane, untold);
}

/** Attempts a message until it is handled or set aside; false where stopping came first. */
async function settle(lane: Lane, message: KafkaMessage, before: Place | undefined): Promise<boolean> {
  const { handling, timing, stopping } = lane;
  const begunBefore = before?.offset === message.offset ? before.attempts : 0;
  let begun = begunBefore;
  let failure: unknown = DIED;
  while (begun < timing.maxAttempts) {
    if (!(await mayBegin(lane))) return false;
    begun += 1;
    const mustTell = before !== undefined || begun > begunBefore + 1;
    if (mustTell && !(await tell(lane, { offset: message.offset, attempts: begun }))) return false;
    failure = await handling.attempt(toReceived(message, begun));
    if (failure === undefined) return true;
    if (begun < timing.maxAttempts) await rest(restAfter(begun, timing), stopping);
  }
  return setAside(lane, toReceived(message, begun), failure);
}

async function setAside(lane: Lane, message: Received, failure: unknown): Promise<boolean> {
  while (await mayBegin(lane)) {
    if (await succeeds(lane.handling.setAside(message, failure))) return true;
    await rest(TRY_AGAIN_MS, lane.stopping);
  }
  return false;
}

/** Waits until no other process can be at work on the partition; false where stopping came first. */
async function mayBegin({ isMember, stopping }: Lane): Promise<boolean> {
  while (!stopping.aborted && !isMember()) await rest(TRY_AGAIN_MS, stopping);
  return !stopping.aborted;
}

/** Tries until the group has been told; when stopping, once. */
async function tell({ commit, stopping }: Lane, place: Place): Promise<boolean> {
  for (;;) {
    const told = await succeeds(commit(place));
    if (told || stopping.aborted) return told;
    await rest(TRY_AGAIN_MS, stopping);
  }
}

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const rest = (ms: number, stopping: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal: stopping }).catch(() => {});
