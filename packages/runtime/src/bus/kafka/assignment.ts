import { setTimeout as sleep } from 'node:timers/promises';
import { type EachBatchPayload, type PartitionAssigner, PartitionAssigners } from 'kafkajs';

export interface Assignment {
  /** kafkajs calls this with each fetched batch. Starts its work, and waits for it only briefly. */
  eachBatch(payload: EachBatchPayload): Promise<void>;
  /** kafkajs asks this before it joins the group. Refuses while there is work, and once closed. */
  assigner: PartitionAssigner;
  /** This process has joined and may work again, unless it is closed. */
  open(): void;
  /** Returns whether it was opened since kafkajs last asked the assigner. */
  isOpen(): boolean;
  /** Permanent. Lets running handlers finish, and resolves when no work is left. */
  close(): Promise<void>;
}

/** While kafkajs waits for the work of one partition, it fetches nothing for the others. */
const WAIT_MS = 20;
/** A refused batch is fetched again, immediately without this pause. */
const REFUSED_MS = 200;

/** kafkajs retries joining, after a pause, if an error looks like one from the group's coordinator. */
const BUSY = Object.assign(new Error('Handlers are running.'), { type: 'REBALANCE_IN_PROGRESS' });

/** Does not look like one, so kafkajs stops joining. */
const CLOSED = new Error('This consumer was given up.');

/**
 * The partitions assigned to a consumer, each processed independently, outside kafkajs's loop. The loop waits for all
 * handlers of a fetch before it fetches again, so a slow one would hold up the other partitions ("a slow handler holds
 * up no other partition"). Instead, a busy partition is paused and the loop continues.
 *
 * kafkajs rejoins a group while handlers run, so two processes could work on one partition ("a partition changes hands
 * only after its running handler has finished"). Its only hook before joining is this: it asks its assigner for the
 * name of its protocol.
 */
export function createAssignment(
  work: (payload: EachBatchPayload, stopping: AbortSignal) => Promise<void>,
): Assignment {
  const working = new Set<Promise<void>>();
  const fetchedAgain = new Set<number>();
  let stopping = new AbortController();
  let closed = false;

  /**
   * kafkajs may deliver a batch that it requested from a second broker before it rejoined. That batch can lie beyond
   * messages whose offsets were never committed, so the first batch of each partition is left to be fetched again ("a
   * batch that was fetched before the consumer rejoined is not processed").
   */
  function isFetchedSinceJoining(partition: number): boolean {
    if (fetchedAgain.has(partition)) return true;
    fetchedAgain.add(partition);
    return false;
  }

  return {
    async eachBatch(payload) {
      // Not marked as read: whoever then has the partition fetches it again.
      if (stopping.signal.aborted) return sleep(REFUSED_MS);
      if (!isFetchedSinceJoining(payload.batch.partition)) return;
      payload.resolveOffset(payload.batch.lastOffset());
      const resume = payload.pause();
      const done = work(payload, stopping.signal).finally(() => {
        working.delete(done);
        resume();
      });
      working.add(done);
      await Promise.race([done, sleep(WAIT_MS)]);
    },
    assigner(config) {
      const roundRobin = PartitionAssigners.roundRobin(config);
      return {
        ...roundRobin,
        protocol(subscription) {
          stopping.abort();
          if (closed) throw CLOSED;
          if (working.size > 0) throw BUSY;
          return roundRobin.protocol(subscription);
        },
      };
    },
    open() {
      fetchedAgain.clear();
      if (!closed && stopping.signal.aborted) stopping = new AbortController();
    },
    isOpen: () => !stopping.signal.aborted,
    async close() {
      closed = true;
      stopping.abort();
      await Promise.all(working);
    },
  };
}
