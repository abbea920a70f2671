import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deriveId } from '@parley/runtime';
import { type Document, MongoClient } from 'mongodb';
import { gate } from '../testing/gate.ts';
import { type Answer, type World, world } from '../testing/world.ts';

let w: World;
let mongo: MongoClient;
beforeAll(async () => {
  w = await world();
  mongo = new MongoClient(w.config.mongodb.uri);
});
afterAll(async () => {
  await mongo.close();
  await w.end();
});

const records = () => mongo.db(w.config.mongodb.database).collection<Document & { _id: string }>('idempotency');
const create = (key: string, title = 'T', options = {}) =>
  w.post('/knowledge/faq', { title }, { headers: { 'idempotency-key': key }, ...options });
const replayed = (answer: Answer) => answer.headers.get('idempotent-replayed');

test('a repetition gets the same answer and has no effect', async () => {
  const before = w.knowledge.state.created;
  const [first, again] = [await create('twice'), await create('twice')];
  expect(first.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
  expect(w.knowledge.state.created).toBe(before + 1);
});

test('the same request may be written otherwise', async () => {
  const send = (body: string, path = '/v1/knowledge/faq') =>
    w.call('POST', path, { body, headers: { 'content-type': 'application/json', 'idempotency-key': 'spelling' } });
  await send('{"title": "a", "description": "b"}');
  expect(replayed(await send('{ "description":"b", "title":"\\u0061" }', '/v1/knowledge/faq/'))).toBe('true');
});

test('another request under the same key is 409, and says so', async () => {
  await create('other', 'A');
  expect(await create('other', 'B')).toMatchObject({
    status: 409,
    body: { success: false, message: expect.stringMatching(/Idempotency-Key was used for another request/) },
  });
  expect(replayed(await create('other', 'A'))).toBe('true');
});

test('keys belong to the account', async () => {
  const mine = await create('shared');
  const theirs = await create('shared', 'T', { key: w.other.key });
  expect(replayed(theirs)).toBeNull();
  expect(theirs.body.data.id).not.toBe(mine.body.data.id);
});

test.each(['', 'a'.repeat(256), 'schlüssel', 'tab\there'])('a malformed key is 400: %j', async (key) => {
  const answer = await w.raw(
    [
      'POST /v1/knowledge/faq HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: 13',
      `Authorization: Bearer ${w.account.key}`,
      `Idempotency-Key: ${key}\r\n\r\n{"title":"T"}`,
    ].join('\r\n'),
  );
  expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*Idempotency-Key must be/);
});

test('other methods take no notice of the key', async () => {
  expect((await w.get('/chatbots', { headers: { 'idempotency-key': '' } })).status).toBe(200);
});

test('refusals are kept where the request itself is at fault', async () => {
  const headers = { 'idempotency-key': 'bad' };
  await w.post('/knowledge/faq', { title: '' }, { headers });
  const again = await w.post('/knowledge/faq', { title: '' }, { headers });
  expect([again.status, replayed(again), again.body.message]).toEqual([400, 'true', 'title must not be blank.']);
});

test('a failure of ours is not kept, and the retry names the same operation', async () => {
  const operations: string[] = [];
  w.knowledge.state.beforeCreate = async () => {
    if (operations.push('failed') === 1) throw new Error('boom');
  };
  const failed = await create('retry');
  const done = await create('retry');
  w.knowledge.state.beforeCreate = async () => {};
  expect([failed.status, done.status, replayed(done)]).toEqual([500, 200, null]);
  expect(failed.body.message).not.toContain('boom');
  expect(replayed(await create('retry'))).toBe('true');
});

test('a concurrent repetition waits for the first and gets its answer', async () => {
  const before = w.knowledge.state.created;
  const held = gate();
  w.knowledge.state.beforeCreate = held.pass;
  const first = create('concurrent');
  await held.entered;
  const others = [create('concurrent'), create('concurrent')];
  held.open();
  const answers = await Promise.all([first, ...others]);
  w.knowledge.state.beforeCreate = async () => {};
  expect(answers.map((a) => a.body)).toEqual(Array(3).fill(answers[0]!.body));
  expect(answers.map(replayed)).toEqual([null, 'true', 'true']);
  expect(w.knowledge.state.created).toBe(before + 1);
});

test('the request of a gateway that died is taken over when its lease has passed, as the same operation', async () => {
  const first = await create('takeover');
  // What a gateway leaves that dies between the effect and the answer.
  const id = deriveId(w.account.id, 'takeover');
  const left = { $unset: { status: '', body: '' }, $set: { owner: 'the dead', until: new Date(0) } };
  expect((await records().updateOne({ _id: id }, left)).modifiedCount).toBe(1);
  const taken = await create('takeover');
  expect([taken.status, replayed(taken)]).toEqual([200, null]);
  expect(taken.body.data.id).toBe(first.body.data.id);
});

test('a stored answer hides its secrets', async () => {
  const headers = { 'idempotency-key': 'secret' };
  const made = await w.post('/api-keys', { name: 'K', scopes: [] }, { headers });
  const again = await w.post('/api-keys', { name: 'K', scopes: [] }, { headers });
  expect(again.body.data.key).toBe(made.body.data.key);
  const stored = await records().findOne({ _id: deriveId(w.account.id, 'secret') });
  expect(Buffer.from(JSON.stringify(stored)).includes(made.body.data.key)).toBe(false);
  expect(stored!['body']).toBeDefined();
});

test('answers are kept for 24 hours', async () => {
  await create('day');
  const record = (await records().findOne({ _id: deriveId(w.account.id, 'day') }))!;
  const hours = (record['expires_at'].getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24.1);
  expect(await records().indexes()).toContainEqual(expect.objectContaining({ expireAfterSeconds: 0 }));
});
