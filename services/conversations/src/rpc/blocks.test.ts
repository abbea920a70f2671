import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { ThreadKind, ThreadStatus } from '@parley/proto/conversations/v1/conversations_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { answer, ask, conversations, session, stored } from '../testing/conversations.ts';
import { as, conversationOf, everythingOf, type Opened, open } from '../testing/tickets.ts';

const refused = { code: Code.PermissionDenied, rawMessage: 'This conversation is blocked.' };

const block = ({ account, ref: thread }: Pick<Opened, 'account' | 'ref'>) =>
  conversations.blockThread({ thread }, as(account)());
const unblock = ({ account, ref: thread }: Pick<Opened, 'account' | 'ref'>) =>
  conversations.unblockThread({ thread }, as(account)());
const say = ({ account, ref: thread }: Pick<Opened, 'account' | 'ref'>) =>
  conversations.addUserMessage({ thread, message: 'And?' }, as(account)());

test.each([ThreadKind.TICKET, ThreadKind.EMAIL])(
  'blocking one thread blocks its address for that assistant, whatever the case: nothing is said or opened, no answer is pending (kind %s)',
  async (kind) => {
    const place = { account: randomId(), assistantId: randomId(), kind };
    const [first, second] = [await open(place), await open({ ...place, fromEmail: 'ANN@Example.com' })];
    const other = await open({ ...place, fromEmail: 'bob@example.com' });
    for (let i = 0; i < 2; i++) await block(first);
    const before = await everythingOf(place.account);
    await expect(say(first)).rejects.toMatchObject(refused);
    await expect(say(second)).rejects.toMatchObject(refused);
    await expect(open({ ...place, fromEmail: 'Ann@example.COM' })).rejects.toMatchObject(refused);
    expect(await everythingOf(place.account)).toEqual(before);
    for (const { thread } of [first, second]) expect(await stored(thread.id)).toMatchObject({ pending: null });

    await say(other);
    const elsewhere = [{ assistantId: randomId() }, { account: randomId() }, { kind: (5 - kind) as typeof kind }];
    for (const more of elsewhere) await open({ ...place, ...more });
  },
);

test('unblocking any thread of the address lifts the block everywhere, and is idempotent', async () => {
  const place = { account: randomId(), assistantId: randomId() };
  const [first, second] = [await open(place), await open(place)];
  await unblock(first);
  await block(first);
  for (let i = 0; i < 2; i++) await unblock(second);
  await say(first);
  await say(second);
  await open(place);
  await block(second);
  await expect(say(first)).rejects.toMatchObject(refused);
});

test('an operation that was done before the block still succeeds when it is retried', async () => {
  const operation = randomId();
  const opened = await open({ operation });
  const { account, assistantId, ref: thread } = opened;
  const said = randomId();
  await conversations.addUserMessage({ thread, message: 'And?' }, as(account)(said));
  await block(opened);
  expect((await open({ account, assistantId, operation })).thread.id).toBe(thread.id);
  await conversations.addUserMessage({ thread, message: 'And?' }, as(account)(said));
  expect(await conversationOf(opened)).toEqual(['user: Why?', 'user: And?']);
});

test('the owner still replies to and changes a blocked thread', async () => {
  const opened = await open();
  const { account, ref: thread } = opened;
  await block(opened);
  await conversations.replyToThread({ thread, message: 'So.' }, as(account)());
  await conversations.updateThread({ thread, status: ThreadStatus.CLOSED }, as(account)());
  expect(await conversationOf(opened)).toEqual(['user: Why?', 'assistant: So.']);
  expect(await stored(thread.id)).toMatchObject({ blocked_at: expect.any(Date), status: 'closed' });
});

test('a blocked chat refuses questions and the answer in progress; other chats go on, and it does once it is unblocked', async () => {
  const place = await session();
  const chat = {
    account: place.account,
    ref: { kind: ThreadKind.CHAT, assistantId: place.assistant, id: place.thread },
  };
  const asked = await ask({ ...place, question: 'q1' });
  const waits = expect(ask({ ...place, question: 'q2', timeoutMs: 20_000 })).rejects.toMatchObject(refused);
  for (let i = 0; i < 2; i++) await block(chat);
  await waits;
  await expect(answer(asked, 'Late.')).rejects.toMatchObject({ code: Code.Aborted });
  const before = await everythingOf(place.account);
  await expect(ask({ ...place, question: 'q3' })).rejects.toMatchObject(refused);
  expect(await everythingOf(place.account)).toEqual(before);
  expect(before.blocks).toEqual([]);
  await ask({ account: place.account, assistant: place.assistant });
  for (let i = 0; i < 2; i++) await unblock(chat);
  expect((await ask({ ...place, question: 'q4' })).claim).toBeDefined();
});
