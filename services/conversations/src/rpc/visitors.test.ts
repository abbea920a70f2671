import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { Role, ThreadKind, VoteKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { addressesOf, MAX_VOTES } from '../domain/visitors.ts';
import { type Asked, answer, ask, call, conversations, entries, stored, threads } from '../testing/conversations.ts';
import { everythingOf } from '../testing/tickets.ts';

const blocked = { code: Code.PermissionDenied, rawMessage: expect.stringContaining('blocked') };
const unknown = { code: Code.NotFound };

const anonymous = () => ({ id: randomId() });
const verified = (userId: string, id = randomId()) => ({ id, userId, name: 'Ann', verified: true });

/** A visitor with an answered question. */
async function visit(
  visitor: { id: string; userId?: string } = anonymous(),
  place: { account?: string; assistant?: string } = {},
) {
  const { account, assistant } = place;
  const asked = await ask({ ...(account && { account }), ...(assistant && { assistant }), visitor });
  await answer(asked, 'Because.');
  return { ...asked, visitor };
}
type Visit = Awaited<ReturnType<typeof visit>>;

const as = ({ account }: Pick<Asked, 'account'>) => call({ account }).onward();
const at = ({ assistant, session }: Visit) => ({ chatbotId: assistant, sessionId: session });
const check = (v: Visit, visitor: object = v.visitor, sessionId = v.session) =>
  conversations.checkVisitor({ ...at(v), sessionId, visitor }, as(v));
const read = (v: Visit, visitorId = v.visitor.id) => conversations.getVisitorChat({ ...at(v), visitorId }, as(v));
const identify = (v: Visit, visitor: object) =>
  conversations.identifyVisitor({ ...at(v), visitor: { id: v.visitor.id, ...visitor } }, as(v));
const vote = (v: Visit, kind: VoteKind, more: object = {}) =>
  conversations.voteOnAnswer({ ...at(v), visitorId: v.visitor.id, messageId: '', kind, ...more }, as(v));
const again = (v: Visit, more: object = {}) => ask({ ...v, operation: randomId(), ...more });
const ref = (v: Visit) => ({ kind: ThreadKind.CHAT, assistantId: v.assistant, id: v.thread });
const block = (v: Visit) => conversations.blockThread({ thread: ref(v) }, as(v));
const unblock = (v: Visit) => conversations.unblockThread({ thread: ref(v) }, as(v));
const chats = async (v: Visit, filter: object = {}) => {
  const { items, total } = await conversations.listChats({ chatbotId: v.assistant, ...filter }, as(v));
  expect(total).toBe(items.length);
  return items.map(({ id }) => id);
};

test('a visitor goes on in their chat and reads it; to another visitor it does not exist', async () => {
  const v = await visit();
  const next = await again(v, { question: 'And?' });
  expect(next.thread).toBe(v.thread);
  await answer(next, 'So.');
  const { messages } = await read(v);
  expect(messages).toMatchObject([
    { id: v.operation, role: Role.USER, message: 'Why?', sources: [] },
    { role: Role.ASSISTANT, message: 'Because.', sources: [{ n: 1, title: 'T', url: 'https://t.example' }] },
    { id: next.operation, role: Role.USER, message: 'And?' },
    { role: Role.ASSISTANT, message: 'So.' },
  ]);
  const other = randomId();
  await expect(read(v, other)).rejects.toMatchObject(unknown);
  await expect(again(v, { visitor: { id: other } })).rejects.toMatchObject(unknown);
  await expect(check(v, { id: other })).rejects.toMatchObject(unknown);
  await expect(identify({ ...v, visitor: { id: other } }, {})).rejects.toMatchObject(unknown);
  await expect(vote({ ...v, visitor: { id: other } }, VoteKind.UP)).rejects.toMatchObject(unknown);
});

test('a chat that an API key began is no visitor’s', async () => {
  const asked = await ask();
  const v = { ...asked, visitor: anonymous() };
  await expect(read(v)).rejects.toMatchObject(unknown);
  await expect(again(v)).rejects.toMatchObject(unknown);
});

test('a long chat is shown from its end', async () => {
  const v = await visit();
  const text = 'é'.repeat(300_000);
  const rows = Array.from({ length: 6 }, (_, i) => ({
    _id: randomId(),
    thread: v.thread,
    account: v.account,
    n: i + 3,
    by: 'user' as const,
    text: `${i} ${text}`,
    in_reply_to: null,
    at: new Date(),
  }));
  await entries.insertMany(rows);
  await threads.updateOne({ _id: v.thread }, { $set: { n: 8 } });
  const { messages } = await read(v);
  expect(messages.map(({ message }) => message[0])).toEqual(['3', '4', '5']);
});

test('a block of a visitor holds for the session and for every other chat of the same visitor, and so does its end', async () => {
  const v = await visit();
  const second = await visit(v.visitor, v);
  const bystander = await visit(anonymous(), v);
  for (let i = 0; i < 2; i++) await block(v);
  const before = await everythingOf(v.account);
  for (const chat of [v, second]) {
    await expect(again(chat)).rejects.toMatchObject(blocked);
    await expect(check(chat)).rejects.toMatchObject(blocked);
    await expect(read(chat)).rejects.toMatchObject(blocked);
    await expect(vote(chat, VoteKind.UP)).rejects.toMatchObject(blocked);
    await expect(identify(chat, { name: 'Bob' })).rejects.toMatchObject(blocked);
  }
  await expect(ask({ ...v, session: '', operation: randomId() })).rejects.toMatchObject(blocked);
  await expect(check(v, v.visitor, '')).rejects.toMatchObject(blocked);
  // Who they are on the page makes no difference: the same visitor was blocked before.
  await expect(check(v, verified('u1', v.visitor.id), '')).rejects.toMatchObject(blocked);
  expect(await everythingOf(v.account)).toEqual(before);
  await again(bystander);
  for (let i = 0; i < 2; i++) await unblock(second);
  await again(v);
  await visit(v.visitor, v);
});

test('a block of a verified person holds for their id with any visitor, and for nobody who only claims it', async () => {
  const v = await visit(verified('u1'));
  const elsewhere = await visit(verified('u1'), v);
  await block(v);
  await expect(again(elsewhere)).rejects.toMatchObject(blocked);
  await expect(visit(verified('u1'), v)).rejects.toMatchObject(blocked);
  await expect(check(v, verified('u1'), '')).rejects.toMatchObject(blocked);
  await visit(verified('u2'), v);
  const claims = await visit({ id: randomId(), userId: 'u1' }, v);
  await expect(identify(claims, { userId: 'u1', verified: true })).rejects.toMatchObject(blocked);
  expect((await stored(claims.thread)).blocked_at).toEqual(expect.any(Date));
});

test('a block of a person reaches a chat whose visitor was blocked and let in again before they were known', async () => {
  const v = await visit();
  await block(v);
  await unblock(v);
  await identify(v, verified('u1', v.visitor.id));
  await again(v);
  await block(await visit(verified('u1'), v));
  await expect(again(v)).rejects.toMatchObject(blocked);
});

test('a block that is set while its visitor is being identified reaches the chat', async () => {
  for (let i = 0; i < 10; i++) {
    const v = await visit();
    await Promise.allSettled([block(v), identify(v, { userId: `u${i}`, verified: true })]);
    await expect(again(v)).rejects.toMatchObject(blocked);
  }
});

test('a block and a new chat of the same visitor at once leave no chat in which they can go on', async () => {
  for (let i = 0; i < 10; i++) {
    const v = await visit();
    const [, begun] = await Promise.allSettled([block(v), ask({ ...v, session: '', operation: randomId() })]);
    if (begun.status === 'fulfilled') await expect(again({ ...v, ...begun.value })).rejects.toMatchObject(blocked);
  }
});

test('a visitor may say who they are as often as they like, until the page vouches for them', async () => {
  const v = await visit();
  const visitor = async () => (await read(v)).chat!.visitor;
  await identify(v, { name: 'Bo', email: 'bo@example.com', userId: 'u1' });
  await identify(v, { name: 'Bob' });
  expect(await visitor()).toMatchObject({ id: v.visitor.id, name: 'Bob', email: '', userId: '', verified: false });
  for (let i = 0; i < 2; i++)
    expect(await identify(v, verified('u1', v.visitor.id))).toMatchObject({ samePerson: true });
  expect(await identify(v, { ...verified('u1', v.visitor.id), name: 'Anna' })).toMatchObject({ samePerson: true });
  expect(await identify(v, verified('u2', v.visitor.id))).toMatchObject({ samePerson: false });
  await expect(identify(v, { name: 'Eve' })).rejects.toMatchObject({ code: Code.FailedPrecondition });
  expect(await visitor()).toMatchObject({ name: 'Anna', userId: 'u1', verified: true });
});

test('an identity of the wrong form is refused, and names the field', async () => {
  const v = await visit();
  const wrong = { name: 'a\nb', email: 'nobody', userId: 'x'.repeat(201) };
  for (const [field, value] of Object.entries(wrong))
    await expect(identify(v, { [field]: value })).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringContaining(field === 'userId' ? 'user_id' : field),
    });
  await expect(identify(v, { verified: true })).rejects.toMatchObject({ code: Code.InvalidArgument });
});

