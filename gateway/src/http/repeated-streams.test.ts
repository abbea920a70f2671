import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { deriveId, randomId } from '@parley/runtime/rpc';
import { type Document, MongoClient } from 'mongodb';
import { idempotencyStore } from '../store/idempotency-store.ts';
import { eventReader } from '../testing/event-stream.ts';
import { gate } from '../testing/gate.ts';
import { type World, world } from '../testing/world.ts';

let w: World;
let id: string;
let mongo: MongoClient;
beforeAll(async () => {
  w = await world();
  id = (await w.post('/chatbots', { title: 'Bot' })).body.data.id;
  mongo = new MongoClient(w.config.mongodb.uri);
});
afterAll(async () => {
  await mongo.close();
  await w.end();
});
beforeEach(() => {
  w.assistants.state.replies.clear();
  w.assistants.state.beforePart = async () => {};
});

const records = () => mongo.db(w.config.mongodb.database).collection<Document & { _id: string }>('idempotency');

const json = (key: string, message = 'Is it?') =>
  w.post(`/chatbot/${id}/reply`, { message }, { headers: { 'idempotency-key': key } });

async function stream(key: string, message = 'Is it?') {
  const { account, base } = w;
  const response = await fetch(`${base}/v1/chatbot/${id}/reply`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'idempotency-key': key,
    },
    body: JSON.stringify({ message }),
  });
  return { response, replayed: response.headers.get('idempotent-replayed'), events: eventReader(response) };
}

/** How often the service was asked, by operation. */
const asked = () => [...w.assistants.state.replies.values()];

const SOURCES = [
  { n: 1, title: 'Page', url: 'https://example.org/' },
  { n: 2, title: 'Question', url: null },
];
const replayOf = (data: unknown) => [
  { event: 'sources', data: SOURCES },
  { event: 'token', data: { text: 'Yes [1]. Also [2].' } },
  { event: 'done', data },
];

test('a finished stream is repeated in either form, and asks once', async () => {
  const first = await stream('streamed');
  const done = (await first.events.rest()).at(-1)!;
  expect([first.replayed, done.event]).toEqual([null, 'done']);
  const again = await stream('streamed');
  expect(again.replayed).toBe('true');
  expect(again.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  expect(again.response.headers.get('content-length')).toBeNull();
  expect(await again.events.rest()).toEqual(replayOf(done.data));
  const asJson = await json('streamed');
  expect([asJson.status, asJson.headers.get('idempotent-replayed')]).toEqual([200, 'true']);
  expect(asJson.body).toEqual({ success: true, data: done.data });
  expect(asked()).toEqual([1]);
});

test('a JSON response is repeated as a stream', async () => {
  const { data } = (await json('json')).body;
  const again = await stream('json');
  expect([again.replayed, await again.events.rest()]).toEqual(['true', replayOf(data)]);
  expect(asked()).toEqual([1]);
});

test('a refusal is repeated as JSON, and a key that was used for another question is refused', async () => {
  for (const replayed of [null, 'true']) {
    const { response } = await stream('refused', ' ');
    expect([response.status, response.headers.get('idempotent-replayed')]).toEqual([400, replayed]);
    expect(await response.json()).toEqual({ success: false, message: 'message must not be blank.' });
  }
  expect((await stream('refused', 'Other?')).response.status).toBe(409);
});

test('a concurrent repetition waits for the stream, and gets its outcome', async () => {
  const held = gate();
  w.assistants.state.beforePart = async (part) => (part === 1 ? held.pass() : undefined);
  const first = await stream('concurrent');
  await first.events.next();
  await held.entered;
  const others = [stream('concurrent'), json('concurrent')] as const;
  held.open();
  const { data } = (await first.events.rest()).at(-1)!;
  const [streamed, asJson] = await Promise.all(others);
  expect([streamed.replayed, await streamed.events.rest()]).toEqual(['true', replayOf(data)]);
  expect(asJson.body.data).toEqual(data);
  expect(asked()).toEqual([1]);
});

test('what a client was told with the last event is stored before', async () => {
  const { events } = await stream('stored');
  for (let event = await events.next(); event?.event !== 'done'; event = await events.next());
  expect(await records().findOne({ _id: deriveId(w.account.id, 'stored') })).toMatchObject({ status: 200 });
});

test('the stream of a gateway that died is taken over after its lease, as the same operation', async () => {
  await (await stream('takeover')).events.rest();
  const left = { $unset: { status: '', body: '' }, $set: { owner: 'the dead', until: new Date(0) } };
  const record = { _id: deriveId(w.account.id, 'takeover') };
  expect((await records().updateOne(record, left)).modifiedCount).toBe(1);
  const taken = await stream('takeover');
  expect([taken.replayed, (await taken.events.rest()).at(-1)!.event]).toEqual([null, 'done']);
  expect(asked()).toEqual([2]);
});

test('the stream of a gateway that was suspended ends with what its successor stored', async () => {
  const key = randomId();
  const held = gate();
  w.assistants.state.beforePart = async (part) => (part === 1 ? held.pass() : undefined);
  const { events } = await stream(key);
  await events.next();
  await held.entered;
  const id = deriveId(w.account.id, key);
  const record = (await records().findOneAndUpdate({ _id: id }, { $set: { until: new Date(0) } }))!;
  const other = {
    ...{ id, account: w.account.id, operation: 'its own', hash: record['request_hash'] },
    ...{ owner: 'other', ttlMs: 60_000 },
  };
  const answers = idempotencyStore(mongo.db(w.config.mongodb.database), w.config.secret);
  expect(await answers.claim(other)).toEqual({ state: 'ours', operation: record['operation'] });
  await answers.finish(other, { status: 200, body: '{"success":true,"data":{"message":"Theirs."}}' });
  held.open();
  expect((await events.rest()).at(-1)).toEqual({ event: 'done', data: { message: 'Theirs.' } });
});
