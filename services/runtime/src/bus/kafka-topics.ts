import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import type { KafkaClient } from './kafka-client.ts';

/** A topic has so many partitions. A key is always in the same one; a group works on them independently. */
export const PARTITIONS = 4;

const CONFIG = {
  'retention.ms': 7 * 86_400_000,
  // The limit is on what is written at once, with its framing; see `MAX_SEND_BYTES`.
  'max.message.bytes': 2_000_000,
  // The broker's clock, so that the age of a message does not depend on who has published it.
  'message.timestamp.type': 'LogAppendTime',
};
const configEntries = Object.entries(CONFIG).map(([name, value]) => ({ name, value: String(value) }));

const CREATE_WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 50;

/**
 * Returns a function that creates a topic, where it does not exist, before its first use by this process. A topic that
 * exists is left as it is.
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
  await admin.createTopics({ topics: [{ topic, numPartitions: PARTITIONS, configEntries }], waitForLeaders: false });
  const end = performance.now() + CREATE_WITHIN_MS;
  while (!(await isServed(admin, topic)) && performance.now() < end) await sleep(LOOK_AGAIN_MS);
}

/** Whether all partitions answer: that the cluster knows their leaders does not mean that the leaders know. */
const isServed = (admin: Admin, topic: string): Promise<boolean> =>
  admin.fetchTopicOffsets(topic).then(
    () => true,
    () => false,
  );
