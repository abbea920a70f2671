import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { AppError } from '@parley/runtime';
import { deriveId, randomId } from '@parley/runtime/rpc';
import { type Document, MongoClient } from 'mongodb';
import { idempotencyStore } from '../store/idempotency-store.ts';
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

test('a retry gets the same response and has no effect', async () => {
  const before = w.knowledge.state.created;
  const [first, again] = [await create('twice'), await create('twice')];
  expect(first.status).toBe(200);
  expect(again.body).toEqual(first.body);
  expect([replayed(first), replayed(again)]).toEqual([null, 'true']);
  expect(w.knowledge.state.created).toBe(before + 1);
});

test('the same request may be formatted differently', async () => {
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

test('other methods ignore the key', async () => {
  expect((await w.get('/chatbots', { headers: { 'idempotency-key': '' } })).status).toBe(200);
});

test('a refusal is kept if the request itself is invalid', async () => {
  const headers = { 'idempotency-key': 'bad' };
  await w.post('/knowledge/faq', { title: '' }, { headers });
  const again = await w.post('/knowledge/faq', { title: '' }, { headers });
  expect([again.status, replayed(again), again.body.message]).toEqual([400, 'true', 'title must not be blank.']);
});

test('an internal failure is not kept, and the retry has the same operation id', async () => {
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

test.each([
  ['resource_exhausted', 429],
  ['aborted', 409],
] as const)('a refusal that a retry may not get is not kept: %s', async (code, status) => {
  w.knowledge.state.beforeCreate = async () => {
    throw new AppError(code, 'Not now.');
  };
  const refused = await create(code);
  w.knowledge.state.beforeCreate = async () => {};
  const done = await create(code);
  expect([refused.status, done.status, replayed(done)]).toEqual([status, 200, null]);
});

test('a concurrent retry waits for the first request and gets its response', async () => {
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

test('a retry takes over the request of a dead gateway after its lease, as the same operation', async () => {
  const first = await create('takeover');
  // What a gateway leaves behind if it dies between the effect and the answer.
  const id = deriveId(w.account.id, 'takeover');
  const left = { $unset: { status: '', body: '' }, $set: { owner: 'the dead', until: new Date(0) } };
  expect((await records().updateOne({ _id: id }, left)).modifiedCount).toBe(1);
  const taken = await create('takeover');
  expect([taken.status, replayed(taken)]).toEqual([200, null]);
  expect(taken.body.data.id).toBe(first.body.data.id);
});

test.each([
  ['answers as the gateway did that took it over', { status: 200, body: '{"success":true,"data":{"id":"theirs"}}' }],
  ['asks its client to try again if that one failed', undefined],
])('a gateway that was suspended beyond the lease of a request %s', async (_, theirs) => {
  const key = randomId();
  const held = gate();
  w.knowledge.state.beforeCreate = held.pass;
  const suspended = create(key);
  await held.entered;
  const id = deriveId(w.account.id, key);
  const record = (await records().findOneAndUpdate({ _id: id }, { $set: { until: new Date(0) } }))!;
  const other = {
    ...{ id, account: w.account.id, operation: 'its own', hash: record['request_hash'] },
    ...{ owner: 'other', ttlMs: 60_000 },
  };
  const answers = idempotencyStore(mongo.db(w.config.mongodb.database), w.config.secret);
  expect(await answers.claim(other)).toEqual({ state: 'ours', operation: record['operation'] });
  expect(await answers.finish(other, theirs)).toBe(true);
  held.open();
  const answer = await suspended;
  w.knowledge.state.beforeCreate = async () => {};
  if (theirs) {
    expect([answer.status, replayed(answer), answer.body.data.id]).toEqual([200, 'true', 'theirs']);
  } else {
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '5']);
    expect([(await create(key)).status, replayed(await create(key))]).toEqual([200, 'true']);
  }
});

test('a stored response is encrypted', async () => {
  const headers = { 'idempotency-key': 'secret' };
  const made = await w.post('/api-keys', { name: 'K', scopes: [] }, { headers });
  const again = await w.post('/api-keys', { name: 'K', scopes: [] }, { headers });
  expect(again.body.data.key).toBe(made.body.data.key);
  const stored = await records().findOne({ _id: deriveId(w.account.id, 'secret') });
  expect(Buffer.from(JSON.stringify(stored)).includes(made.body.data.key)).toBe(false);
  expect(stored!['body']).toBeDefined();
});

test('the shared secret and the database reveal no secret without the API key that made the request', async () => {
  await w.post('/api-keys', { name: 'K', scopes: [] }, { headers: { 'idempotency-key': 'sealed' } });
  const stored = (await records().findOne({ _id: deriveId(w.account.id, 'sealed') }))!;
  const answers = idempotencyStore(mongo.db(w.config.mongodb.database), w.config.secret);
  const claim = {
    ...{ id: stored._id, account: w.account.id, operation: 'its own', hash: stored['request_hash'] },
    ...{ owner: 'other', ttlMs: 1 },
  };
  await expect(answers.claim({ ...claim, sealedWith: w.other.key })).rejects.toThrow();
  await expect(answers.claim(claim)).rejects.toThrow();
  expect(await answers.claim({ ...claim, sealedWith: w.account.key })).toMatchObject({ state: 'answered' });
});

test('a secret is replayed to the key that made the request; another key of the account gets 409', async () => {
  const headers = { 'idempotency-key': 'whose' };
  const asks = (key = w.account.key) => w.post('/api-keys', { name: 'K', scopes: [] }, { headers, key });
  const colleague = w.keyWith(Scope.API_KEYS_WRITE);
  const [first, others] = [await asks(), await asks(colleague)];
  expect(first.status).toBe(200);
  expect(others).toMatchObject({ status: 409, body: { success: false } });
  expect(JSON.stringify(others.body)).not.toContain(first.body.data.key);
  expect(replayed(await asks())).toBe('true');
});

test('responses are kept for 24 hours', async () => {
  await create('day');
  const record = (await records().findOne({ _id: deriveId(w.account.id, 'day') }))!;
  const hours = (record['expires_at'].getTime() - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24.1);
  expect(await records().indexes()).toContainEqual(expect.objectContaining({ expireAfterSeconds: 0 }));
});
