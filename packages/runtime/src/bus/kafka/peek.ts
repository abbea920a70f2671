import { randomUUID } from 'node:crypto';
import { unavailable } from '../../errors.ts';
import { within } from '../../process.ts';
import type { Received } from '../bus.ts';
import type { KafkaClient } from './client.ts';
import { type Waiting, waitingFor } from './lag.ts';
import { toReceived } from './message.ts';

const PEEK_WITHIN_MS = 30_000;
const ASK_WITHIN_MS = 10_000;
const CLEAN_WITHIN_MS = 5_000;

/**
 * The oldest messages that a group has not handled. Brokers give messages only to consumers, so they are read by a
 * consumer in a group of its own, which is deleted afterwards.
 *
 * @throws AppError `unavailable` if they can't be read within half a minute.
 */
export async function peekAt(client: KafkaClient, topic: string, groupId: string, limit: number): Promise<Received[]> {
  const waiting = await client.ask((admin) => waitingFor(admin, topic, groupId), ASK_WITHIN_MS);
  if (waiting.length === 0) return [];
  const peekId = `${groupId}/peek-${randomUUID()}`;
  const consumer = client.patient.consumer({ groupId: peekId, allowAutoTopicCreation: false, maxWaitTimeInMs: 250 });
  const reader = createReader(waiting, limit);
  try {
    const reading = (async () => {
      await consumer.connect();
      await consumer.subscribe({ topics: [topic], fromBeginning: true });
      await consumer.run({
        autoCommit: false,
        eachMessage: async ({ partition, message }) => reader.take(partition, message.offset, toReceived(message, 1)),
      });
      for (const { partition, from } of waiting) consumer.seek({ topic, partition, offset: String(from) });
      await reader.done;
    })();
    await within(PEEK_WITHIN_MS, reading, 'too late').catch((error) => {
      throw unavailable('The messages could not be read from Kafka in time.', error);
    });
    return reader.messages().slice(0, limit);
  } finally {
    await within(CLEAN_WITHIN_MS, consumer.disconnect(), 'too late').catch(() => {});
    // If this fails, Kafka forgets the group by itself, because it has committed nothing.
    await client.ask((admin) => admin.deleteGroups([peekId]), CLEAN_WITHIN_MS).catch(() => {});
  }
}

/** Keeps the first messages of each partition, from the group's position to the end seen before. */
function createReader(waiting: Waiting[], limit: number) {
  const partitions = new Map(waiting.map((part) => [part.partition, { ...part, messages: [] as Received[] }]));
  const unread = new Set(partitions.keys());
  let finish = () => {};
  const done = new Promise<void>((resolve) => {
    finish = resolve;
  });
  return {
    done,
    take(partition: number, at: string, message: Received) {
      const part = partitions.get(partition);
      const offset = BigInt(at);
      if (!part || !unread.has(partition) || offset < part.from) return;
      if (offset < part.to) part.messages.push(message);
      if (offset + 1n >= part.to || part.messages.length >= limit) unread.delete(partition);
      if (unread.size === 0) finish();
    },
    messages: () => [...partitions.values()].flatMap(({ messages }) => messages),
  };
}
