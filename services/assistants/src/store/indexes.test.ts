import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { examined, freshDatabase, migrateTo } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { assistantStore } from './assistants.ts';
import { migrations } from './migrations.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const db = client.db(database.name);
const store = assistantStore(db);
const account = randomId();

beforeAll(async () => {
  await migrateTo(database, migrations, 1);
  const assistants = Array.from({ length: 600 }, (_, i) => ({
    _id: randomId(),
    account,
    kind: 'chatbot',
    public_id: `${i}`,
    knowledge: [],
    created_at: new Date(i),
    deleted_at: i % 30 ? new Date() : null,
  }));
  await db.collection<{ _id: string }>('assistants').insertMany(assistants);
  await migrateTo(database, migrations, 3);
});
afterAll(async () => {
  await client.close();
  await database.drop();
});

test('the list of chatbots reads only what it shows, and creating one counts without reading any', async () => {
  const [list] = await examined(client, () => store.list(account, 'chatbot'));
  expect(list).toMatchObject({ returned: 20, documents: 20 });
  expect(list!.keys).toBeLessThan(30);
  const reads = await examined(client, () =>
    store.createChatbot(account, randomId(), { title: 'Bot', allowed_domains: [] }),
  );
  const count = reads.find(({ read }) => read === 'aggregate assistants')!;
  expect(count).toMatchObject({ documents: 0 });
  expect(count.keys).toBeLessThan(30);
});

test('an assistant is found by its public id, and an inbox by its alias, reading no other document', async () => {
  const { public_id } = await store.createTicketForm(account, randomId(), {
    title: 'F',
    allowed_domains: [],
    fields: [],
  });
  const { alias } = await store.createEmailInbox(account, randomId(), {
    title: 'I',
    alias: 'in-use',
    description: null,
  });
  for (const look of [
    () => store.assistant(account, 'ticket_form', public_id),
    () => store.ownerOf('ticket_form', public_id),
    () => store.assistant(account, 'email_inbox', alias),
    () => store.ownerOf('email_inbox', alias),
  ])
    expect(await examined(client, look)).toMatchObject([{ returned: 1, keys: 1, documents: 1 }]);
});

test('the bytes of large assistants are added up from the index', async () => {
  const domains = Array.from({ length: 40 }, (_, i) => `${'x'.repeat(60)}.host${i}.example`);
  const create = () => store.createChatbot(account, randomId(), { title: 'Large', allowed_domains: domains });
  for (let i = 0; i < 3; i++) await create();
  const reads = await examined(client, create);
  const sum = reads.filter(({ read }) => read === 'aggregate assistants')[1]!;
  expect(sum.keys).toBeLessThan(10);
  expect(sum.documents).toBeLessThan(10);
});

test('a second inbox has no public id, and a second chatbot with the same one is refused', async () => {
  const assistants = db.collection<{ _id: string; alias?: string; deleted_at: Date | null }>('assistants');
  const row = { account, kind: 'email_inbox', knowledge: [], deleted_at: null };
  await assistants.insertMany(['a1', 'b1'].map((alias) => ({ ...row, _id: randomId(), alias })));
  const same = { ...row, kind: 'chatbot', public_id: 'same' };
  await assistants.insertOne({ ...same, _id: randomId() });
  await expect(assistants.insertOne({ ...same, _id: randomId() })).rejects.toThrow('E11000');
  await expect(assistants.insertOne({ ...row, _id: randomId(), alias: 'a1' })).rejects.toThrow('E11000');
  await assistants.insertOne({ ...row, _id: randomId(), alias: 'a1', deleted_at: new Date() });
});

test('deleted knowledge is detached from many assistants without reading others', async () => {
  const item = randomId();
  const assistants = db.collection<{ _id: string; account: string }>('assistants');
  const row = { account, kind: 'email_inbox', knowledge: [{ item, at: new Date() }], deleted_at: null };
  const many = Array.from({ length: 1_200 }, (_, i) => ({ ...row, _id: randomId(), alias: `detached-${i}` }));
  await assistants.insertMany(many);
  await store.forgetItem(account, item);
  const reads = await examined(client, () => store.sweepItem(account, item));
  expect(reads.reduce((sum, { documents }) => sum + documents, 0)).toBeLessThan(2 * 1_200 + 10);
  expect(await assistants.countDocuments({ account, 'knowledge.item': item })).toBe(0);
});
