import type { Consumer } from 'kafkajs';

export interface KafkaSession {
  /** Whether this process is sure to be a member of its group for `ms` more. */
  lasts(ms: number): boolean;
}

/**
 * Knows from the group's answers how long it counts on a consumer. A session begins anew when the coordinator gets a
 * heartbeat, so it is counted, by this process's own clock, from the moment of sending: a process that was stopped in
 * between may read the answer long after the session has ended.
 */
export function watchSession(consumer: Consumer, sessionMs: number): KafkaSession {
  let sentAt = Number.NEGATIVE_INFINITY;
  let begunAt = Number.NEGATIVE_INFINITY;
  const begin = () => {
    begunAt = sentAt;
  };
  consumer.on(consumer.events.REQUEST, ({ payload: { apiName, duration } }) => {
    if (apiName === 'Heartbeat' || apiName === 'SyncGroup') sentAt = performance.now() - duration;
  });
  // These two tell that the answer, which the event before told of, was not a refusal.
  consumer.on(consumer.events.HEARTBEAT, begin);
  consumer.on(consumer.events.GROUP_JOIN, begin);
  return { lasts: (ms) => performance.now() + ms < begunAt + sessionMs };
}
