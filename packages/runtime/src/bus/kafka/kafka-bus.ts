import { unavailable } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import { type Bus, checkMessage, checkName } from '../bus.ts';
import { ATTEMPTS, countRefused } from '../handling.ts';
import { type KafkaConfig, openKafka } from './client.ts';
import { groupIdOf, type KafkaBusDependencies, type KafkaBusTiming } from './consumer.ts';
import { lagOf } from './lag.ts';
import { peekAt } from './peek.ts';
import { createKafkaProducer, type KafkaProducer } from './producer.ts';
import { type KafkaSubscription, kafkaSubscription } from './subscription.ts';
import { openTopics } from './topics.ts';

const TIMING: KafkaBusTiming = { ...ATTEMPTS, sessionMs: 10_000 };
const LAG_WITHIN_MS = 5_000;

interface KafkaBusOptions extends KafkaConfig {
  log: Log;
  metrics?: Pick<Metrics, 'handled' | 'consumer' | 'dead' | 'rejected'>;
  timing?: Partial<KafkaBusTiming>;
}

/**
 * The bus on Kafka, using kafkajs. Every topic, dead ones included, is created on first use. kafkajs is kept from what
 * it does unsafely: by `producer.ts` for publishing, by `assignment.ts` for dividing work between processes.
 *
 * Without Kafka it still starts, is not ready, and works once Kafka is up.
 */
export function createKafkaBus(options: KafkaBusOptions): Bus {
  const dependencies = dependenciesOf(options);
  const { client, producer } = dependencies;
  const subscriptions = new Set<KafkaSubscription>();
  let running = false;

  async function lag(topic: string, group: string) {
    await dependencies.topics.ensure(topic);
    return client.ask((admin) => lagOf(admin, topic, groupIdOf({ topic, group })), LAG_WITHIN_MS);
  }

  return {
    name: 'bus',
    async publish(topic, messages) {
      checkName('topic', topic);
      for (const message of messages) checkMessage(message);
      if (!running) throw unavailable('The bus is not running.');
      if (messages.length > 0) await dependencies.publish(topic, messages);
      countRefused(options.metrics, topic, messages);
    },
    subscribe(subscriber) {
      const { topic, group } = subscriber;
      checkName('topic', topic);
      checkName('group', group);
      const subscription = kafkaSubscription(dependencies, subscriber);
      subscriptions.add(subscription);
      dependencies.metrics?.consumer(topic, group, () => lag(topic, group));
      if (running) subscription.start();
      return {
        async close() {
          subscriptions.delete(subscription);
          await subscription.stop();
        },
      };
    },
    lag,
    async peek(topic, group, limit) {
      await dependencies.topics.ensure(topic);
      return peekAt(client, topic, groupIdOf({ topic, group }), limit);
    },
    async start() {
      running = true;
      for (const subscription of subscriptions) subscription.start();
    },
    async ready() {
      if (!running) throw new Error('The bus is not running');
      await client.ask(async () => {});
      await producer.ready();
      for (const subscription of subscriptions) await subscription.ready();
    },
    async stop() {
      running = false;
      await Promise.all([...subscriptions].map((subscription) => subscription.stop()));
      await producer.stop();
    },
  };
}

function dependenciesOf(options: KafkaBusOptions): KafkaBusDependencies & { producer: KafkaProducer } {
  const { log, metrics } = options;
  const client = openKafka(options, log);
  const topics = openTopics(client, log);
  const producer = createKafkaProducer(client, topics, log);
  return {
    client,
    producer,
    timing: { ...TIMING, ...options.timing },
    log,
    metrics,
    topics,
    async publish(topic, messages) {
      await topics.ensure(topic);
      await producer.publish(topic, messages);
    },
  };
}
