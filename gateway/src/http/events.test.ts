import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { createMetrics, unavailable } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import { eventReader } from '../testing/event-stream.ts';
import { gate } from '../testing/gate.ts';
import { type World, world } from '../testing/world.ts';

const PAUSE_MS = 1_000;
const HEARTBEAT_MS = 30;
const metrics = createMetrics();
let w: World;
let id: string;
beforeAll(async () => {
  w = await world({ bodyMs: PAUSE_MS, heartbeatMs: HEARTBEAT_MS }, {}, { metrics });
  id = await chatbot(w);
});
afterAll(() => w.end());

const chatbot = async (at: World): Promise<string> => (await at.post('/chatbots', { title: 'Bot' })).body.data.id;

const PARTS = ['Yes', ' [1].', ' Also [2].'];
beforeEach(() => {
  Object.assign(w.assistants.state, {
    parts: PARTS,
    aborted: 0,
    beforePart: async () => {},
    beforeReply: async () => {},
  });
});

interface Asking {
  accept?: string;
  headers?: Record<string, string>;
  body?: unknown;
  signal?: AbortSignal;
  at?: World;
  to?: string;
}

const ask = ({ accept = 'text/event-stream', headers = {}, body = { message: 'Is it?' }, ...rest }: Asking = {}) => {
  const { at = w, to = id, signal } = rest;
  return fetch(`${at.base}/v1/chatbot/${to}/reply`, {
    method: 'POST',
    headers: { authorization: `Bearer ${at.account.key}`, 'content-type': 'application/json', accept, ...headers },
    body: JSON.stringify(body),
    signal: signal ?? null,
  });
};
const typeOf = (response: Response) => response.headers.get('content-type')!.split(';')[0];

const SOURCES = [
  { n: 1, title: 'Page', url: 'https://example.org/' },
  { n: 2, title: 'Question', url: null },
];

test('the events are those of the service, in its order, and end with what JSON would have had in data', async () => {
  const { data } = (await w.post(`/chatbot/${id}/reply`, { message: 'Is it?' })).body;
  const response = await ask();
  expect(response.status).toBe(200);
  expect(await eventReader(response).rest()).toEqual([
    { event: 'token', data: { text: 'Yes' } },
    { event: 'sources', data: SOURCES.slice(0, 1) },
    { event: 'token', data: { text: ' [1].' } },
    { event: 'sources', data: SOURCES },
    { event: 'token', data: { text: ' Also [2].' } },
    { event: 'done', data },
  ]);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    'x-request-id': expect.any(String),
    'x-content-type-options': 'nosniff',
    vary: 'Accept',
  });
  expect(response.headers.get('content-length')).toBeNull();
});

test.each([
  ['application/json', undefined],
  ['application/json', '*/*'],
  ['application/json', 'application/json'],
  ['application/json', 'application/*, text/event-stream;q=0.9'],
  ['application/json', 'text/event-stream;q=0.5, application/json'],
  ['application/json', 'application/json, text/event-stream'],
  ['application/json', 'application/json; charset=utf-8, text/event-stream;q=0.9'],
  ['application/json', 'text/event-stream;q=0'],
  ['application/json', 'text/event-stream;q=0, */*'],
  ['application/json', 'text/html, image/png'],
  ['application/json', 'text/html, */*;q=0.1'],
  ['application/json', 'nonsense'],
  ['text/event-stream', 'text/event-stream'],
  ['text/event-stream', 'TEXT/Event-Stream; charset=UTF-8'],
  ['text/event-stream', 'text/*'],
  ['text/event-stream', 'text/event-stream, */*'],
  ['text/event-stream', 'text/event-stream, application/json'],
  ['text/event-stream', 'text/event-stream, application/json;q=0.9'],
])('%s is what a client gets that accepts %s', async (type, accept) => {
  // `fetch` would send a header of its own.
  const answer = await w.raw(
    [
      `POST /v1/chatbot/${id}/reply HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json`,
      `Authorization: Bearer ${w.account.key}\r\nContent-Length: 17${accept ? `\r\nAccept: ${accept}` : ''}`,
      '\r\n{"message": "a?"}',
    ].join('\r\n'),
  );
  expect(answer).toMatch(/^HTTP\/1.1 200 /);
  expect(/^content-type: ([^;\r]*)/im.exec(answer)![1]).toBe(type);
});

test('a route that has no events answers with JSON', async () => {
  const answer = await w.get('/me', { headers: { accept: 'text/event-stream' } });
  expect([answer.status, answer.body.success]).toEqual([200, true]);
});

test('each event is sent at once, and comments while there is none', async () => {
  const held = gate();
  w.assistants.state.beforePart = async (part) => (part === 1 ? held.pass() : undefined);
  const response = await ask();
  const events = eventReader(response);
  expect(await events.next()).toEqual({ event: 'token', data: { text: 'Yes' } });
  await held.entered;
  const next = events.next();
  await until(() => events.comments() >= 3);
  held.open();
  expect(await next).toMatchObject({ event: 'sources' });
  expect((await events.rest()).at(-1)!.event).toBe('done');
});

