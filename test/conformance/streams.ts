import { randomUUID } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Answer, must } from '../e2e/api.ts';
import { type Event, eventsIn } from '../e2e/events.ts';
import type { Chat, Reply } from '../e2e/resources.ts';
import { expectRefused } from './check.ts';
import { described } from './description.ts';
import { a, bare, baseUrl, mine, theirs } from './given.ts';
import { QUESTION } from './populated.ts';

const { api } = a;
const { ids } = mine;
const at = `/chatbot/${ids.chatbot}/reply`;

interface Sending {
  path?: string;
  body?: object;
  headers?: Record<string, string>;
}

const send = ({ path = at, body = { message: QUESTION }, headers = {} }: Sending = {}) =>
  fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      authorization: `Bearer ${a.key}`,
      'content-type': 'application/json',
      ...headers,
    },
    body: JSON.stringify(body),
  });

async function streamed(sending?: Sending) {
  const response = await send(sending);
  const text = await response.text();
  expect(response.headers.get('content-type')).toMatch(/^text\/event-stream\b/);
  const events = eventsIn(text);
  return { response, events, done: events.at(-1)!.data as Reply };
}

const refusal = async (sending: Sending): Promise<Answer<unknown>> => {
  const response = await send(sending);
  expect(response.headers.get('content-type')).toMatch(/^application\/json\b/);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: JSON.parse(text), text };
};

const textOf = (events: Event[]) => events.flatMap(({ event, data }) => (event === 'token' ? data.text : [])).join('');

describe('a streamed reply', () => {
  test('is its text, its sources before the first mark that needs them, and what JSON would have answered', async () => {
    const { response, events, done } = await streamed();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(null);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
    });
    expect(events.at(-1)!.event).toBe('done');
    let known: number[] = [];
    for (const { event, data } of events.slice(0, -1)) {
      expect(['token', 'sources']).toContain(event);
      if (event === 'sources') known = data.map(({ n }: { n: number }) => n);
      else for (const [, n] of data.text.matchAll(/\[(\d+)\]/g)) expect(known).toContain(Number(n));
    }
    const json = must(await api.post<Reply>(at, { message: QUESTION }));
    expect(done).toEqual({ ...json, id: done.id, session_id: done.session_id });
    const rest = done.message.slice(textOf(events).length);
    expect(done.message.startsWith(textOf(events))).toBe(true);
    expect(rest).toMatch(/^\n\n[^\n]*Sources[^\n]*\n\[1\] [^\n]*$/);
    expect(events.filter(({ event }) => event === 'sources').at(-1)!.data).toEqual(done.sources);
  });

  test('has the events that the description has', async () => {
    const description = await described(baseUrl);
    const { operation } = description.operations.find(({ path }) => path === '/chatbot/{id}/reply')!;
    const { content } = operation.responses['200'] as { content: Record<string, Record<string, unknown>> };
    const described200 = content['text/event-stream']!;
    expect(described200['x-parley-extension']).toBe(true);
    const { contentSchema } = described200['schema'] as { contentSchema: { $ref: string } };
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(description, 'api');
    const validate = ajv.compile({ $ref: `api${contentSchema.$ref}` });
    for (const event of (await streamed()).events)
      expect([event, validate(event), validate.errors]).toEqual([event, true, null]);
    expect(validate({ event: 'token', data: {} })).toBe(false);
  });

  test('is stored once, and continues a session', async () => {
    const first = (await streamed()).done;
    const { done } = await streamed({ body: { message: QUESTION, session_id: first.session_id } });
    expect([done.id, done.session_id]).toEqual([first.id, first.session_id]);
    const { conversation } = must(await api.get<Chat>(`/chatbot/${ids.chatbot}/chats/${done.id}`));
    expect(conversation.map(({ message }) => message)).toEqual([QUESTION, first.message, QUESTION, done.message]);
  });

  test('without evidence is text without sources', async () => {
    const bot = await a.chatbot();
    const { events, done } = await streamed({ path: `/chatbot/${bot.id}/reply` });
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(['token', 'done']));
    expect(done).toMatchObject({ message: textOf(events), sources: [], confidence: null });
  });

  test('is what a client prefers that names it first or alone; JSON is the default', async () => {
    const types: [accept: string, type: string][] = [
      ['text/event-stream', 'text/event-stream'],
      ['text/event-stream, application/json;q=0.5', 'text/event-stream'],
      ['application/json', 'application/json'],
      ['*/*', 'application/json'],
      ['application/json, text/event-stream;q=0.9', 'application/json'],
      ['text/event-stream;q=0, */*', 'application/json'],
    ];
    for (const [accept, type] of types) {
      const response = await send({ headers: { accept } });
      expect([accept, response.headers.get('content-type')!.split(';')[0]]).toEqual([accept, type]);
      await response.text();
    }
  });

  test('that is refused before its first event is refused as JSON is', async () => {
    expectRefused(await refusal({ headers: { authorization: 'Bearer x' } }), 401);
    expectRefused(await refusal({ body: {} }), 400, 'message');
    expectRefused(await refusal({ path: `/chatbot/${randomUUID()}/reply` }), 404, 'chatbot');
    expectRefused(await refusal({ path: `/chatbot/${theirs.ids.chatbot}/reply` }), 403);
    expectRefused(await refusal({ body: { message: 'x', session_id: randomUUID() } }), 404, 'session');
    const { done } = await streamed({ headers: { authorization: `Bearer ${bare}` } });
    must(await api.put(`/chatbot/${ids.chatbot}/chats/${done.id}/block`));
    expectRefused(await refusal({ body: { message: 'x', session_id: done.session_id } }), 403, 'block');
  });

  test('with an Idempotency-Key is repeated in either form', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const first = await streamed({ headers });
    expect(first.response.headers.get('idempotent-replayed')).toBe(null);
    const asJson = await api.post<Reply>(at, { message: QUESTION }, headers);
    expect([must(asJson), asJson.headers.get('idempotent-replayed')]).toEqual([first.done, 'true']);
    const again = await streamed({ headers });
    expect(again.response.headers.get('idempotent-replayed')).toBe('true');
    expect(again.events).toEqual([
      { event: 'sources', data: first.done.sources },
      { event: 'token', data: { text: textOf(first.events) } },
      { event: 'done', data: first.done },
    ]);
    const other = { 'idempotency-key': randomUUID() };
    const json = must(await api.post<Reply>(at, { message: QUESTION }, other));
    expect((await streamed({ headers: other })).done).toEqual(json);
  });
});
