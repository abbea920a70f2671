import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLog } from '@parley/runtime';
import { createAccountSweeper } from '@parley/runtime/mongo';
import { deriveId, isDerivedId, OPERATOR, randomId } from '@parley/runtime/rpc';
import { migratedDatabase, testCall, unerased, until } from '@parley/runtime/testing';
import { createKeyMint } from '../domain/api-key.ts';
import { ALL_SCOPES } from '../domain/scopes.ts';
import { firstAccount } from '../first-account.ts';
import { migrations } from '../store/migrations.ts';
import { stores } from '../store/stores.ts';
import { handlers } from './index.ts';

const { db, migrate, drop } = migratedDatabase(migrations);
const log = createLog('auth', 'silent');
const mint = createKeyMint(randomId());
const store = stores(db);
const rpc = handlers({ ...store, mint });
beforeAll(migrate);
afterAll(drop);

const request = (fields: object) => fields as never;
const operator = (operation = randomId()) => testCall({ account: undefined, caller: OPERATOR, operation });
const gateway = () => testCall({ account: undefined, caller: 'gateway' });
const begin = (id: string) => rpc.deleteAccount(request({ id }), operator());
const finish = (id: string) => rpc.finishAccountDeletion(request({ id }), operator());
const listed = async () =>
  (await rpc.listAccounts(request({ limit: 100, nextCursor: '' }), operator())).items!.map(({ id }) => id);
const finished = async () =>
  (await rpc.listDeletedAccounts(request({ limit: 100, nextCursor: '' }), gateway())).items!.map(({ id }) => id);
const verify = (key: string) => rpc.verifyKey(request({ key }), testCall({ account: undefined }));

/** An account with two keys and a persona. */
async function account(operation = randomId()) {
  const made = await rpc.createAccount(request({ name: 'Acme' }), operator(operation));
  const id = made.account!.id!;
  const as = () => testCall({ account: id, scopes: ALL_SCOPES });
  const second = await rpc.createApiKey(request({ name: 'CI', scopes: [] }), as());
  await rpc.createPersona(request({ name: 'Ann' }), as());
  return { id, as, keys: [made.key!, second.key!] };
}

/** All documents that mention the account, by collection. */
async function traces(id: string): Promise<Record<string, object[]>> {
  const found: Record<string, object[]> = {};
  for (const collection of await db.collections()) {
    const all = await collection.find().toArray();
    const mentioning = all.filter((document) => JSON.stringify(document).includes(id));
    if (mentioning.length > 0) found[collection.collectionName] = mentioning;
  }
  return found;
}

test('deleting ends all keys at once, is idempotent, and shows the account as being deleted', async () => {
  const acme = await account();
  const first = await begin(acme.id);
  expect(first.account).toMatchObject({ id: acme.id, name: 'Acme', deletedAt: expect.anything() });
  expect(await begin(acme.id)).toEqual(first);
  for (const key of acme.keys) await expect(verify(key)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await listed()).toContain(acme.id);
  expect(await finished()).not.toContain(acme.id);
});

test('finishing leaves nothing but the id and the time; it is idempotent, and deleting again finds no account', async () => {
  const [acme, rival] = [await account(), await account()];
  await begin(acme.id);
  await finish(acme.id);
  await finish(acme.id);
  expect(await traces(acme.id)).toEqual({
    deleted_accounts: [{ _id: acme.id, deleted_at: expect.any(Date), due: expect.any(Date) }],
  });
  expect(await finished()).toContain(acme.id);
  await expect(begin(acme.id)).rejects.toMatchObject({
    code: 'not_found',
    message: `There is no account ${acme.id}.`,
  });
  expect((await verify(rival.keys[0]!)).account!.id).toBe(rival.id);
  expect(Object.keys(await traces(rival.id)).sort()).toEqual(['accounts', 'api_keys', 'personas', 'quotas']);
});

test('an account that was not deleted cannot be finished, and an unknown one leaves no mark', async () => {
  const acme = await account();
  await expect(finish(acme.id)).rejects.toMatchObject({ code: 'failed_precondition' });
  expect((await verify(acme.keys[0]!)).account!.id).toBe(acme.id);
  const unknown = randomId();
  await finish(unknown);
  expect(await traces(unknown)).toEqual({});
  await expect(begin(unknown)).rejects.toMatchObject({ code: 'not_found' });
});

test('every collection is erased with its account, and has an index by account', async () => {
  // Accounts are found by id.
  expect(await unerased(db, store.deletion.eraser)).toEqual(['accounts', 'accounts, which has no index']);
});

test('what a late request stores for a deleted account is erased', async () => {
  const acme = await account();
  await begin(acme.id);
  await finish(acme.id);
  await rpc.createPersona(request({ name: 'Late' }), acme.as());
  await rpc.createApiKey(request({ name: 'Late', scopes: [] }), acme.as());
  expect(Object.keys(await traces(acme.id)).sort()).toEqual(['api_keys', 'deleted_accounts', 'personas', 'quotas']);
  await sweep(acme.id, ['deleted_accounts']);
});

test('the tombstone of a random id expires after a day; that of a derived one stays, and the account is not created again', async () => {
  const derived = deriveId('account', randomId());
  for (const operation of [randomId(), derived]) {
    const acme = await account(operation);
    await begin(acme.id);
    await finish(acme.id);
    await expect(account(operation)).rejects.toMatchObject({ code: 'failed_precondition' });
    await db
      .collection<{ _id: string }>('deleted_accounts')
      .updateOne({ _id: acme.id }, { $set: { deleted_at: new Date(Date.now() - 25 * 3600_000) } });
    await sweep(acme.id, operation === derived ? ['deleted_accounts'] : []);
    expect(await finished()).not.toContain(acme.id);
  }
  await expect(account(derived)).rejects.toMatchObject({ code: 'failed_precondition' });
});

test('a first account that was deleted is not created again at the next start, not even while it is being deleted', async () => {
  const first = { name: 'First', key: mint.mint() };
  const start = () => firstAccount({ ...store, mint }, first, log).start!(new AbortController().signal);
  await start();
  const { id } = (await verify(first.key)).account!;
  await begin(id!);
  await start();
  await finish(id!);
  await start();
  await expect(verify(first.key)).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(Object.keys(await traces(id!))).toEqual(['deleted_accounts']);
});

test('only the operator deletes accounts', async () => {
  const acme = await account();
  const calls = [rpc.deleteAccount, rpc.finishAccountDeletion, rpc.listDeletedAccounts];
  for (const call of calls)
    await expect(call(request({ id: acme.id, limit: 0, nextCursor: '' }), acme.as())).rejects.toMatchObject({
      code: 'permission_denied',
    });
  expect((await verify(acme.keys[0]!)).account!.id).toBe(acme.id);
});

/** Makes the account due, and waits until the sweeper has left it in these collections only. */
async function sweep(id: string, left: string[]): Promise<void> {
  const tombstones = db.collection<{ _id: string; due?: Date }>('deleted_accounts');
  await tombstones.updateOne({ _id: id }, { $set: { due: new Date(0) } });
  const sweeper = createAccountSweeper({ eraser: store.deletion.eraser, log, keep: isDerivedId });
  await sweeper.start();
  const swept = async () => Object.keys(await traces(id)).join();
  await until(swept, (names) => names === left.join());
  await sweeper.stop();
}
