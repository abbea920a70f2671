import { setTimeout as sleep } from 'node:timers/promises';
import { type EachBatchPayload, type PartitionAssigner, PartitionAssigners } from 'kafkajs';

export interface KafkaLanes {
  /** What kafkajs calls with each fetched batch: begins its work, and waits for it only a little. */
  eachBatch(payload: EachBatchPayload): Promise<void>;
  /** What kafkajs asks before it joins the group: refuses while there is work, and when closed. */
  assigner: PartitionAssigner;
  /** This process has joined, and may work again; unless it has closed. */
  open(): void;
  /** Whether they were opened since kafkajs last asked the assigner. */
  areOpen(): boolean;
  /** For good. Lets running handlers finish, and resolves when no work is left. */
  close(): Promise<void>;
}

/** While kafkajs waits for one partition's work, it fetches nothing for the others. */
const WAIT_MS = 20;
/** What is refused is fetched again, and would be without a rest. */
const REFUSED_MS = 200;

/** kafkajs tries again to join, after a rest, when an error looks like one that the group's coordinator gives. */
const BUSY = Object.assign(new Error('Handlers are running.'), { type: 'REBALANCE_IN_PROGRESS' });

/** This one looks like none, so kafkajs joins no group with it. */
const CLOSED = new Error('This consumer was given up.');

/**
 * The partitions that a consumer works on, each on its own, outside kafkajs's loop: a partition with work is paused, and
 * the loop goes on to fetch for the others and to send heartbeats.
 *
 * Two processes never work on one partition: the group gives partitions anew when all members have joined anew, and ours
 * joins when its handlers are done. kafkajs has no hook for that but this: at each join it asks its assigner for the
 * name of its protocol.
 */
export function createLanes(work: (payload: EachBatchPayload, stopping: AbortSignal) => Promise<void>): KafkaLanes {
  const working = new Set<Promise<void>>();
  const fetchedAgain = new Set<number>();
  let stopping = new AbortController();
  let closed = false;

  /**
   * With several brokers, one's answer may come after the group was joined anew because of another's. It may lie behind
   * messages that were given back unhandled, so the first batch of a partition is fetched once more.
   */
  function isFetchedSinceJoining(partition: number): boolean {
    if (fetchedAgain.has(partition)) return true;
    fetchedAgain.add(partition);
    return false;
  }

  return {
    async eachBatch(payload) {
      // Not marked as read: it is fetched again by whoever has the partition then.
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
    areOpen: () => !stopping.signal.aborted,
    async close() {
      closed = true;
      stopping.abort();
      await Promise.all(working);
    },
  };
}
