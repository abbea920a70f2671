import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin } from 'kafkajs';
import { DAY_MS, isDeadTopic, keptMs } from '../bus.ts';
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

/** Of a dead topic that the first version created. */
const KEPT_BEFORE_MS = 7 * DAY_MS;
/** Kafka's numbers for a topic, and for settings of the topic itself. Node can't import kafkajs's names for them. */
const TOPIC = 2;
const TOPIC_CONFIG = 1;

const CREATE_WITHIN_MS = 10_000;
const LOOK_AGAIN_MS = 50;

/**
 * Returns a function that creates a topic, if it does not exist, before its first use by this process. Existing topics
 * are left alone, except dead ones of an older version.
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
  if (await isServed(admin, topic)) return isDeadTopic(topic) ? keepLonger(admin, topic) : undefined;
  const wanted = { topic, numPartitions: PARTITIONS, configEntries: configEntries(topic) };
  await admin.createTopics({ topics: [wanted], waitForLeaders: false });
  const end = performance.now() + CREATE_WITHIN_MS;
  while (!(await isServed(admin, topic)) && performance.now() < end) await sleep(LOOK_AGAIN_MS);
}

/** The first version kept dead messages no longer than others. Settings of an operator are left alone. */
async function keepLonger(admin: Admin, topic: string): Promise<void> {
  const { resources } = await admin.describeConfigs({
    includeSynonyms: false,
    resources: [{ type: TOPIC, name: topic }],
  });
  const own = (resources[0]?.configEntries ?? []).filter(({ configSource }) => configSource === TOPIC_CONFIG);
  const retention = own.find(({ configName }) => configName === RETENTION)?.configValue;
  if (retention !== String(KEPT_BEFORE_MS)) return;
  // Settings not listed here return to the broker's default.
  const others = own.filter(({ configName }) => configName !== RETENTION);
  const entries = others.map(({ configName: name, configValue: value }) => ({ name, value }));
  await admin.alterConfigs({
    validateOnly: false,
    resources: [
      {
        type: TOPIC,
        name: topic,
        configEntries: [...entries, { name: RETENTION, value: String(keptMs(topic)) }],
      },
    ],
  });
}

/** Returns whether all partitions answer: the cluster may know their leaders before the leaders do. */
const isServed = (admin: Admin, topic: string): Promise<boolean> =>
  admin.fetchTopicOffsets(topic).then(
    () => true,
    () => false,
  );