test('what fails before the first event is answered with JSON and its status', async () => {
  const refusals = [
    await ask({ headers: { authorization: 'Bearer parley_no' } }),
    await ask({ body: { message: '' } }),
    await ask({ body: { message: 'a?', session_id: '' } }),
    await ask({ to: '00000000-0000-0000-0000-000000000000' }),
  ];
  w.assistants.state.beforeReply = () => Promise.reject(unavailable('The model is unavailable.'));
  refusals.push(await ask());
  expect(refusals.map(({ status }) => status)).toEqual([401, 400, 404, 404, 503]);
  expect(refusals.at(-1)!.headers.get('retry-after')).not.toBeNull();
  for (const refused of refusals) {
    expect(typeOf(refused)).toBe('application/json');
    expect(refused.headers.get('x-accel-buffering')).toBeNull();
    expect(await refused.json()).toEqual({ success: false, message: expect.stringMatching(/^\w.*\.$/) });
  }
});

test('what fails later ends the stream with an error, counts as failed, and is not stored for retries', async () => {
  const headers = { 'idempotency-key': 'fails late' };
  w.assistants.state.beforePart = async (part) => {
    if (part === 1) throw unavailable('The model is unavailable.');
  };
  const response = await ask({ headers });
  expect(response.status).toBe(200);
  expect(await eventReader(response).rest()).toEqual([
    { event: 'token', data: { text: 'Yes' } },
    { event: 'error', data: { message: 'The model is unavailable.' } },
  ]);
  const counted = /parley_http_seconds_count\{method="POST",route="\/v1\/chatbot\/:id\/reply",status="503"\} [1-9]/;
  await until(async () => counted.test((await metrics.scrape()).text));
  w.assistants.state.beforePart = async () => {};
  const again = await ask({ headers });
  expect(again.headers.get('idempotent-replayed')).toBeNull();
  expect((await eventReader(again).rest()).at(-1)!.event).toBe('done');
});

test('a fault of the service in the middle of a stream reveals nothing', async () => {
  w.assistants.state.beforePart = async (part) => {
    if (part === 1) throw new TypeError('password=hunter2');
  };
  expect((await eventReader(await ask()).rest()).at(-1)).toEqual({
    event: 'error',
    data: { message: 'Something went wrong on our side.' },
  });
});

test('a client that hangs up ends the wait on its behalf, and repeats the request to get the whole', async () => {
  const headers = { 'idempotency-key': 'hangs up' };
  const held = gate();
  w.assistants.state.beforePart = async (part) => (part === 1 ? held.pass() : undefined);
  const before = new Map(w.assistants.state.replies);
  const client = new AbortController();
  await eventReader(await ask({ headers, signal: client.signal })).next();
  client.abort();
  await until(() => w.assistants.state.aborted === 1);
  held.open();
  const events = await eventReader(await ask({ headers })).rest();
  expect(textOf(events)).toBe(PARTS.join(''));
  const asked = [...w.assistants.state.replies].filter(([operation]) => !before.has(operation));
  expect(asked).toEqual([[expect.any(String), 2]]);
});

const textOf = (events: { event: string; data: unknown }[]) =>
  events.map(({ event, data }) => (event === 'token' ? (data as { text: string }).text : '')).join('');

test('a client that stops reading slows the service down and is cut off; one that reads slowly gets everything', async () => {
  const MANY = 2_000;
  w.assistants.state.parts = Array.from({ length: MANY }, () => 'x'.repeat(16_384));
  let sent = 0;
  w.assistants.state.beforePart = async () => void sent++;
  const deaf = await ask();
  await until(() => w.assistants.state.aborted === 1, Boolean, 20 * PAUSE_MS);
  expect(sent).toBeLessThan(MANY);
  await expect(deaf.text()).rejects.toThrow();

  w.assistants.state.parts = w.assistants.state.parts.slice(0, 150);
  const slow = (await ask()).body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let chunk = await slow.read(); !chunk.done; chunk = await slow.read()) {
    text += chunk.value;
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
  expect(text.match(/^event: token$/gm)).toHaveLength(150);
  expect(text).toMatch(/^event: done$/m);
});

test('a gateway that stops lets a stream finish', async () => {
  const other = await world();
  const held = gate();
  other.assistants.state.beforePart = async (part) => (part === 1 ? held.pass() : undefined);
  const events = eventReader(await ask({ at: other, to: await chatbot(other) }));
  await events.next();
  await held.entered;
  const stopped = other.gateway.stop();
  await until(() =>
    other.get('/me').then(
      () => false,
      () => true,
    ),
  );
  held.open();
  expect((await events.rest()).at(-1)!.event).toBe('done');
  await stopped;
  await other.end();
});
