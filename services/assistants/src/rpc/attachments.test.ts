import { create, toBinary } from '@bufbuild/protobuf';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { KNOWLEDGE_TOPIC } from '@parley/runtime/bus';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import {
  assistantDocs,
  assistants,
  attach,
  attached,
  bus,
  busOf,
  call,
  knowledge,
  knowledgeClient,
  shop,
  store,
} from '../testing/assistants.ts';
import { attachKnowledge } from './attach-knowledge.ts';

const kind = AssistantKind.CHATBOT;
const detach = (account: string, assistantId: string, knowledgeId: string, operation = randomId()) =>
  assistants.detachKnowledge({ kind, assistantId, knowledgeId }, call({ account, operation }).onward());
const stored = async (id: string) => (await assistantDocs.findOne({ _id: id }))!.knowledge.map(({ item }) => item);

test('attaching is idempotent', async () => {
  const { account, chatbot, item } = await shop();
  await Promise.all([attach(account, chatbot.publicId, item), attach(account, chatbot.id, item)]);
  expect(await attached(account, chatbot.id)).toEqual([item]);
});

test('a list of assistants reads nothing of what is attached to them, which may be sixty megabytes', async () => {
  const { account, chatbot } = await shop();
  const [listed] = await store.list(account, 'chatbot');
  expect(listed).toMatchObject({ _id: chatbot.id });
  expect(listed).not.toHaveProperty('knowledge');
});

test('an item that was never trained, is unknown or belongs to another account is refused, and nothing is attached', async () => {
  const { account, chatbot, item } = await shop();
  const refusals = [
    [knowledge.add(account, { live: false }), Code.FailedPrecondition, 'Train it first'],
    [randomId(), Code.NotFound, 'no such knowledge item'],
    [knowledge.add(randomId()), Code.PermissionDenied, 'another account'],
  ] as const;
  for (const [id, code, words] of refusals)
    await expect(attach(account, chatbot.id, id)).rejects.toMatchObject({
      code,
      rawMessage: expect.stringContaining(words),
    });
  expect(await stored(chatbot.id)).toEqual([item]);
});

test("another account can't attach to, read or detach from a chatbot", async () => {
  const { chatbot, item } = await shop();
  const thief = randomId();
  for (const attempt of [
    () => attach(thief, chatbot.id, knowledge.add(thief)),
    () => attached(thief, chatbot.id),
    () => detach(thief, chatbot.id, item),
  ])
    await expect(attempt()).rejects.toMatchObject({ code: Code.PermissionDenied });
  expect(await stored(chatbot.id)).toEqual([item]);
});

test("an item that is not attached can't be detached, but detaching is idempotent for its operation", async () => {
  const { account, chatbot, item } = await shop();
  const operation = randomId();
  await detach(account, chatbot.id, item.toUpperCase(), operation);
  await detach(account, chatbot.id, item, operation);
  expect(await stored(chatbot.id)).toEqual([]);
  await expect(detach(account, chatbot.id, item)).rejects.toMatchObject({ code: Code.NotFound });
});

test('attached items are listed newest first, page by page; those that no longer exist are not counted', async () => {
  const { account, chatbot, item } = await shop();
  const items = [item];
  for (let i = 0; i < 4; i++) {
    items.push(knowledge.add(account));
    await attach(account, chatbot.id, items.at(-1)!);
  }
  knowledge.remove(items[2]!);
  const seen: string[] = [];
  for (let nextCursor = '', hasMore = true; hasMore; ) {
    const page = await assistants.listAttachedKnowledge(
      { kind, assistantId: chatbot.id, limit: 3, nextCursor },
      call({ account }).onward(),
    );
    expect(page.total).toBe(4);
    seen.push(...page.items.map(({ id }) => id));
    ({ nextCursor, hasMore } = page);
  }
  expect(seen).toEqual([items[4], items[3], items[1], items[0]]);
});

test('an assistant can have 1,000 attached items and no more', async () => {
  const { account, chatbot, item } = await shop();
  const full = Array.from({ length: 1_000 }, () => ({ item: randomId(), at: new Date() }));
  await assistantDocs.updateOne({ _id: chatbot.id }, { $set: { knowledge: full } });
  await expect(attach(account, chatbot.id, item)).rejects.toMatchObject({
    code: Code.InvalidArgument,
    rawMessage: expect.stringContaining('1000'),
  });
});

const deleted = (accountId: string, entityId: string, of = busOf('knowledge'), id = randomId()) => {
  const event = create(EventSchema, { id, accountId, entityId, payload: { case: 'knowledgeItemDeleted', value: {} } });
  return of.publish(KNOWLEDGE_TOPIC, [{ key: entityId, id, value: toBinary(EventSchema, event) }]);
};

test('a deleted item is detached everywhere in its account, and nowhere else', async () => {
  const [one, other] = [await shop(), await shop()];
  const { chatbot: second } = await assistants.createChatbot(
    { title: 'Second' },
    call({ account: one.account }).onward(),
  );
  await attach(one.account, second!.id, one.item);
  knowledge.remove(one.item);
  await deleted(one.account, one.item);
  for (const id of [one.chatbot.id, second!.id]) await until(async () => (await stored(id)).length === 0);
  expect(await stored(other.chatbot.id)).toEqual([other.item]);
});

test('a deletion that is forged, contradicted by its owner, or of another account detaches nothing', async () => {
  const { account, chatbot, item } = await shop();
  const dead = new Map<string, string>();
  const subscription = bus.subscribe({
    topic: `${KNOWLEDGE_TOPIC}.dead`,
    group: randomId(),
    handle: async ({ id, headers }) => void dead.set(id, headers['parley-dead-reason']!),
  });
  await deleted(account, item, bus, 'forged');
  await deleted(account, item, busOf('knowledge'), 'contradicted');
  await until(() => dead.has('forged') && dead.has('contradicted'));
  await subscription.close();
  expect(dead.get('forged')).toBe('The message is not signed by knowledge.');
  expect(dead.get('contradicted')).toBe('The knowledge service still has this item.');
  const mallory = randomId();
  await deleted(mallory, item);
  await until(() => store.isDeleted(mallory, item));
  expect(await store.isDeleted(account, item)).toBe(false);
  expect(await stored(chatbot.id)).toEqual([item]);
});

test('an item deleted while it is being attached leaves no attachment', async () => {
  const { account, chatbot } = await shop();
  const item = knowledge.add(account);
  // The event is handled after the knowledge service has confirmed the item, and before the attachment is stored.
  const overtaken: typeof store = {
    ...store,
    async attach(...attachment) {
      await store.forgetItem(account, item);
      await store.attach(...attachment);
    },
  };
  const handler = attachKnowledge({ store: overtaken, knowledge: knowledgeClient });
  const request = { kind, assistantId: chatbot.id, knowledgeId: item } as Parameters<typeof handler>[0];
  await expect(handler(request, call({ account }, undefined, 'assistants'))).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await stored(chatbot.id)).not.toContain(item);
});
