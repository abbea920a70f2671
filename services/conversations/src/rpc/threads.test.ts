import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import {
  ThreadPriority as Priority,
  ThreadStatus as Status,
  ThreadKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { MAX_BYTES, MESSAGE_BYTES } from '../domain/limits.ts';
import { conversations, session, startConversations, stored, threads } from '../testing/conversations.ts';
import { as, conversationOf, everythingOf, open, type Ref } from '../testing/tickets.ts';

const { TICKET, EMAIL, CHAT } = ThreadKind;

test.each([
  ['ticket', TICKET, ''],
  ['email', EMAIL, 'Help'],
])(
  'a new %s is open, of medium priority, and begins with its message, which waits for an answer',
  async (_, kind, subject) => {
    const { thread, account, operation, ref } = await open({ kind, subject, fromEmail: 'Ann@Example.com' });
    expect(thread).toMatchObject({ kind, status: Status.OPEN, priority: Priority.MEDIUM, subject });
    expect(thread).toMatchObject({ fromEmail: 'Ann@Example.com', fromName: 'Ann' });
    expect(await conversationOf({ account, ref })).toEqual(['user: Why?']);
    expect(await stored(thread.id)).toMatchObject({ pending: { entry: operation }, n: 1, questions: 1 });
    const { thread: read } = await conversations.getThread({ thread: ref }, as(account)());
    expect(read).toEqual(thread);
  },
);

test('a ticket has no subject', async () => {
  expect((await open({ subject: 'Help' })).thread.subject).toBe('');
});

test('the same operation opens one thread, on two replicas at once and later; for another assistant it is refused', async () => {
  const [account, assistantId, operation] = [randomId(), randomId(), randomId()];
  const replica = await startConversations();
  const place = { account, assistantId, operation };
  const both = await Promise.all([open(place), open({ ...place, replica }), open({ ...place, replica })]);
  const again = await open(place);
  expect(new Set([...both, again].map(({ thread }) => thread.id)).size).toBe(1);
  expect(await threads.countDocuments({ account })).toBe(1);
  await expect(open({ ...place, assistantId: randomId() })).rejects.toMatchObject({ code: Code.AlreadyExists });
  await expect(open({ ...place, kind: EMAIL })).rejects.toMatchObject({ code: Code.AlreadyExists });
});

test.each([
  ['kind', { kind: ThreadKind.UNSPECIFIED }],
  ['kind', { kind: CHAT }],
  ['kind', { kind: 9 as ThreadKind }],
  ['assistant_id', { assistantId: 'x' }],
  ['email', { fromEmail: '' }],
  ['email', { fromEmail: 'ann' }],
  ['email', { fromEmail: `a@${'b.'.repeat(200)}com` }],
  ['name', { fromName: 'n'.repeat(201) }],
  ['name', { fromName: 'Ann\r\nBcc: x' }],
  ['subject', { kind: EMAIL, subject: 's'.repeat(999) }],
  ['subject', { kind: EMAIL, subject: 'a\nb' }],
  ['message', { message: '' }],
  ['message', { message: ' \n' }],
  ['message', { message: '🙂'.repeat(10_001) }],
])('newConversation with a wrong %s is refused by its name, and nothing is stored (case %#)', async (field, fields) => {
  const account = randomId();
  await expect(open({ account, ...fields })).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringMatching(new RegExp(`^${field} .*\\.$`)),
  });
  expect(Object.values(await everythingOf(account)).flat()).toEqual([]);
});

test('the longest name, subject and message are stored as sent', async () => {
  const fields = { fromName: '🙂'.repeat(200), subject: '🙂'.repeat(998), message: '🙂'.repeat(10_000) };
  const opened = await open({ kind: EMAIL, ...fields });
  expect(opened.thread).toMatchObject({ fromName: fields.fromName, subject: fields.subject });
  expect(await conversationOf(opened)).toEqual([`user: ${fields.message}`]);
});

