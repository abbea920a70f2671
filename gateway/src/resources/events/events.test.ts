import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { type EventReader, eventReader } from '../../testing/event-stream.ts';
import { type World, world } from '../../testing/world.ts';

const STREAMS = 4;
let w: World;
let key: string;
let account: string;
beforeAll(async () => {
  w = await world({ streamsAtOnce: STREAMS, heartbeatMs: 30 });
});
beforeEach(() => {
  account = randomId();
  key = `parley_${randomId()}`;
  w.auth.state.keys.set(key, { account, scopes: [Scope.ACCOUNT_WRITE] });
});
afterAll(() => w.end());

const get = async (query = '') => (await w.get(`/events${query}`, { key })).body;
const open = async (query = '', headers: Record<string, string> = {}) => {
  const ended = new AbortController();
  const response = await fetch(`${w.base}/v1/events${query}`, {
    headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream', ...headers },
    signal: ended.signal,
  });
  return { response, reader: eventReader(response), [Symbol.dispose]: () => ended.abort() };
};
const numbersOf = async (reader: EventReader, count: number) => {
  const numbers: number[] = [];
  while (numbers.length < count) numbers.push(((await reader.next())!.data as { number: number }).number);
  return numbers;
};

test('pages go on from each other, and from the end to what happens later', async () => {
  w.events.state.add(account, 'chat.begun', 'ticket.opened', 'key.created');
  const first = (await get('?limit=2')).data;
  expect(first.items.map(({ type }: { type: string }) => type)).toEqual(['chat.begun', 'ticket.opened']);
  expect(first).toMatchObject({ total: 3, has_more: true });
  const second = (await get(`?limit=2&next_cursor=${first.next_cursor}`)).data;
  expect(second).toMatchObject({ items: [{ number: 3 }], has_more: false, next_cursor: expect.any(String) });
  w.events.state.add(account, 'key.revoked');
  const third = (await get(`?next_cursor=${second.next_cursor}`)).data;
  expect(third).toMatchObject({ items: [{ number: 4, type: 'key.revoked' }], has_more: false });
});

test('a stream begins with what happens next, and has each event as it happens', async () => {
  w.events.state.add(account, 'chat.begun');
  using stream = await open();
  expect(stream.response.headers.get('content-type')).toMatch(/^text\/event-stream/);
  expect(await stream.reader.next()).toEqual({ event: 'ready', data: {}, id: '1' });
  w.events.state.add(account, 'ticket.opened', 'key.created');
  expect(await stream.reader.next()).toMatchObject({
    event: 'event',
    id: '2',
    data: { type: 'ticket.opened', number: 2 },
  });
  expect(await numbersOf(stream.reader, 1)).toEqual([3]);
});

test('a stream goes on after the last event that its client got, or after a cursor', async () => {
  w.events.state.add(account, 'chat.begun', 'ticket.opened', 'key.created');
  const { next_cursor } = (await get('?limit=1')).data;
  for (const from of [() => open('', { 'last-event-id': '1' }), () => open(`?next_cursor=${next_cursor}`)]) {
    using stream = await from();
    expect(await stream.reader.next()).toEqual({ event: 'ready', data: {}, id: '1' });
    expect(await numbersOf(stream.reader, 2)).toEqual([2, 3]);
  }
  // What was never given is refused as JSON.
  for (const id of ['-1', 'x', '1e3', '12345678901']) {
    using refused = await open('', { 'last-event-id': id });
    expect([refused.response.status, await refused.response.json()]).toMatchObject([400, { success: false }]);
  }
});

test('a stream ends when its key is revoked', async () => {
  using stream = await open();
  await stream.reader.next();
  w.auth.state.keys.delete(key);
  // Once the key that is cached is out of date.
  const [end] = (await stream.reader.rest()).slice(-1);
  expect(end).toEqual({ event: 'error', data: { message: 'This API key is not valid.' } });
}, 60_000);

test('an account may have half of the streams that a gateway has', async () => {
  using one = await open();
  {
    using two = await open();
    await Promise.all([one, two].map(({ reader }) => reader.next()));
    using refused = await open();
    expect(refused.response.status).toBe(429);
    expect(refused.response.headers.get('retry-after')).toBe('5');
  }
  await until(async () => {
    using again = await open();
    return again.response.status === 200;
  });
});

test('a stream is kept alive with comments, and ends with `done` when it has lasted long enough', async () => {
  const short = await world({ streamMs: 200, heartbeatMs: 30 });
  try {
    const response = await fetch(`${short.base}/v1/events`, {
      headers: { authorization: `Bearer ${short.account.key}`, accept: 'text/event-stream' },
    });
    const reader = eventReader(response);
    const events = await reader.rest();
    expect(events.map(({ event }) => event)).toEqual(['ready', 'done']);
    expect(events[1]!.data).toEqual({ items: [], total: 0, has_more: false, next_cursor: expect.any(String) });
    expect(reader.comments()).toBeGreaterThan(0);
  } finally {
    await short.end();
  }
});