test('the latest vote on an answer counts, and is shown with the chat', async () => {
  const v = await visit();
  const [, { id: messageId = '' } = {}] = (await read(v)).messages;
  await vote(v, VoteKind.UP, { messageId });
  for (let i = 0; i < 2; i++) await vote(v, VoteKind.DOWN, { messageId, reason: '$Too long' });
  const { chat } = await conversations.getChat({ chatbotId: v.assistant, id: v.thread }, as(v));
  expect(chat!.votes).toMatchObject([{ messageId, kind: VoteKind.DOWN, reason: '$Too long' }]);
});

test('only answers of one’s own chat can be voted on', async () => {
  const v = await visit();
  const other = await visit(anonymous(), v);
  const [, theirs] = (await read(other)).messages;
  for (const messageId of [randomId(), v.operation, theirs!.id, ''])
    await expect(vote(v, VoteKind.UP, { messageId })).rejects.toMatchObject(unknown);
  await expect(vote(v, 0, { messageId: theirs!.id })).rejects.toMatchObject({ code: Code.InvalidArgument });
  await expect(vote(v, 1, { messageId: theirs!.id, reason: 'x'.repeat(501) })).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
});

test('a chat has at most 100 votes, of which each can still be changed', async () => {
  const v = await visit();
  const [, { id: messageId = '' } = {}] = (await read(v)).messages;
  const votes = Array.from({ length: MAX_VOTES }, () => ({
    entry: randomId(),
    vote: 'up' as const,
    reason: '',
    at: new Date(),
  }));
  await threads.updateOne({ _id: v.thread }, { $set: { votes } });
  await expect(vote(v, VoteKind.UP, { messageId })).rejects.toMatchObject({ code: Code.FailedPrecondition });
  votes[7]!.entry = messageId;
  await threads.updateOne({ _id: v.thread }, { $set: { votes } });
  await vote(v, VoteKind.DOWN, { messageId });
  expect((await stored(v.thread)).votes).toHaveLength(MAX_VOTES);
});