test('every call that names a thread finds it only in its account, under its assistant and kind', async () => {
  const { account, ref, assistantId } = await open();
  const calls = (thread: Ref, options: ReturnType<ReturnType<typeof as>>) => ({
    get: conversations.getThread({ thread }, options),
    say: conversations.addUserMessage({ thread, message: 'And?' }, options),
    update: conversations.updateThread({ thread, status: Status.CLOSED }, options),
    reply: conversations.replyToThread({ thread, message: 'So.' }, options),
    changes: conversations.listChanges({ thread }, options),
    block: conversations.blockThread({ thread }, options),
    unblock: conversations.unblockThread({ thread }, options),
    evidence: conversations.listEvidence({ thread }, options),
  });
  const before = await everythingOf(account);
  for (const [what, thread, whose] of [
    ['ticket', ref, randomId()],
    ['ticket', { ...ref, assistantId: randomId() }, account],
    ['ticket', { ...ref, id: randomId() }, account],
    ['email', { ...ref, kind: EMAIL }, account],
  ] as const)
    for (const [name, result] of Object.entries(calls(thread, as(whose)())))
      await expect(result.then(() => name)).rejects.toMatchObject({
        code: Code.NotFound,
        rawMessage: `There is no such ${what}.`,
      });
  for (const wrong of [undefined, { ...ref, kind: ThreadKind.UNSPECIFIED }])
    for (const result of Object.values(calls(wrong as Ref, as(account)())))
      await expect(result).rejects.toMatchObject({ code: Code.InvalidArgument });
  expect(await everythingOf(account)).toEqual(before);
  expect((await conversations.listThreads({ kind: TICKET, assistantId }, as(randomId())())).total).toBe(0);
});

test('what only tickets and emails have is not found in a chat', async () => {
  const place = await session();
  const thread = { kind: CHAT, assistantId: place.assistant, id: place.thread };
  const before = await everythingOf(place.account);
  const options = as(place.account)();
  for (const refused of [
    conversations.addUserMessage({ thread, message: 'And?' }, options),
    conversations.replyToThread({ thread, message: 'So.' }, options),
    conversations.updateThread({ thread, status: Status.CLOSED }, options),
    conversations.listChanges({ thread }, options),
  ])
    await expect(refused).rejects.toMatchObject({
      code: Code.NotFound,
      rawMessage: 'There is no such ticket or email.',
    });
  expect(await everythingOf(place.account)).toEqual(before);
});

test('messages of the user, the owner and a persona are the conversation, each stored once', async () => {
  const { account, ref: thread, ...opened } = await open();
  const [said, replied] = [randomId(), randomId()];
  const persona = { id: randomId(), name: 'Support', imageUrl: 'https://t.example/p.png' };
  for (let i = 0; i < 2; i++) {
    await conversations.addUserMessage({ thread, message: 'Hello?' }, as(account)(said));
    await conversations.replyToThread({ thread, message: 'Hello.', persona }, as(account)(replied));
  }
  await conversations.replyToThread({ thread, message: 'Bye.' }, as(account)());
  expect(await conversationOf({ account, ref: thread })).toEqual([
    'user: Why?',
    'user: Hello?',
    'assistant: Hello.',
    'assistant: Bye.',
  ]);
  const last = await stored(opened.thread.id);
  expect(last).toMatchObject({ n: 4, pending: null, hold: expect.any(Date), last: { by: 'owner' } });
  const byPersona = (await everythingOf(account)).entries.filter(({ by }) => by === 'persona');
  expect(byPersona).toHaveLength(1);
  expect(byPersona[0]).toMatchObject({ persona: { id: persona.id, name: 'Support', image_url: persona.imageUrl } });
});

