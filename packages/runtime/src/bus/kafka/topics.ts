import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import type { Log } from '../../log.ts';
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

export interface Topics {
  /** Creates a topic, if it does not exist, before its first use by this process. */
  ensure(topic: string): Promise<void>;
  /** Creates those again that this process has used and Kafka has lost: kafkajs waits for them for ever. */
  restore(): Promise<void>;
}

/** Creates topics. Existing ones are left alone. */
export function openTopics(client: KafkaClient, log: Log): Topics {
  const ensured = new Map<string, Promise<void>>();
  return {
    ensure(topic) {
      const known = ensured.get(topic);
      if (known) return known;
      const creation = client.ask((admin) => create(admin, topic), CREATE_WITHIN_MS);
      ensured.set(topic, creation);
      creation.catch(() => ensured.delete(topic));
      return creation;
    },
    restore: () =>
      client.ask(async (admin) => {
        const there = new Set(await admin.listTopics());
        const lost = [...ensured.keys()].filter((topic) => !there.has(topic));
        if (lost.length > 0) log.warn({ topics: lost }, 'Kafka has lost topics; creating them again');
        for (const topic of lost) await create(admin, topic);
      }, CREATE_WITHIN_MS),
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