test('chats are filtered by votes and by verified visitors, with exact totals at once', async () => {
  const v = await visit();
  const known = await visit(verified('u1'), v);
  const byKey = await ask({ account: v.account, assistant: v.assistant });
  const all = [byKey.thread, known.thread, v.thread];
  for (let i = 0; i < 2; i++) {
    expect(await chats(v)).toEqual(all);
    expect(await chats(v, { verified: true })).toEqual([known.thread]);
    expect(await chats(v, { verified: false })).toEqual([v.thread]);
    expect(await chats(v, { vote: VoteKind.UP })).toEqual([]);
  }
  const [, { id: messageId = '' } = {}] = (await read(v)).messages;
  await vote(v, VoteKind.UP, { messageId });
  expect(await chats(v, { vote: VoteKind.UP })).toEqual([v.thread]);
  await vote(v, VoteKind.DOWN, { messageId });
  expect(await chats(v, { vote: VoteKind.UP })).toEqual([]);
  expect(await chats(v, { vote: VoteKind.DOWN, verified: false })).toEqual([v.thread]);
  await identify(v, { userId: 'u2', verified: true });
  expect(await chats(v, { verified: true })).toEqual([known.thread, v.thread]);
  expect(await chats(v, { vote: VoteKind.DOWN, verified: false })).toEqual([]);
});

test('a verified id and a visitor’s id never meet', () => {
  const id = randomId();
  expect(addressesOf({ id: 'x', name: '', email: '', user_id: id, verified: true })).not.toContain(
    addressesOf({ id, name: '', email: '', user_id: '', verified: false })[0],
  );
});
