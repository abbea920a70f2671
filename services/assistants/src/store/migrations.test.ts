import { afterAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { createLog } from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { randomId } from '@parley/runtime/rpc';
import { MongoClient } from 'mongodb';
import { assistantStore } from './assistants.ts';
import { migrations } from './migrations.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri);
const db = client.db(database.name);
afterAll(async () => {
  await client.close();
  await database.drop();
});

async function migrate(known = migrations) {
  const mongo = openMongo({ uri: database.uri, database: database.name }, known, createLog('test', 'silent'));
  await mongo.start?.(new AbortController().signal);
  await mongo.stop?.();
}

/** A chatbot as the first release wrote it, before there were other kinds. */
const old = (account: string, i: number) => ({
  _id: randomId(),
  account,
  kind: 'chatbot',
  public_id: `old00000000${i}`,
  title: `Old ${i}`,
  allowed_domains: ['shop.example'],
  knowledge: [{ item: randomId(), at: new Date(i) }],
  deleted_at: null,
  created_at: new Date(i),
});

/** As a list has it. */
const bare = <T extends object>({ knowledge: _, ...chatbot }: T & { knowledge: unknown }) => chatbot;

test('chatbots of the first release are found, listed, changed and deleted; inboxes can join them', async () => {
  await migrate(migrations.filter(({ number }) => number <= 2));
  const account = randomId();
  const chatbots = [old(account, 1), old(account, 2)];
  await db.collection<{ _id: string }>('assistants').insertMany(chatbots);
  await migrate();
  // A process may have died before it recorded the migration.
  await db.collection<{ _id: number }>('migrations').deleteOne({ _id: 3 });
  await migrate();

  const store = assistantStore(db);
  const [first, second] = chatbots;
  expect(await store.list(account, 'chatbot')).toEqual([bare(second!), bare(first!)]);
  expect(await store.assistant(account, 'chatbot', first!.public_id)).toEqual(first);
  const changed = await store.updateChatbot(account, first!.public_id, randomId(), { title: 'New' });
  expect(changed).toMatchObject({ ...first, title: 'New' });
  expect(await store.deleteChatbot(account, second!._id, randomId())).toEqual(second);
  expect(await store.list(account, 'chatbot')).toEqual([bare(changed)]);
  for (const alias of ['one', 'two'])
    await store.createEmailInbox(account, randomId(), { alias, title: 'Inbox', description: null });
  expect(await store.list(account, 'email_inbox')).toHaveLength(2);
});
