import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fromBinary } from '@bufbuild/protobuf';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createCorpus } from '@parley/corpus';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { KnowledgeService } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { createLog, createMetrics, readEnv } from '@parley/runtime';
import { type Bus, KNOWLEDGE_TOPIC, openBus } from '@parley/runtime/bus';
import { LIST_VERSIONS } from '@parley/runtime/mongo';
import { contextSigner, type RpcClient, type RpcProcess, randomId, rpcClient } from '@parley/runtime/rpc';
import { freshDatabase, testCall, until } from '@parley/runtime/testing';
import { type Db, MongoClient } from 'mongodb';
import { readConfig } from './config.ts';
import { createKnowledge } from './create.ts';

const [corpus, busDatabase] = [freshDatabase(), freshDatabase()];
const secret = randomId();
const metrics = createMetrics();
const reader = new MongoClient(corpus.uri);
const published: string[] = [];
let dir: string;
let bus: Bus;
let service: RpcProcess;
let knowledge: RpcClient<typeof KnowledgeService>;

const variables = () => ({
  MONGODB_URI: corpus.uri,
  PARLEY_SECRET: secret,
  OBJECTS_DIR: dir,
  EMBEDDINGS: 'none',
  HOST: '127.0.0.1',
  LOG_LEVEL: 'silent',
});

beforeAll(async () => {
  dir = await mkdtemp(path.join(tmpdir(), 'parley-knowledge-'));
  const config = {
    ...readConfig(readEnv(variables())),
    mongodb: { uri: corpus.uri, database: corpus.name },
    bus: { mongodb: { uri: busDatabase.uri, database: busDatabase.name } },
  };
  bus = openBus(config.bus, createLog('test', 'silent'), createMetrics());
  await bus.start?.();
  bus.subscribe({
    topic: KNOWLEDGE_TOPIC,
    group: 'test',
    async handle({ key, value }) {
      published.push(`${key} ${fromBinary(EventSchema, value).payload.case}`);
    },
  });
  service = createKnowledge(config, { metrics });
  await service.start();
  knowledge = rpcClient(KnowledgeService, { address: `127.0.0.1:${service.port()}` });
});
afterAll(async () => {
  await knowledge[Symbol.asyncDispose]();
  await service.stop();
  await bus.stop();
  await reader.close();
  await Promise.all([corpus.drop(), busDatabase.drop(), rm(dir, { recursive: true })]);
});

const as = (account: string) => testCall({ account, sign: contextSigner(secret, 'gateway') }).onward();

test('over the wire: events of an item are published in order, its queue is measured, its deletion leaves nothing', async () => {
  const account = randomId();
  const { item } = await knowledge.createFaq({ title: 'Help' }, as(account));
  const id = item!.id;
  await knowledge.createFaqItem({ knowledgeId: id, question: 'Why?', answer: 'Because.' }, as(account));
  expect((await knowledge.trainKnowledgeItem({ id }, as(account))).item).toMatchObject({ isTraining: true });
  const { passages } = await knowledge.search({ knowledgeIds: [id], query: 'why' }, as(account));
  expect(passages).toEqual([]);
  expect((await metrics.scrape()).text).toMatch(/parley_queue_oldest_age_seconds\{queue="training"\} \d*\.?\d*[1-9]/);
  expect(await service.unready()).toEqual([]);

  await knowledge.deleteKnowledgeItem({ id }, as(account));
  const faqItems = reader.db(corpus.name).collection('faq_items');
  await until(async () => (await faqItems.countDocuments({ item: id })) === 0);
  await until(() => published.length >= 4);
  expect(published).toEqual(
    ['Created', 'Changed']
      .map((what) => `${id} knowledgeItem${what}`)
      .concat(`${id} trainingQueued`, `${id} knowledgeItemDeleted`),
  );
});

test('the total of the list becomes exact by itself after a process died right after it had created or deleted an item', async () => {
  const account = randomId();
  const total = async () => (await knowledge.listKnowledgeItems({}, as(account))).total;
  const { items } = createCorpus(dying(reader.db(corpus.name)));
  const faq = { type: 'faq', faq: { title: 'Help', description: null } } as const;
  const { item } = await knowledge.createFaq({ title: 'Help' }, as(account));
  expect(await total()).toBe(1);
  const id = randomId();
  await expect(items.create(account, id, faq)).rejects.toThrow('killed');
  await until(total, (found) => found === 2);
  await expect(items.delete(account, item!.id, randomId())).rejects.toThrow('killed');
  await until(total, (found) => found === 1);
});

/** The database of a process that is killed before it bumps a version. */
const dying = (db: Db): Db =>
  ({
    collection: (name: string) =>
      name === LIST_VERSIONS ? { bulkWrite: () => Promise.reject(new Error('killed')) } : db.collection(name),
  }) as unknown as Db;

test('a website that is due is trained again by the running service', async () => {
  const account = randomId();
  const { item } = await knowledge.createWebsite({ websiteUrl: 'https://example.com/' }, as(account));
  const id = item!.id;
  await knowledge.updateKnowledgeItem({ id, retrainEveryChange: { case: 'retrainEvery', value: 1 } }, as(account));
  const hours = (count: number) => new Date(Date.now() - count * 3_600_000);
  const items = reader.db(corpus.name).collection<{ _id: string }>('knowledge_items');
  await items.updateOne({ _id: id }, { $set: { training_failed_at: hours(2), retrain_due: hours(1) } });
  const training = () => knowledge.getKnowledgeItem({ id }, as(account));
  await until(training, ({ item }) => item!.isTraining);
  await knowledge.deleteKnowledgeItem({ id }, as(account));
});

test('the error names a setting that is missing or wrong', () => {
  const reading = (changes: object) => () => readConfig(readEnv({ ...variables(), ...changes }));
  expect(reading({ OBJECTS_DIR: '' })).toThrow('OBJECTS_DIR');
  expect(reading({ CRAWL_ALLOW: 'everything' })).toThrow('CRAWL_ALLOW');
  expect(reading({ EMBEDDINGS: 'local' })).toThrow('EMBEDDING_MODEL_DIR');
  expect(reading({ INDEX_DISK_MIB: '0' })).toThrow('INDEX_DISK_MIB');
  expect(reading({ INDEX_MEMORY_MIB: '0' })).toThrow('INDEX_MEMORY_MIB');
});
