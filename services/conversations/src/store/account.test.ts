import { afterAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { randomId } from '@parley/runtime';
import { unscopedCommands } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { chatStore } from './chats.ts';
import { chatId } from './model.ts';
import { turnStore } from './turns.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const [turns, chats] = [turnStore(client.db(database.name)), chatStore(client.db(database.name))];
afterAll(async () => {
  await client.close();
  await database.drop();
});

test('exactly this reads or writes without an account: the sweeper, to find turns whose time has passed', async () => {
  const [account, assistant, operation] = [randomId(), randomId(), randomId()];
  const thread = chatId(operation);
  const held = { id: operation, fence: 1 };
  const question = { assistant, thread, n: 1, question: 'Why?', bytes_before: 0 };
  const turn = (await turns.ask(account, { _id: operation, ...question }, 1_000))!;
  const first = { limit: 0, nextCursor: '' };
  /** Every function of the stores: what is new is added here, or the test fails. */
  const ofTurns: Record<keyof typeof turns, () => unknown> = {
    turn: () => turns.turn(account, operation),
    last: () => turns.last(account, thread),
    of: () => turns.of(account, thread, { before: 2, limit: 1 }),
    ask: () => turns.ask(account, { _id: randomId(), ...question, n: 2 }, 1_000),
    claim: () => turns.claim(account, operation, 1_000),
    extend: () => turns.extend(account, held, 1_000),
    answer: () => turns.answer(account, held, { message: 'a', sources: [] }),
    abandon: () => turns.abandon(account, held),
    expire: () => turns.expire(account, thread),
    lastSaid: () => turns.lastSaid(account, [thread]),
    giveUp: () => turns.giveUp(turn),
    due: () => turns.due(),
  };
  const ofChats: Record<keyof typeof chats, () => unknown> = {
    begin: () => chats.begin(turn),
    list: () => chats.list(account, assistant, first),
    chat: () => chats.chat(account, assistant, thread),
    bySession: async () =>
      chats.bySession(account, assistant, (await chats.chat(account, assistant, thread)).session_id),
  };
  const unscoped: string[] = [];
  for (const [name, call] of [...Object.entries(ofTurns), ...Object.entries(ofChats)])
    if ((await unscopedCommands(client, call)).length > 0) unscoped.push(name);
  expect(unscoped).toEqual(['due']);
});
