import type { Collection } from 'mongodb';
import type { Log } from '../log.ts';
import { createLoop, type Loop } from '../loop.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { deadMessage, deadTopic, type Received, type Subscriber } from './bus.ts';
import { type LaneTiming, laneWorker } from './mongo-lane.ts';
import type { LoggedMessage } from './mongo-log.ts';
import type { Offset } from './mongo-offsets.ts';
import type { Topic } from './mongo-topic.ts';

export interface MongoBusTiming extends LaneTiming {
  /** How often a process asks for messages of other processes; its own wake it at once. */
  pollMs: number;
}

export interface MongoBusParts {
  messages: Collection<LoggedMessage>;
  offsets: Collection<Offset>;
  timing: MongoBusTiming;
  log: Log;
  metrics?: Pick<Metrics, 'handled' | 'queue'> | undefined;
  topicOf(name: string): Topic;
}

/** Handles one lane of a topic for a subscriber. It asks the database only when the topic has grown or its lane is not empty. */
export function laneLoop(parts: MongoBusParts, subscriber: Subscriber, lane: number): Loop {
  const { log, metrics, timing, topicOf } = parts;
  const { group, handle } = subscriber;
  const topic = topicOf(subscriber.topic);
  const about = { topic: topic.name, group };

  function observe({ id, attempt }: Received, seconds: number, failure: unknown) {
    metrics?.handled(topic.name, group, failure ? 'failed' : 'ok', seconds);
    if (failure) log.warn({ err: failure, ...about, message: id, attempt }, 'a message was not handled');
  }

  async function setAside(message: Received, reason: unknown) {
    await topicOf(deadTopic(topic.name)).publish([deadMessage(message, group, reason)]);
    metrics?.handled(topic.name, group, 'dead', 0);
    log.error({ err: reason, ...about, message: message.id }, 'a message was set aside');
  }

  const handleWaiting = laneWorker({ ...about, lane }, { ...parts, handle, observe, setAside });
  let emptyAt = -1;
  return createLoop({
    name: `${topic.name} for ${group}, lane ${lane}`,
    restMs: timing.pollMs,
    log,
    async round(signal) {
      const { last } = topic;
      if (last !== emptyAt && (await handleWaiting(signal))) emptyAt = last;
    },
  });
}
