import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { CONVERSATIONS_TOPIC } from '@parley/runtime/bus';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { answer, ask, busOfTest, call, conversations, threads } from '../testing/conversations.ts';

const list = (account: string, chatbotId: string, more: object = {}) =>
  conversations.listChats({ chatbotId, ...more }, call({ account }).onward());

async function several(count: number) {
  const place = { account: randomId(), assistant: randomId() };
  const sessions: string[] = [];
  for (let i = 0; i < count; i++) sessions.push((await ask({ ...place, question: `q${i}` })).session);
  return { ...place, sessions };
}

test('chats are listed newest first, page by page, each once', async () => {
  const { account, assistant, sessions } = await several(5);
  const seen: string[] = [];
  for (let nextCursor = '', hasMore = true; hasMore; ) {
    const page = await list(account, assistant, { limit: 2, nextCursor });
    expect(page.total).toBe(5);
    seen.push(...page.items.map((chat) => chat.sessionId));
    ({ nextCursor, hasMore } = page);
  }
  expect(seen).toEqual(sessions.toReversed());
});

test('dates are exclusive, and the total counts the remaining chats', async () => {
  const { account, assistant } = await several(3);
  const { items } = await list(account, assistant);
  const middle = timestampFromDate(timestampDate(items[1]!.createdAt!));
  const [before, after] = [{ createdBefore: middle }, { createdAfter: middle }];
  expect((await list(account, assistant, before)).items.map((c) => c.id)).toEqual([items[2]!.id]);
  expect((await list(account, assistant, after)).items.map((c) => c.id)).toEqual([items[0]!.id]);
  expect(await list(account, assistant, { ...before, ...after })).toMatchObject({
    items: [],
    total: 0,
    hasMore: false,
  });
});

test('a chat is not visible to another account or under another chatbot', async () => {
  const { account, assistant } = await several(1);
  const id = (await list(account, assistant)).items[0]!.id;
  for (const [whose, chatbotId] of [
    [randomId(), assistant],
    [account, randomId()],
  ] as const) {
    expect((await list(whose, chatbotId)).total).toBe(0);
    await expect(conversations.getChat({ chatbotId, id }, call({ account: whose }).onward())).rejects.toMatchObject({
      code: Code.NotFound,
    });
  }
});

test('a chat has the time of its last message', async () => {
  const asked = await ask();
  const of = async () => (await list(asked.account, asked.assistant)).items[0]!;
  const asked_at = timestampDate((await of()).updatedAt!);
  await answer(asked, 'Because.');
  expect(timestampDate((await of()).updatedAt!).getTime()).toBeGreaterThan(asked_at.getTime());
});

test('the start of a chat, its questions and their answers are each published on the bus once', async () => {
  const events: string[] = [];
  const subscription = busOfTest().subscribe({
    topic: CONVERSATIONS_TOPIC,
    group: 'test',
    async handle({ value }) {
      const { entityId, payload } = fromBinary(EventSchema, value);
      events.push(`${entityId} ${payload.case}`);
    },
  });
  const asked = await ask();
  await answer(asked, 'a');
  await answer(await ask({ ...asked, operation: randomId(), question: 'And?' }), 'b');
  await until(async () => (await threads.countDocuments({ outbox_due: { $exists: true } })) === 0);
  const own = () => events.filter((event) => event.startsWith(asked.thread)).map((event) => event.split(' ')[1]);
  await until(async () => own().length >= 5);
  await subscription.close();
  expect(own()).toEqual(['chatStarted', 'chatMessageAdded', 'answerEnded', 'chatMessageAdded', 'answerEnded']);
});
