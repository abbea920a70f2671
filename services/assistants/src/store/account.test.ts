import { afterAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { randomId } from '@parley/runtime';
import { unscopedCommands } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { assistantStore } from './assistants.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const store = assistantStore(client.db(database.name));
afterAll(async () => {
  await client.close();
  await database.drop();
});

test('no assistant is read or written without an account, but to tell why one is refused; deleted items have none', async () => {
  const [account, operation, item] = [randomId(), randomId(), randomId()];
  await store.createChatbot(account, operation, { title: 'Bot', allowed_domains: [] });
  /** Every function of the store: what is new is added here, or the test fails. */
  const calls: Record<keyof typeof store, () => unknown> = {
    createChatbot: () => store.createChatbot(account, randomId(), { title: 'Bot', allowed_domains: [] }),
    assistant: () => store.assistant(account, 'chatbot', operation),
    list: () => store.list(account, 'chatbot'),
    attach: () => store.attach(account, operation, item),
    detach: () => store.detach(account, operation, item, randomId()),
    isGone: () => store.isGone(item),
    forgetItem: () => store.forgetItem(account, item),
  };
  const unscoped: Record<string, string[]> = {};
  for (const [name, call] of Object.entries(calls)) {
    const commands = await unscopedCommands(client, call);
    if (commands.length > 0) unscoped[name] = commands;
  }
  const gone = JSON.stringify({ _id: item });
  expect(unscoped).toEqual({ isGone: [`find ${gone}`], forgetItem: [`update ${gone}`] });

  const refused = () => store.assistant(randomId(), 'chatbot', operation).catch(() => {});
  expect(await unscopedCommands(client, refused)).toHaveLength(1);
});
