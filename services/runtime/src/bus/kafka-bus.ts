import { unavailable } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../telemetry/metrics.ts';
import { type Bus, checkMessage, checkName } from './bus.ts';
import { ATTEMPTS } from './handling.ts';
import { ageOf } from './kafka-age.ts';
import { type KafkaConfig, openKafka } from './kafka-client.ts';
import { groupIdOf, type KafkaBusParts, type KafkaBusTiming } from './kafka-consumer.ts';
import { createKafkaProducer, type KafkaProducer } from './kafka-producer.ts';
import { type KafkaSubscription, kafkaSubscription } from './kafka-subscription.ts';
import { topicEnsurer } from './kafka-topics.ts';

const TIMING: KafkaBusTiming = { ...ATTEMPTS, sessionMs: 10_000 };
const AGE_WITHIN_MS = 5_000;

interface KafkaBusOptions extends KafkaConfig {
  log: Log;
  metrics?: Pick<Metrics, 'handled' | 'queue'>;
  timing?: Partial<KafkaBusTiming>;
}

/**
 * The bus on Kafka, by kafkajs. Every topic is created at its first use, a dead one too. What kafkajs is not safe for is
 * kept from it: `kafka-producer.ts` for what is published, `kafka-lanes.ts` for who works on what, `kafka-lane.ts` for
 * failures and acknowledgements.
 *
 * Without Kafka it starts all the same, is not ready, and works when Kafka comes.
 */
export function createKafkaBus(options: KafkaBusOptions): Bus {
  const parts = partsOf(options);
  const { client, producer } = parts;
  const subscriptions = new Set<KafkaSubscription>();
  let running = false;

  async function oldestAge(topic: string, group: string) {
    await parts.ensureTopic(topic);
    return client.ask((admin) => ageOf(admin, topic, groupIdOf({ topic, group })), AGE_WITHIN_MS);
  }

  return {
    name: 'bus',
    async publish(topic, messages) {
      checkName('topic', topic);
      for (const message of messages) checkMessage(message);
      if (!running) throw unavailable('The bus is not running.');
      if (messages.length > 0) await parts.publish(topic, messages);
    },
    subscribe(subscriber) {
      const { topic, group } = subscriber;
      checkName('topic', topic);
      checkName('group', group);
      const subscription = kafkaSubscription(parts, subscriber);
      subscriptions.add(subscription);
      parts.metrics?.queue(`${topic}/${group}`, () => oldestAge(topic, group));
      if (running) subscription.start();
      return {
        async close() {
          subscriptions.delete(subscription);
          await subscription.stop();
        },
      };
    },
    oldestAge,
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

function partsOf(options: KafkaBusOptions): KafkaBusParts & { producer: KafkaProducer } {
  const { log, metrics } = options;
  const client = openKafka(options, log);
  const ensureTopic = topicEnsurer(client);
  const producer = createKafkaProducer(client, log);
  return {
    client,
    producer,
    timing: { ...TIMING, ...options.timing },
    log,
    metrics,
    ensureTopic,
    async publish(topic, messages) {
      await ensureTopic(topic);
      await producer.publish(topic, messages);
    },
  };
}
