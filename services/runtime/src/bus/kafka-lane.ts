import { setTimeout as sleep } from 'node:timers/promises';
import type { KafkaMessage } from 'kafkajs';
import { type AttemptTiming, DIED, type Handling, restAfter } from './handling.ts';
import { toReceived } from './kafka-message.ts';

/** What has been told to the group about a partition: where it goes on, and how often that message was begun. */
export interface Place {
  offset: string;
  attempts: number;
}

export interface LaneWork {
  handling: Handling;
  timing: AttemptTiming;
  /** Whether the group is sure to count on this process for as long as one attempt may take. */
  isMember(): boolean;
  /** Tells the group; rejects where it does not count on this process any more. */
  commit(place: Place): Promise<void>;
}

const COMMIT_EVERY_MS = 1_000;
const TRY_AGAIN_MS = 250;

/**
 * Handles fetched messages of one partition in their order, until all are handled or `stopping`, and tells the group how
 * far it has come: once a second, and at the end.
 *
 * The number of an attempt is told before it begins, for the message that a new owner of the partition begins with and
 * for every repetition: so a message at which processes die is set aside after as many attempts as any other. (To tell
 * it for each message would cost as much as handling it.)
 *
 * @param before what had been told when this process was given the partition, where these are its first messages
 */
export async function workThrough(
  messages: KafkaMessage[],
  before: Place | undefined,
  work: LaneWork,
  stopping: AbortSignal,
): Promise<void> {
  const { handling, timing } = work;
  const rest = (ms: number) => sleep(ms, undefined, { signal: stopping }).catch(() => {});

  /** Tries until the group has been told; false where stopping came first. Tries once when stopping already. */
  async function tell(place: Place): Promise<boolean> {
    for (;;) {
      const told = await work.commit(place).then(
        () => true,
        () => false,
      );
      if (told || stopping.aborted) return told;
      await rest(TRY_AGAIN_MS);
    }
  }

  async function mayBegin(): Promise<boolean> {
    while (!stopping.aborted && !work.isMember()) await rest(TRY_AGAIN_MS);
    return !stopping.aborted;
  }

  /** Whether the group may go on behind the message. */
  async function settle(message: KafkaMessage, begunBefore: number, tellFirst: boolean): Promise<boolean> {
    let begun = begunBefore;
    let failure: unknown = DIED;
    while (begun < timing.maxAttempts) {
      if (!(await mayBegin())) return false;
      begun += 1;
      const isRepetition = begun > begunBefore + 1;
      if ((tellFirst || isRepetition) && !(await tell({ offset: message.offset, attempts: begun }))) return false;
      failure = await handling.attempt(toReceived(message, begun));
      if (failure === undefined) return true;
      if (begun < timing.maxAttempts) await rest(restAfter(begun, timing));
    }
    return setAside(message, begun, failure);
  }

  async function setAside(message: KafkaMessage, attempts: number, failure: unknown): Promise<boolean> {
    while (await mayBegin()) {
      const done = await handling.setAside(toReceived(message, attempts), failure).then(
        () => true,
        () => false,
      );
      if (done) return true;
      await rest(TRY_AGAIN_MS);
    }
    return false;
  }

  let untold: Place | undefined;
  let toldAt = performance.now();
  for (const [i, message] of messages.entries()) {
    const isFirst = before !== undefined && i === 0;
    const begunBefore = isFirst && before.offset === message.offset ? before.attempts : 0;
    if (stopping.aborted || !(await settle(message, begunBefore, isFirst))) break;
    untold = { offset: String(BigInt(message.offset) + 1n), attempts: 0 };
    if (performance.now() - toldAt < COMMIT_EVERY_MS) continue;
    if (!(await tell(untold))) return;
    untold = undefined;
    toldAt = performance.now();
  }
  if (untold) await tell(untold);
}
