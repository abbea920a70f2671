import { fromBinary } from '@bufbuild/protobuf';
import { timestampDate } from '@bufbuild/protobuf/wkt';
import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import {
  ThreadPriority as Priority,
  ThreadStatus as Status,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { CONVERSATIONS_TOPIC } from '@parley/runtime/bus';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { busOfTest, conversations, stored } from '../testing/conversations.ts';
import { as, conversationOf, everythingOf, open } from '../testing/tickets.ts';

test('status and priority change in one write, with one entry and one event each, by the key that did it', async () => {
  const {
    account,
    assistantId,
    ref: thread,
    thread: { id },
  } = await open();
  const operation = randomId();
  for (let i = 0; i < 2; i++)
    await conversations.updateThread(
      { thread, status: Status.NEED_MORE_INFO, priority: Priority.URGENT },
      as(account, 'key-1')(operation),
    );
  expect(await stored(id)).toMatchObject({ status: 'need_more_info', priority: 'urgent', n: 3, pending: null });
  await conversations.updateThread({ thread, status: Status.NEED_MORE_INFO }, as(account, 'key-2')());
  await conversations.updateThread(
    { thread, priority: Priority.LOW, status: Status.NEED_MORE_INFO },
    as(account, 'key-3')(),
  );
  const { items, total } = await conversations.listChanges({ thread }, as(account)());
  expect(total).toBe(3);
  expect(items.map(({ at, $typeName, ...change }) => change)).toEqual([
    { by: 'key-3', field: 'priority', from: 'urgent', to: 'low' },
    { by: 'key-1', field: 'priority', from: 'medium', to: 'urgent' },
    { by: 'key-1', field: 'status', from: 'open', to: 'need_more_info' },
  ]);
  const times = items.map(({ at }) => timestampDate(at!).getTime());
  expect(times).toEqual(times.toSorted((a, b) => b - a));
  expect(await conversationOf({ account, ref: thread })).toEqual(['user: Why?']);
  const events = await eventsOf(id, 4);
  expect(events).toEqual([
    { case: 'ticketCreated', value: { ticketFormId: assistantId } },
    { case: 'threadStatusChanged', value: { assistantId, kind: 'ticket', from: 'open', to: 'need_more_info' } },
    { case: 'threadPriorityChanged', value: { assistantId, kind: 'ticket', from: 'medium', to: 'urgent' } },
    { case: 'threadPriorityChanged', value: { assistantId, kind: 'ticket', from: 'urgent', to: 'low' } },
  ]);
});

test('a priority set by hand leaves the answer to the AI; a status does not', async () => {
  const {
    account,
    ref: thread,
    thread: { id },
  } = await open();
  await conversations.updateThread({ thread, priority: Priority.HIGH }, as(account)());
  expect(await stored(id)).toMatchObject({ pending: { entry: expect.any(String) }, hold: null });
  await conversations.updateThread({ thread, status: Status.ASSIGNED }, as(account)());
  expect(await stored(id)).toMatchObject({ pending: null, hold: expect.any(Date) });
});

test('an update that says nothing, or an unknown value, is refused, and nothing is stored', async () => {
  const { account, ref: thread } = await open();
  const before = await everythingOf(account);
  for (const [field, wrong] of [
    ['status or priority', {}],
    ['status', { status: 6 as Status }],
    ['priority', { status: Status.CLOSED, priority: -1 as Priority }],
  ] as const)
    await expect(conversations.updateThread({ thread, ...wrong }, as(account)())).rejects.toMatchObject({
      code: Code.InvalidArgument,
      rawMessage: expect.stringMatching(new RegExp(`^${field} must`)),
    });
  expect(await everythingOf(account)).toEqual(before);
});

test('changes are listed newest first, page by page, each once', async () => {
  const { account, ref: thread } = await open();
  for (let i = 0; i < 5; i++)
    await conversations.updateThread({ thread, priority: [3, 1, 2, 4, 1][i] as Priority }, as(account)());
  const seen: string[] = [];
  for (let nextCursor = '', hasMore = true; hasMore; ) {
    const page = await conversations.listChanges({ thread, limit: 2, nextCursor }, as(account)());
    expect(page.total).toBe(5);
    seen.push(...page.items.map(({ to }) => to));
    ({ nextCursor, hasMore } = page);
  }
  expect(seen).toEqual(['low', 'urgent', 'medium', 'low', 'high']);
});

/** The events that were published about a thread, once there are that many. */
async function eventsOf(id: string, count: number) {
  const events: unknown[] = [];
  const subscription = busOfTest().subscribe({
    topic: CONVERSATIONS_TOPIC,
    group: randomId(),
    async handle({ value }) {
      const { entityId, payload } = fromBinary(EventSchema, value);
      const { $typeName, ...rest } = payload.value ?? { $typeName: '' };
      if (entityId === id) events.push({ case: payload.case, value: rest });
    },
  });
  await until(async () => events.length >= count);
  await subscription.close();
  return events;
}
