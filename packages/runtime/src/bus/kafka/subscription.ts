import { createLoop } from '../../loop.ts';
import type { Subscriber } from '../bus.ts';
import { createHandling } from '../handling.ts';
import { groupIdOf, type KafkaBusDependencies, keepConsuming } from './consumer.ts';
import type { KafkaSession } from './session.ts';

export interface KafkaSubscription {
  start(): Promise<void>;
  /** Rejects unless this process is certain to be a member of the group. */
  ready(): Promise<void>;
  stop(): Promise<void>;
}

const REBUILD_REST_MS = 1_000;

/** Keeps a consumer running for a subscriber, and creates another one when it has crashed or was given up. */
export function kafkaSubscription(dependencies: KafkaBusDependencies, subscriber: Subscriber): KafkaSubscription {
  const { client, timing, log, metrics } = dependencies;
  const { topic, group } = subscriber;
  const groupId = groupIdOf(subscriber);
  const limitMs = timing.sessionMs / 2;
  const handling = createHandling(subscriber, { limitMs, publish: dependencies.publish, log, metrics });
  let session: KafkaSession | undefined;

  const loop = createLoop({
    name: `${topic} for ${group}`,
    restMs: REBUILD_REST_MS,
    log,
    async round(signal) {
      await client.reached(groupId, signal);
      if (signal.aborted) return;
      await (session ? dependencies.topics.restore() : dependencies.topics.ensure(topic));
      if (signal.aborted) return;
      await keepConsuming({ ...dependencies, topic, groupId, limitMs, handling, signal }, (begun) => {
        session = begun;
      });
    },
  });
  return {
    start: () => loop.start(),
    async ready() {
      if (!session?.lasts(0)) throw new Error(`The group ${group} of ${topic} does not count on this process.`);
    },
    stop: () => loop.stop(),
  };
}
