import type { Consumer } from 'kafkajs';

export interface KafkaSession {
  /** Returns whether this process is certain to stay a member of its group for `ms` more. */
  lasts(ms: number): boolean;
  /** For how many milliseconds its membership has not been certain; 0 while it is. */
  lostMs(): number;
}

/**
 * Infers from the coordinator's responses how long this process stays a member of its group, which kafkajs does not
 * expose ("a process suspended past its session handles nothing that another one has taken over"). A session restarts
 * when the coordinator gets a heartbeat, so it is counted, by this process's own clock, from the moment of sending: a
 * process that was suspended in between may read the response long after the session has ended.
 *
 * @param isAtWork whether the consumer knows its partitions. If the response that assigned them was lost, it does not,
 * but its heartbeats are still sent and answered.
 */
export function watchSession(consumer: Consumer, sessionMs: number, isAtWork: () => boolean): KafkaSession {
  let sentAt = Number.NEGATIVE_INFINITY;
  let endsAt = performance.now();
  const begin = () => {
    if (isAtWork()) endsAt = sentAt + sessionMs;
  };
  consumer.on(consumer.events.REQUEST, ({ payload: { apiName, duration } }) => {
    if (apiName === 'Heartbeat' || apiName === 'SyncGroup') sentAt = performance.now() - duration;
  });
  // The request event also fires for refusals; these two fire only if the coordinator accepted.
  consumer.on(consumer.events.HEARTBEAT, begin);
  consumer.on(consumer.events.GROUP_JOIN, begin);
  return {
    lasts: (ms) => performance.now() + ms < endsAt,
    lostMs: () => Math.max(0, performance.now() - endsAt),
  };
}
