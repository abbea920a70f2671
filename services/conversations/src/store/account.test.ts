import { afterAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { freshDatabase, unscopedCommands } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { storesOn } from './testing/threads.ts';

const database = freshDatabase();
const client = new MongoClient(database.uri, { monitorCommands: true });
const { threads, ...stores } = storesOn(client.db(database.name), undefined, {
  quietMs: 0,
  mailDomain: 'mail.example',
});
const { questions, claims, dueAnswers, drafts, people, blocks, removal, pendingCreations, ...mailing } = stores;
const { mails, notices, receiving, outgoing, mailFiles, visitors } = mailing;
afterAll(async () => {
  await client.close();
  await database.drop();
});

test('no part of a thread is read or written without an account, but by workers that look for work', async () => {
  const [account, assistant, operation] = [randomId(), randomId(), randomId()];
  const { thread: chat } = (await questions.begin(account, assistant, { op: operation, text: 'Why?' }, 30_000))!;
  const newConversation = { kind: 'ticket', email: 'ann@example.com', name: '', subject: '', message: 'Why?' } as const;
  const ticket = await pendingCreations.open(account, assistant, randomId(), newConversation);
  const visitor = { id: randomId(), name: '', email: '', user_id: '', verified: false };
  const asked = (await questions.begin(account, assistant, { op: randomId(), text: 'Why?', visitor }, 30_000))!;
  const visits = { thread: asked.thread._id, entry: asked.question._id, fence: 1 };
  const answered = await claims.answer(account, visits, { text: 'So.', sources: [] });
  const visited = { account, assistant, session: asked.thread.session_id!, visitor: visitor.id };
  const ref = { account, kind: 'ticket', assistant, id: ticket._id } as const;
  const scope = { account, kind: 'ticket', assistant } as const;
  const verdicts = { spf: 'pass', dkim: 'pass', dmarc: 'pass' };
  const mail = { from: 'ann@example.com', authenticated: true, automatic: false, verdicts, quoted: '', is_cut: false };
  const incoming = {
    ...{ name: '', subject: '', message: 'Why?', messageId: 'c@d', references: ['a@b'], bytes: 12 },
    mail: { ...mail, attachments: [] },
  };
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
      open: () => threads.open(threads.collection.unlisted, account, { _id: randomId(), kind: 'email', assistant }),
      change: () => threads.change(ticket, [{ $set: { hold: null } }]),
      act: () => threads.act(ticket, { entry: { _id: op, by: 'user', text: 'And?' } }),
      persistLastEntry: () => threads.persistLastEntry(ticket),
    } satisfies Record<
      Exclude<keyof typeof threads, 'entries' | 'collection' | 'listVersions' | 'usage' | 'deletedAssistants'>,
      () => unknown
    >,
    entries: {
      keep: () => threads.entries.keep({ ...chat.last!, evidence: stored }),
      find: () => threads.entries.find(chat, randomId()),
      own: () => threads.entries.own(chat, randomId()),
      of: () => threads.entries.of(chat, { before: 3, limit: 1, said: true }),
      changes: () => threads.entries.changes(ticket, all),
      evidenceOf: () => threads.entries.evidenceOf(chat, all),
      drop: () => threads.entries.drop(account, [randomId()]),
    } satisfies Record<Exclude<keyof typeof threads.entries, 'evidence'>, () => unknown>,
    evidence: {
      keep: () => threads.entries.evidence.keep(stored),
      fail: () => threads.entries.evidence.fail(stored),
      list: () => threads.entries.evidence.list(account, chat._id, all),
      find: () => threads.entries.evidence.find(account, chat._id, operation),
      drop: () => threads.entries.evidence.drop(account, [randomId()]),
    } satisfies Record<keyof typeof threads.entries.evidence, () => unknown>,
    listVersions: {
      create: () => threads.listVersions.create(ticket),
      bump: () => threads.listVersions.bump(ticket),
      ofList: () => threads.listVersions.ofList(ref),
      ofDays: () => threads.listVersions.ofDays(ref),
      drop: () => threads.listVersions.drop({ ...ref, assistant: randomId() }),
    } satisfies Record<keyof typeof threads.listVersions, () => unknown>,
    questions: {
      begin: () => questions.begin(account, assistant, { op: randomId(), text: 'New?' }, 30_000),
      ask: () => questions.ask(chat, { op: operation, text: 'Why?' }, 30_000),
      queue: () => questions.queue(account, chat._id, op),
      leave: () => questions.leave(account, chat._id, op),
    } satisfies Record<keyof typeof questions, () => unknown>,
    claims: {
      extend: () => claims.extend(account, claim, 30_000),
      fail: () => claims.fail(account, { ...claim, fence: 7 }, { ...evidence, offered: [], cited: [] }),
      answer: () => claims.answer(account, claim, { text: 'Because.', sources: [] }),
    } satisfies Record<keyof typeof claims, () => unknown>,
    dueAnswers: {
      claim: () => dueAnswers.claim(30_000, [], 20),
      postpone: () => dueAnswers.postpone(account, { thread: ticket._id, entry: op, fence: 1 }, 0, true),
      decline: () => dueAnswers.decline(account, { thread: ticket._id, entry: op, fence: 7 }),
      draft: async () => {
        const { _id, pending } = await threads.find(ref);
        const claim = { thread: _id, entry: pending!.entry, fence: pending!.fence };
        const answered = { ...evidence, outcome: 'answered', offered: [], cited: [] } as const;
        await dueAnswers.draft(account, claim, {
          text: 'Maybe.',
          sources: [],
          evidence: { ...answered, offered: [], cited: [] },
        });
      },
    } satisfies Record<keyof typeof dueAnswers, () => unknown>,
    drafts: {
      get: () => drafts.get(ref),
      change: () => drafts.change(ref, 'Perhaps.'),
      send: () => drafts.send(ref, randomId()),
      discard: () => drafts.discard(ref),
      setAi: () => drafts.setAi(ref, true),
    } satisfies Record<keyof typeof drafts, () => unknown>,
    mails: {
      keep: () =>
        mails.keep({
          _id: op,
          ...scope,
          thread: ref.id,
          direction: 'in',
          message_id: 'a@b',
          address: 'ann@example.com',
        }),
      find: () => mails.find(account, op),
      findSent: () => mails.findSent(op),
      move: () => mails.move(account, op, ref.id, randomId()),
      byMessageIds: () => mails.byMessageIds(ref, ['a@b']),
      latestOf: () => mails.latestOf(account, ref.id),
      deliveriesOf: () => mails.deliveriesOf(account, ref.id),
      recentFrom: () => mails.recentFrom(account, 'ann@example.com', 3),
      recentLinksTo: () => mails.recentLinksTo(account, 'ann@example.com', 3),
      drop: () => mails.drop({ ...ref, assistant: randomId() }),
    } satisfies Record<Exclude<keyof typeof mails, 'collection'>, () => unknown>,
    notices: {
      queue: () => notices.queue(ref, 'new', 'owner@example.com'),
      claim: () => notices.claim(30_000),
      find: () => notices.find(op),
      end: () => notices.end({ id: op, claim: op }, 'sent'),
      drop: () => notices.drop({ ...ref, assistant: randomId() }),
    } satisfies Record<keyof typeof notices, () => unknown>,
    receiving: {
      receive: async () => {
        await receiving.receive(scope, randomId(), incoming);
        await receiving.receive(scope, randomId(), { ...incoming, replyTo: randomId() });
      },
    } satisfies Record<keyof typeof receiving, () => unknown>,
    outgoing: {
      queue: async () => {
        const { last } = await people.reply(ref, randomId(), 'Hello again.');
        await outgoing.queue(account, ref.id, last!._id);
      },
      queueLink: () => outgoing.queueLink(account, ref.id),
      claim: () => outgoing.claim(30_000),
      end: () => outgoing.end({ id: op, claim: op }, 'postponed', 'Busy.'),
      bounce: () => outgoing.bounce(op, 'Gone.'),
    } satisfies Record<keyof typeof outgoing, () => unknown>,
    mailFiles: {
      raw: () => mailFiles.raw(ref, '').catch(() => {}),
      attachment: () => mailFiles.attachment(ref, randomId()).catch(() => {}),
      drop: () => mailFiles.drop(ref),
    } satisfies Record<keyof typeof mailFiles, () => unknown>,
    people: {
      addUserMessage: () => people.addUserMessage(ref, randomId(), 'Hello?'),
      reply: () => people.reply(ref, randomId(), 'Hello.'),
      revokeLink: () => people.revokeLink(ref),
      hasSaid: () => people.hasSaid(ref, randomId()),
      update: () => people.update(ref, randomId(), 'key', { status: 'closed', priority: 'high' }),
    } satisfies Record<keyof typeof people, () => unknown>,
    blocks: {
      block: async () => {
        await blocks.block(ticket);
        await blocks.block(chat);
      },
      find: () => blocks.find(ref, 'ann@example.com'),
      holdsFor: () => blocks.holdsFor(ref, ['ann@example.com']),
      reach: () => blocks.reach(ticket),
      unblock: () => blocks.unblock(ticket),
      drop: () => blocks.drop({ ...ref, assistant: randomId() }),
    } satisfies Record<keyof typeof blocks, () => unknown>,
    visitors: {
      chat: () => visitors.chat(visited),
      identify: () => visitors.identify(visited, { ...visitor, name: 'Ann' }),
      vote: () => visitors.vote(visited, { entry: answered._id, vote: 'up', reason: '' }),
    } satisfies Record<keyof typeof visitors, () => unknown>,
    pendingCreations: {
      open: () => pendingCreations.open(account, assistant, randomId(), newConversation),
    } satisfies Record<keyof typeof pendingCreations, () => unknown>,
    removal: {
      forget: () => removal.forget(account, randomId()),
      sweep: () => removal.sweep(account, randomId()),
      undo: () => removal.undo({ ...ticket, _id: randomId(), assistant: randomId() }),
      settle: () => removal.settle(account, ticket._id),
    } satisfies Record<keyof typeof removal, () => unknown>,
  };
  for (const [store, functions] of Object.entries(calls))
    for (const [name, call] of Object.entries(functions)) {
      const unscoped = (await unscopedCommands(client, call)).filter((command) => !QUEUE.test(command));
      expect({ store, name, unscoped }).toEqual({ store, name, unscoped: [] });
    }
});

/** How a worker finds its work and ends it, and how a reply or a bounce finds the mail, or the notice, that was sent. */
const QUEUE =
  /^(findAndModify \{("pending.due":true|"due":\{"\$exists":true\}),|update \{"_id":"[0-9a-f-]{36}","claim":|(find|update) \{"_id":"[0-9a-f-]{36}","(direction":"out"|topic":))/;