test('a reply that may only be a repeat stores nothing new', async () => {
  const { account, ref: thread } = await open();
  const operation = randomId();
  const repeat = (op: string) =>
    conversations.replyToThread({ thread, message: 'So.', onlyRepeat: true }, as(account)(op));
  await expect(repeat(operation)).rejects.toMatchObject({ code: Code.NotFound });
  await conversations.replyToThread({ thread, message: 'So.' }, as(account)(operation));
  await conversations.addUserMessage({ thread, message: 'Thanks.' }, as(account)());
  await repeat(operation);
  await expect(repeat(randomId())).rejects.toMatchObject({ code: Code.NotFound });
  expect(await conversationOf({ account, ref: thread })).toEqual(['user: Why?', 'assistant: So.', 'user: Thanks.']);
});

test('a blank or overlong message, a full conversation and a wrong persona are refused, and nothing is stored', async () => {
  const { account, ref: thread } = await open();
  const full = await open({ account });
  await threads.updateOne({ _id: full.thread.id }, { $set: { bytes: MAX_BYTES } });
  const before = await everythingOf(account);
  const options = as(account)();
  for (const message of ['', ' ', 'm'.repeat(10_001)])
    for (const refused of [
      conversations.addUserMessage({ thread, message }, options),
      conversations.replyToThread({ thread, message }, options),
    ])
      await expect(refused).rejects.toMatchObject({
        code: Code.InvalidArgument,
        rawMessage: expect.stringMatching(/^message /),
      });
  for (const persona of [
    { id: '', name: 'x' },
    { id: 'x', name: ' ' },
    { id: 'x', name: 'x', imageUrl: 'u'.repeat(2_049) },
  ])
    await expect(conversations.replyToThread({ thread, message: 'm', persona }, options)).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringMatching(/^persona\./),
    });
  for (const refused of [
    conversations.addUserMessage({ thread: full.ref, message: 'm' }, options),
    conversations.replyToThread({ thread: full.ref, message: 'm' }, options),
  ])
    await expect(refused).rejects.toMatchObject({ code: Code.FailedPrecondition });
  expect(await everythingOf(account)).toEqual(before);
});

test('a conversation of very many short messages still fits into one response', async () => {
  const { account, ref, thread } = await open();
  await conversations.addUserMessage({ thread: ref, message: 'x' }, as(account)());
  // Each counts for more than its text.
  expect((await stored(thread.id)).bytes).toBe(2 * MESSAGE_BYTES + 'Why?'.length + 1);
});

test('tickets are listed newest first, by status and exclusive dates, with the total of what matches', async () => {
  const [account, assistantId] = [randomId(), randomId()];
  const all = [];
  for (let i = 0; i < 4; i++) all.push(await open({ account, assistantId, fromName: `${i}` }));
  await open({ account, assistantId, kind: EMAIL });
  const [, second, third] = all as [(typeof all)[0], (typeof all)[0], (typeof all)[0]];
  await conversations.updateThread({ thread: second.ref, status: Status.CLOSED }, as(account)());
  await conversations.updateThread({ thread: third.ref, status: Status.RESOLVED }, as(account)());
  const list = async (more: object) => {
    const page = await conversations.listThreads({ kind: TICKET, assistantId, ...more }, as(account)());
    return { names: page.items.map(({ fromName }) => fromName), total: page.total };
  };
  expect(await list({})).toEqual({ names: ['3', '2', '1', '0'], total: 4 });
  expect(await list({ statuses: [Status.CLOSED, Status.RESOLVED, Status.CLOSED] })).toEqual({
    names: ['2', '1'],
    total: 2,
  });
  expect(await list({ statuses: [Status.ASSIGNED] })).toEqual({ names: [], total: 0 });
  const [createdAfter, createdBefore] = [second.thread.createdAt, all[3]!.thread.createdAt];
  expect(await list({ createdAfter, createdBefore })).toEqual({ names: ['2'], total: 1 });
  expect(await list({ createdAfter, statuses: [Status.OPEN], limit: 1 })).toEqual({ names: ['3'], total: 1 });
  for (const statuses of [[0], [6]])
    await expect(list({ statuses })).rejects.toMatchObject({ code: Code.InvalidArgument });
});
