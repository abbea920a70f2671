import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { keptMs } from '../bus.ts';
import type { KafkaClient } from './client.ts';

/** Partitions of a topic. A key is always in the same one; a group works on them independently. */
export const PARTITIONS = 4;

const RETENTION = 'retention.ms';
const CONFIG = {
  // The limit applies to one write, including its framing; see `MAX_SEND_BYTES`.
  'max.message.bytes': 2_000_000,
  // The broker's clock, so that the age of a message does not depend on its publisher.
  'message.timestamp.type': 'LogAppendTime',
};
const configEntries = (topic: string) =>
  Object.entries({ [RETENTION]: keptMs(topic), ...CONFIG }).map(([name, value]) => ({ name, value: String(value) }));

const CREATE_WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 50;

/**
 * Returns a function that creates a topic, if it does not exist, before its first use by this process. Existing topics
 * are left alone.
 */
export function topicEnsurer(client: KafkaClient): (topic: string) => Promise<void> {
  const ensured = new Map<string, Promise<void>>();
  return (topic) => {
    const known = ensured.get(topic);
    if (known) return known;
    const creation = client.ask((admin) => create(admin, topic), CREATE_WITHIN_MS);
    ensured.set(topic, creation);
    creation.catch(() => ensured.delete(topic));
    return creation;
  };
}

async function create(admin: Admin, topic: string): Promise<void> {
  if (await isServed(admin, topic)) return;
  const wanted = { topic, numPartitions: PARTITIONS, configEntries: configEntries(topic) };
  await admin.createTopics({ topics: [wanted], waitForLeaders: false });
  const end = performance.now() + CREATE_WITHIN_MS;
  while (!(await isServed(admin, topic)) && performance.now() < end) await sleep(LOOK_AGAIN_MS);
}

/** Returns whether all partitions answer: the cluster may know their leaders before the leaders do. */
const isServed = (admin: Admin, topic: string): Promise<boolean> =>
  admin.fetchTopicOffsets(topic).then(
    () => true,
    () => false,
  );
