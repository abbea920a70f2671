import type { Collection } from 'mongodb';
import type { Log } from '../../log.ts';
import { createLoop, type Loop } from '../../loop.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { Subscriber } from '../bus.ts';
import { createHandling } from '../handling.ts';
import type { LoggedMessage } from './log.ts';
import type { Offset } from './offsets.ts';
import { type PartitionTiming, partitionWorker } from './partition-worker.ts';
import type { Topic } from './topic.ts';

export interface MongoBusTiming extends PartitionTiming {
  /** How often a process polls for messages of other processes; its own wake it at once. */
  pollMs: number;
}

export interface MongoBusDependencies {
  messages: Collection<LoggedMessage>;
  offsets: Collection<Offset>;
  timing: MongoBusTiming;
  log: Log;
  metrics?: Pick<Metrics, 'handled' | 'consumer' | 'dead' | 'rejected'> | undefined;
  topicOf(name: string): Topic;
}

/**
 * Handles one partition of a topic for a subscriber. Queries the database only if the topic has grown or its partition is not
 * empty.
 */
export function partitionLoop(dependencies: MongoBusDependencies, subscriber: Subscriber, partition: number): Loop {
  const { log, metrics, timing, topicOf } = dependencies;
  const { group } = subscriber;
  const topic = topicOf(subscriber.topic);
  const handling = createHandling(subscriber, {
    limitMs: timing.leaseMs / 2,
    publish: (to, messages) => topicOf(to).publish(messages),
    log,
    metrics,
  });
  const handleWaiting = partitionWorker({ topic: topic.name, group, partition }, { ...dependencies, handling });
  let emptyAt = -1;
  return createLoop({
    name: `${topic.name} for ${group}, partition ${partition}`,
    restMs: timing.pollMs,
    log,
    async round(signal) {
      const { last } = topic;
      if (last !== emptyAt && (await handleWaiting(signal))) emptyAt = last;
    },
  });
}
