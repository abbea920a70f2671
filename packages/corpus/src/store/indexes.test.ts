import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { type Examined, examined, freshDatabase, migrateTo } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { all } from '../testing.ts';
import { corpusMigrations } from './collections.ts';
import { type Corpus, createCorpus } from './corpus.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const db = client.db(database.name);
const corpus: Corpus = createCorpus(db);
const REQUEST = { limit: 10, nextCursor: '' };

const account = randomId();
let item: string;
beforeAll(async () => {
  await migrateTo(database, corpusMigrations, 1);
  ({ _id: item } = await corpus.items.create(account, randomId(), {
    type: 'faq',
    faq: { title: '', description: null },
  }));
  const { items, faqItems } = corpus.collections;
  const made = (i: number) => ({ _id: randomId(), created_at: new Date(i), deleted_at: i % 3 ? new Date() : null });
  const hundreds = Array.from({ length: 600 }, (_, i) => made(i));
  await items.unlisted.insertMany(hundreds.map((each) => ({ ...each, account })) as never[]);
  await faqItems.unlisted.insertMany(hundreds.map((each) => ({ ...each, account, item })) as never[]);
  await migrateTo(database, corpusMigrations, Number.POSITIVE_INFINITY);
});
afterAll(async () => {
  await client.close();
  await database.drop();
});

/** The cost of a page and its total: the page reads what it returns, and the total reads no documents. */
const CHEAP: Partial<Examined>[] = [{ returned: 11, keys: 11, documents: 11 }, { documents: 0 }];

test('pages of knowledge items and of FAQ items cost what they hold', async () => {
  const items = await examined(client, () => corpus.items.page(account, REQUEST));
  expect(items.filter(({ read }) => read.endsWith(' knowledge_items'))).toMatchObject(CHEAP);
  const faqItems = await examined(client, () => corpus.faqItems.page(account, item, REQUEST));
  const ofItems = faqItems.filter(({ read, keys }) => read.endsWith(' faq_items') && keys > 0);
  expect(ofItems).toMatchObject(CHEAP);
  const reads = await examined(client, () => all(corpus.faqItems.all(account, item)));
  expect(reads[0]).toMatchObject({ returned: 200, documents: 200 });
});

test('the pages of a training cost what they hold', async () => {
  await corpus.training.request(account, item, randomId());
  const job = (await corpus.training.claim())!;
  await corpus.builds.open(job, null);
  for (let i = 0; i < 30; i++) await corpus.subPages.record(job, `https://example.com/${i}`, { failed_with: 'No.' });
  const [, ...pages] = await examined(client, () => corpus.subPages.page(account, item, REQUEST));
  expect(pages).toMatchObject(CHEAP);
});
