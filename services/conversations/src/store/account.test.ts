import { afterAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
import { randomId } from '@parley/runtime/rpc';
import { unscopedCommands } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { conversationStores } from './stores.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const { threads, ...stores } = conversationStores(client.db(database.name));
const { questions, claims, people, blocks, removal, openings } = stores;
afterAll(async () => {
  await client.close();
  await database.drop();
});

test('no part of a thread is read or written without an account; marks of deleted assistants have none', async () => {
  const [account, assistant, operation] = [randomId(), randomId(), randomId()];
  const { thread: chat } = (await questions.begin(account, assistant, { op: operation, text: 'Why?' }, 30_000))!;
  const opening = { kind: 'ticket', email: 'ann@example.com', name: '', subject: '', message: 'Why?' } as const;
  const ticket = await openings.open(account, assistant, randomId(), opening);
  const ref = { account, kind: 'ticket', assistant, id: ticket._id } as const;
  const claim = { thread: chat._id, entry: operation, fence: 1 };
  const op = randomId();
  const all = { limit: 0, nextCursor: '' };
  const evidence = { outcome: 'failed', answerer: 'a/1', offered: [], cited: [] } as const;
  const stored = { ...evidence, _id: op, account, thread: chat._id, n: 1, entry: op, offered: [], cited: [] };
  /** Every function of the stores. A new one has to be added here, or this does not compile. */
  const calls = {
    threads: {
      list: () => threads.list({ account, kind: 'ticket', assistant }, { statuses: ['open'] }, all),
      thread: () => threads.thread(account, ref.id),
      find: () => threads.find(ref),
      bySession: () => threads.bySession(account, assistant, chat.session_id!),
      open: () => threads.open(account, { _id: randomId(), kind: 'email', assistant }),
      act: () => threads.act(ticket, { entry: { _id: op, by: 'user', text: 'And?' } }),
      keepLast: () => threads.keepLast(ticket),
    } satisfies Record<Exclude<keyof typeof threads, 'entries' | 'collection' | 'stamps' | 'gone'>, () => unknown>,
    entries: {
      keep: () => threads.entries.keep({ ...chat.last!, evidence: stored }),
      find: () => threads.entries.find(chat, randomId()),
      of: () => threads.entries.of(chat, { before: 3, limit: 1, said: true }),
      changes: () => threads.entries.changes(ticket, all),
      evidenceOf: () => threads.entries.evidenceOf(chat, all),
      drop: () => threads.entries.drop(account, [randomId()]),
    } satisfies Record<Exclude<keyof typeof threads.entries, 'evidence'>, () => unknown>,
    evidence: {
      keep: () => threads.entries.evidence.keep(stored),
      fail: () => threads.entries.evidence.fail(stored),
      list: () => threads.entries.evidence.list(account, chat._id, all),
      drop: () => threads.entries.evidence.drop(account, [randomId()]),
    } satisfies Record<keyof typeof threads.entries.evidence, () => unknown>,
    stamps: {
      create: () => threads.stamps.create(ticket),
      bump: () => threads.stamps.bump(ticket),
      ofList: () => threads.stamps.ofList(ref),
      ofDays: () => threads.stamps.ofDays(ref),
      drop: () => threads.stamps.drop({ ...ref, assistant: randomId() }),
    } satisfies Record<keyof typeof threads.stamps, () => unknown>,
    questions: {
      begin: () => questions.begin(account, assistant, { op: randomId(), text: 'New?' }, 30_000),
      ask: () => questions.ask(chat, { op: operation, text: 'Why?' }, 30_000),
      queue: () => questions.queue(account, chat._id, op),
      leave: () => questions.leave(account, chat._id, op),
    } satisfies Record<keyof typeof questions, () => unknown>,
    claims: {
      claim: () => claims.claim(account, chat._id, operation, 30_000),
      extend: () => claims.extend(account, claim, 30_000),
      fail: () => claims.fail(account, { ...claim, fence: 7 }, { ...evidence, offered: [], cited: [] }),
      answer: () => claims.answer(account, claim, { text: 'Because.', sources: [] }),
    } satisfies Record<keyof typeof claims, () => unknown>,
    people: {
      say: () => people.say(ref, randomId(), 'Hello?'),
      reply: () => people.reply(ref, randomId(), 'Hello.'),
      hasSaid: () => people.hasSaid(ref, randomId()),
      update: () => people.update(ref, randomId(), 'key', { status: 'closed', priority: 'high' }),
    } satisfies Record<keyof typeof people, () => unknown>,
    blocks: {
      block: async () => {
        await blocks.block(ticket);
        await blocks.block(chat);
      },
      find: () => blocks.find(ref, 'ann@example.com'),
      unblock: () => blocks.unblock(ticket),
      drop: () => blocks.drop({ ...ref, assistant: randomId() }),
    } satisfies Record<keyof typeof blocks, () => unknown>,
    openings: {
      open: () => openings.open(account, assistant, randomId(), opening),
    } satisfies Record<keyof typeof openings, () => unknown>,
    removal: {
      forget: () => removal.forget(account, randomId()),
      sweep: () => removal.sweep(account, randomId()),
      undo: () => removal.undo({ ...ticket, _id: randomId(), assistant: randomId() }),
      settle: () => removal.settle(account, ticket._id),
    } satisfies Record<keyof typeof removal, () => unknown>,
  };
  for (const [store, functions] of Object.entries(calls))
    for (const [name, call] of Object.entries(functions)) {
      const unscoped = (await unscopedCommands(client, call)).filter((command) => !MARK.test(command));
      expect({ store, name, unscoped }).toEqual({ store, name, unscoped: [] });
    }
});

/** Reading or setting the mark of a deleted assistant: its id alone. */
const MARK = /^(find|update) \{"_id":"[0-9a-f-]{36}"\}$/;
