import { Partitioners, type Producer } from 'kafkajs';
import { unavailable } from '../../errors.ts';
import type { Log } from '../../log.ts';
import { within } from '../../process.ts';
import { type BusMessage, messageBytes } from '../bus.ts';
import { singleFlight } from '../single-flight.ts';
import type { KafkaClient } from './client.ts';
import { toKafka } from './message.ts';
import type { Topics } from './topics.ts';

export interface KafkaProducer {
  /** Publishes to a topic that exists. */
  publish(topic: string, messages: BusMessage[]): Promise<void>;
  /** Rejects while Kafka does not accept messages. */
  ready(): Promise<void>;
  /** Lets messages in flight land. Takes at most five seconds. */
  stop(): Promise<void>;
}

type Addressed = BusMessage & { topic: string };

/** One send may go entirely to one partition, and a topic that we did not create accepts 1,048,588 bytes. */
const MAX_SEND_BYTES = 1_000_000;
const MAX_SEND_MESSAGES = 500;
const SLOW_MS = 10_000;
/** Pause between checks, during a send, for topics that Kafka has lost. */
const RESTORE_MS = 3_000;
const LAND_WITHIN_MS = 3_000;
const DISCONNECT_WITHIN_MS = 2_000;

/**
 * One idempotent producer, and one batch at a time. With two in flight, kafkajs gives the sequence number of a batch
 * that timed out to the next one, which the broker then acknowledges as a duplicate without storing it; and each batch
 * has its own retry timer, which reorders them. A producer that rejected a batch may also have freed its number, so it
 * is replaced. ("everything acknowledged is delivered in order, even if the broker hangs for 15 seconds", and "... dies
 * by kill -9".)
 */
export function createKafkaProducer(client: KafkaClient, topics: Pick<Topics, 'restore'>, log: Log): KafkaProducer {
  let producer: Promise<Producer> | undefined;
  let flyingSince: number | undefined;
  const pending = new Set<Promise<void>>();

  async function connect(): Promise<Producer> {
    const fresh = client.patient.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      idempotent: true,
      maxInFlightRequests: 1,
    });
    await fresh.connect();
    return fresh;
  }

  async function send(messages: Addressed[]) {
    producer ??= connect();
    const late = setInterval(() => topics.restore().catch(() => {}), RESTORE_MS);
    try {
      await (await producer).sendBatch({ topicMessages: byTopic(messages) });
    } catch (error) {
      const rejected = producer;
      producer = undefined;
      rejected.then(disconnect).catch((err) => log.debug({ err }, 'a producer was given up'));
      throw unavailable('The messages could not be written to Kafka.', error);
    } finally {
      clearInterval(late);
    }
  }

  const publish = singleFlight<Addressed>(async (batch) => {
    flyingSince = performance.now();
    try {
      for (const part of partsOf(batch)) await send(part);
    } finally {
      flyingSince = undefined;
    }
  });

  return {
    publish(topic, messages) {
      const published = publish(messages.map((message) => ({ ...message, topic })));
      const settled = published.then(
        () => {},
        () => {},
      );
      pending.add(settled);
      settled.then(() => pending.delete(settled));
      return published;
    },
    async ready() {
      const waitsMs = flyingSince === undefined ? 0 : performance.now() - flyingSince;
      if (waitsMs > SLOW_MS) throw new Error(`Kafka has not taken messages for ${Math.round(waitsMs / 1000)} s.`);
    },
    async stop() {
      await within(LAND_WITHIN_MS, Promise.all(pending), 'messages were not written').catch((err) => log.warn({ err }));
      // kafkajs's disconnect does not end a pending connect.
      await within(DISCONNECT_WITHIN_MS, producer?.then(disconnect), 'no answer').catch((err) => log.debug({ err }));
    },
  };
}

const disconnect = (producer: Producer) => producer.disconnect();

function byTopic(messages: Addressed[]) {
  const topics = [...new Set(messages.map(({ topic }) => topic))];
  return topics.map((topic) => ({ topic, messages: messages.filter((m) => m.topic === topic).map(toKafka) }));
}

/** Splits messages, in order, into batches that are as large as one send may be. */
function partsOf(messages: Addressed[]): Addressed[][] {
  const parts: Addressed[][] = [];
  let room = 0;
  for (const message of messages) {
    const bytes = messageBytes(message);
    const part = parts.at(-1);
    if (part && part.length < MAX_SEND_MESSAGES && bytes <= room) {
      part.push(message);
      room -= bytes;
    } else {
      parts.push([message]);
      room = MAX_SEND_BYTES - bytes;
    }
  }
  return parts;
}
