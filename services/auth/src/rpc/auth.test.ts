import { timestampDate, timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { OPERATOR, randomId } from '@parley/runtime/rpc';
import { migratedDatabase, testCall } from '@parley/runtime/testing';
import { createKeyMint } from '../domain/api-key.ts';
import { ALL_SCOPES } from '../domain/scopes.ts';
import { keyCollection } from '../store/auth-store.ts';
import { migrations } from '../store/migrations.ts';
import { stores } from '../store/stores.ts';
import { handlers } from './index.ts';

const { db, migrate, drop } = migratedDatabase(migrations);
const rpc = handlers({ ...stores(db), mint: createKeyMint(randomId()) });
beforeAll(migrate);
afterAll(drop);

const operator = () => testCall({ account: undefined, caller: OPERATOR });
const nobody = () => testCall({ account: undefined });
const ask = async (key: string) => rpc.verifyKey({ key } as never, nobody());
const request = (fields: object) => fields as never;

async function account(name = 'Acme') {
  const made = await rpc.createAccount(request({ name }), operator());
  return { id: made.account!.id!, key: made.key!, keyId: made.apiKey!.id! };
}

test("an account's first key holds every scope and identifies the account", async () => {
  const acme = await account('Acme');
  const answer = await ask(acme.key);
  expect(answer.account).toMatchObject({ id: acme.id, name: 'Acme' });
  expect(answer.apiKey!.scopes).toHaveLength(ALL_SCOPES.length);
});

test('an operation creates one account, and only the key in the last answer works', async () => {
  const call = operator();
  const first = await rpc.createAccount(request({ name: 'Once' }), call);
  const again = await rpc.createAccount(request({ name: 'Once' }), call);
  expect([again.account!.id, again.apiKey!.id]).toEqual([first.account!.id, first.apiKey!.id]);
  expect((await ask(again.key!)).account!.id).toBe(first.account!.id);
  await expect(ask(first.key!)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('only the operator can create and list accounts', async () => {
  await expect(rpc.createAccount(request({ name: 'Mine' }), testCall())).rejects.toMatchObject({
    code: 'permission_denied',
  });
  await expect(rpc.listAccounts(request({ limit: 0, nextCursor: '' }), testCall())).rejects.toMatchObject({
    code: 'permission_denied',
  });
});

test('a key is stored as a hash only', async () => {
  const { key } = await account();
  const stored = JSON.stringify(await db.collection('api_keys').find().toArray());
  expect(stored).not.toContain(key);
  expect(stored).not.toContain(key.slice('parley_'.length, -6));
});

test('a key with one character changed is refused, as is text that is not a key', async () => {
  const { key } = await account();
  const changed = key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  for (const wrong of [changed, key.toUpperCase(), '', 'parley_', `${key} `, 'x'.repeat(10_000)])
    await expect(ask(wrong)).rejects.toMatchObject({ code: 'unauthenticated' });
});

test('a key grants only the scopes it holds', async () => {
  const acme = await account();
  const holder = () => testCall({ account: acme.id, scopes: ['API_KEYS_WRITE', 'TICKETS_WRITE'] });
  const granted = await rpc.createApiKey(
    request({ name: 'Desk', scopes: [Scope.TICKETS_WRITE, Scope.TICKETS_WRITE] }),
    holder(),
  );
  expect(granted.apiKey!.scopes).toEqual([Scope.TICKETS_WRITE]);
  await expect(
    rpc.createApiKey(request({ name: 'More', scopes: [Scope.CHATBOTS_WRITE] }), holder()),
  ).rejects.toMatchObject({ code: 'permission_denied', message: expect.stringContaining('CHATBOTS_WRITE') });
});

test('a revoked key is refused and no longer listed', async () => {
  const acme = await account();
  const call = () => testCall({ account: acme.id, scopes: ALL_SCOPES });
  await rpc.revokeApiKey(request({ id: acme.keyId }), call());
  await expect(ask(acme.key)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect((await rpc.listApiKeys(request({ limit: 0, nextCursor: '' }), call())).total).toBe(0);
  await expect(rpc.revokeApiKey(request({ id: acme.keyId }), call())).rejects.toMatchObject({ code: 'not_found' });
});

test("another account's key can't be revoked", async () => {
  const [acme, rival] = [await account('Acme'), await account('Rival')];
  await expect(rpc.revokeApiKey(request({ id: acme.keyId }), testCall({ account: rival.id }))).rejects.toMatchObject({
    code: 'permission_denied',
  });
  expect((await ask(acme.key)).account!.id).toBe(acme.id);
});

test('a key is refused once it has expired, and an expiry in the past is refused at once', async () => {
  const acme = await account();
  const call = () => testCall({ account: acme.id });
  const expiry = new Date(Date.now() + 60_000);
  const { key, apiKey } = await rpc.createApiKey(
    request({ name: 'Brief', scopes: [], expiresAt: timestampFromDate(expiry) }),
    call(),
  );
  expect(timestampDate((await ask(key!)).apiKey!.expiresAt as never)).toEqual(expiry);
  await db.collection('api_keys').updateOne({ _id: apiKey!.id as never }, { $set: { expires_at: new Date() } });
  await expect(ask(key!)).rejects.toMatchObject({ code: 'unauthenticated' });
  await expect(
    rpc.createApiKey(request({ name: 'Late', scopes: [], expiresAt: timestampFromDate(new Date(0)) }), call()),
  ).rejects.toMatchObject({ code: 'invalid_argument', message: expect.stringContaining('expires_at') });
});

test('the last use of a key is stored to the minute: a busy key costs one write in each', async () => {
  const acme = await account();
  const keys = keyCollection(db);
  const touchedAfter = async (lastUsed: Date | null) => {
    await keys.updateOne({ _id: acme.keyId }, { $set: { last_used_at: lastUsed } });
    await stores(db).store.touchKey(acme.id, acme.keyId);
    return (await keys.findOne({ _id: acme.keyId }))!.last_used_at!;
  };
  const now = (await touchedAfter(null)).getTime();
  const [recently, earlier] = [new Date(now - 30_000), new Date(now - 61_000)];
  expect(await touchedAfter(recently)).toEqual(recently);
  expect((await touchedAfter(earlier)).getTime()).toBeGreaterThanOrEqual(now);
});

test('keys are listed newest first, page by page, each once', async () => {
  const acme = await account();
  const call = () => testCall({ account: acme.id });
  for (const name of ['b', 'c', 'd']) await rpc.createApiKey(request({ name, scopes: [] }), call());
  const names: string[] = [];
  for (let nextCursor = '', more = true; more; ) {
    const page = await rpc.listApiKeys(request({ limit: 2, nextCursor }), call());
    expect(page.total).toBe(4);
    names.push(...page.items!.map((item) => item.name!));
    [nextCursor, more] = [page.nextCursor!, page.hasMore!];
  }
  expect(names).toEqual(['d', 'c', 'b', 'First key']);
});

test('a blank or overlong name is refused, and the error names the field', async () => {
  for (const name of ['', '  ', 'x'.repeat(201)])
    await expect(rpc.createAccount(request({ name }), operator())).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining('name'),
    });
});
