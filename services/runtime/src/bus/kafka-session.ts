import type { Consumer } from 'kafkajs';

export interface KafkaSession {
  /** Whether this process is sure to be a member of its group for `ms` more. */
  lasts(ms: number): boolean;
  /** For how many milliseconds it has not been sure to be one; 0 while it is. */
  awayMs(): number;
}

/**
 * Knows from the group's answers how long it counts on a consumer. A session begins anew when the coordinator gets a
 * heartbeat, so it is counted, by this process's own clock, from the moment of sending: a process that was stopped in
 * between may read the answer long after the session has ended.
 *
 * @param isAtWork whether the consumer knows its partitions. It may not, and send heartbeats all the same, and have them
 * answered: where the group has given it partitions, and that answer was lost.
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
  // These two tell that the answer, which the event before told of, was not a refusal.
  consumer.on(consumer.events.HEARTBEAT, begin);
  consumer.on(consumer.events.GROUP_JOIN, begin);
  return {
    lasts: (ms) => performance.now() + ms < endsAt,
    awayMs: () => Math.max(0, performance.now() - endsAt),
  };
}
