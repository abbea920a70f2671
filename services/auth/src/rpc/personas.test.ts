import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { migratedDatabase, testCall } from '@parley/runtime/testing';
import { createKeyMint } from '../domain/api-key.ts';
import { migrations } from '../store/migrations.ts';
import { stores } from '../store/stores.ts';
import { handlers } from './index.ts';

const { db, migrate, drop } = migratedDatabase(migrations);
const rpc = handlers({ ...stores(db), mint: createKeyMint(randomId()) });
beforeAll(migrate);
afterAll(drop);

const request = (fields: object) => fields as never;
const create = async (account: string, fields: object, operation = randomId()) =>
  (await rpc.createPersona(request({ name: 'Ann', ...fields }), testCall({ account, operation }))).persona!;
const remove = async (account: string, id: string, operation = randomId()) =>
  (await rpc.deletePersona(request({ id }), testCall({ account, operation }))).persona!;
const list = (account: string, page: object = {}) =>
  rpc.listPersonas(request({ limit: 0, nextCursor: '', ...page }), testCall({ account }));
const stored = (account: string) => db.collection('personas').countDocuments({ account });

test('a persona is read and listed as it was created, newest first, page by page', async () => {
  const account = randomId();
  const ann = await create(account, { name: ' Ann ', imageUrl: 'https://example.org/ann.png?size=2' });
  const bob = await create(account, { name: 'Bob' });
  expect(ann).toMatchObject({ name: ' Ann ', imageUrl: 'https://example.org/ann.png?size=2' });
  expect(bob).not.toHaveProperty('imageUrl');
  expect((await rpc.getPersona(request({ id: ann.id }), testCall({ account }))).persona).toEqual(ann);

  const first = await list(account, { limit: 1 });
  expect(first).toMatchObject({ items: [bob], total: 2, hasMore: true });
  const second = await list(account, { limit: 1, nextCursor: first.nextCursor });
  expect(second).toMatchObject({ items: [ann], total: 2, hasMore: false, nextCursor: '' });
});

test('creating is idempotent by operation; after a deletion the retry creates nothing', async () => {
  const [account, operation] = [randomId(), randomId()];
  const answers = await Promise.all([1, 2, 3].map(() => create(account, {}, operation)));
  expect(answers).toEqual([answers[0], answers[0], answers[0]]);
  expect((await list(account)).total).toBe(1);
  await remove(account, operation);
  await expect(create(account, {}, operation)).rejects.toMatchObject({ code: 'not_found' });
  expect((await list(account)).total).toBe(0);
});

test('deleting is idempotent by operation and returns the persona; another operation gets not found', async () => {
  const account = randomId();
  const persona = await create(account, { imageUrl: 'http://example.org/a' });
  const operation = randomId();
  expect(await remove(account, persona.id!, operation)).toEqual(persona);
  expect(await remove(account, persona.id!, operation)).toEqual(persona);
  await expect(remove(account, persona.id!)).rejects.toMatchObject({ code: 'not_found' });
  await expect(rpc.getPersona(request({ id: persona.id }), testCall({ account }))).rejects.toMatchObject({
    code: 'not_found',
    message: 'There is no such persona.',
  });
});

test('of concurrent deletions by several operations, exactly one succeeds', async () => {
  const account = randomId();
  const { id } = await create(account, {});
  const answers = await Promise.allSettled([1, 2, 3, 4].map(() => remove(account, id!)));
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test("another account's persona is refused, and stays", async () => {
  const [account, rival] = [randomId(), randomId()];
  const { id } = await create(account, {});
  for (const attempt of [() => rpc.getPersona(request({ id }), testCall({ account: rival })), () => remove(rival, id!)])
    await expect(attempt()).rejects.toMatchObject({
      code: 'permission_denied',
      message: 'This persona belongs to another account.',
    });
  expect((await list(account)).total).toBe(1);
  expect((await list(rival)).total).toBe(0);
});

test.each([
  ['name', { name: '' }],
  ['name', { name: '\t ' }],
  ['name', { name: 'x'.repeat(201) }],
  ['image_url', { imageUrl: '' }],
  ['image_url', { imageUrl: 'ann.png' }],
  ['image_url', { imageUrl: 'javascript:alert(1)' }],
  ['image_url', { imageUrl: 'https://' }],
  ['image_url', { imageUrl: `https://example.org/${'x'.repeat(2_048)}` }],
])('a wrong %s is refused by name, and nothing is stored: %j', async (field, fields) => {
  const account = randomId();
  await expect(create(account, fields)).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringMatching(`^${field} `),
  });
  expect(await stored(account)).toBe(0);
});

test('lengths count code points: a name of 200 emoji is accepted', async () => {
  const name = '🦜'.repeat(200);
  expect((await create(randomId(), { name })).name).toBe(name);
});

test('an account has at most 1,000 personas; deleting one makes room', async () => {
  const account = randomId();
  const full = Array.from({ length: 1_000 }, () => ({
    _id: randomId() as never,
    account,
    name: 'Ann',
    image_url: null,
    created_at: new Date(),
    deleted_at: null,
  }));
  await db.collection('personas').insertMany(full);
  await expect(create(account, {})).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringContaining('at most 1000 personas'),
  });
  await remove(account, full[0]!._id);
  await create(account, {});
});

test('the tombstone of a deleted persona expires, and nothing else does', async () => {
  const expiring = (await db.collection('personas').indexes()).filter(
    ({ expireAfterSeconds }) => expireAfterSeconds !== undefined,
  );
  expect(expiring).toMatchObject([{ key: { deleted_at: 1 }, expireAfterSeconds: 24 * 3600 }]);
  const account = randomId();
  const { id } = await create(account, {});
  await create(account, {});
  await remove(account, id!);
  const documents = await db.collection('personas').find({ account }).toArray();
  expect(documents.map(({ deleted_at }) => deleted_at)).toEqual(expect.arrayContaining([null, expect.any(Date)]));
});
