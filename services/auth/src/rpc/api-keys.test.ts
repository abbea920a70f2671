import { createHmac, hkdfSync } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { OPERATOR, randomId } from '@parley/runtime/rpc';
import { migratedDatabase, testCall } from '@parley/runtime/testing';
import { pino } from 'pino';
import { createKeyMint, KEY_SHAPE } from '../domain/api-key.ts';
import { ALL_SCOPES } from '../domain/scopes.ts';
import { migrations } from '../store/migrations.ts';
import { stores } from '../store/stores.ts';
import { handlers } from './index.ts';

const secret = randomId();
const { db, migrate, drop } = migratedDatabase(migrations);
const rpc = handlers({ ...stores(db), mint: createKeyMint(secret) });
beforeAll(migrate);
afterAll(drop);

const documents = () => db.collection<{ _id: string; hash: string; deleted_at: Date | null }>('api_keys');
const request = (fields: object) => fields as never;
const verify = (key: string) => rpc.verifyKey(request({ key }), testCall({ account: undefined }));
const refused = { code: 'unauthenticated' };

/** A new account, and a way to call with one of its keys. */
async function account() {
  const made = await rpc.createAccount(request({ name: 'Acme' }), testCall({ account: undefined, caller: OPERATOR }));
  const id = made.account!.id!;
  const as = (keyId: string, scopes: string[] = ALL_SCOPES, operation = randomId()) =>
    testCall({ account: id, keyId, scopes, operation });
  const first = made.apiKey!.id!;
  return { id, first, key: made.key!, as, owner: (operation?: string) => as(first, ALL_SCOPES, operation) };
}

const create = (call: ReturnType<typeof testCall>, fields: object = {}) =>
  rpc.createApiKey(request({ name: 'Made', scopes: [], restricted: false, ...fields }), call);
const list = async (call: ReturnType<typeof testCall>) =>
  (await rpc.listApiKeys(request({ limit: 0, nextCursor: '' }), call)).items!;

/** A key as someone could derive it who holds the shared secret: from the id of an operation, which is also a key's id. */
function derivedKey(operation: string): string {
  const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  const base62 = (value: bigint, length: number) => {
    let digits = '';
    for (let rest = value; digits.length < length; rest /= 62n) digits = alphabet[Number(rest % 62n)] + digits;
    return digits;
  };
  const material = Buffer.from(hkdfSync('sha256', secret, '', 'parley api-key', 32));
  const body = base62(BigInt(`0x${createHmac('sha256', material).update(operation).digest('hex')}`), 32);
  return `parley_${body}${base62(BigInt(crc32(body)), 6)}`;
}

test('no id, log line or stored document reveals a key, even to someone who holds the shared secret', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line) => void lines.push(line) });
  const acme = await account();
  const call = testCall({ account: acme.id, keyId: acme.first, scopes: ALL_SCOPES, log });
  const made = await create(call);
  await rpc.verifyKey(request({ key: made.key! }), testCall({ account: undefined, log }));
  call.log.info(made.apiKey, 'what a log may hold of it');
  const stored = JSON.stringify(await documents().find({ account: acme.id }).toArray());
  const known = `${stored}${lines.join('')}${call.operation} ${call.requestId}`;
  const tokens = [...new Set(known.match(/[\w-]{8,}/g))];
  expect(tokens).toEqual(expect.arrayContaining([acme.first, call.operation, call.requestId]));
  for (const token of tokens) await expect(verify(derivedKey(token))).rejects.toMatchObject(refused);
  for (const key of [acme.key, made.key!]) {
    expect(key).toMatch(KEY_SHAPE);
    expect(known).not.toContain(key.slice('parley_'.length, -6));
  }
});

test('a retry returns a new secret for the same key, and the secret in the lost answer stops working', async () => {
  const acme = await account();
  const operation = randomId();
  const lost = await create(acme.owner(operation));
  const again = await create(acme.owner(operation));
  expect(again.key).not.toBe(lost.key);
  expect(again.apiKey).toEqual(lost.apiKey);
  expect((await verify(again.key!)).apiKey!.id).toBe(operation);
  await expect(verify(lost.key!)).rejects.toMatchObject(refused);
  expect(await list(acme.owner())).toHaveLength(2);
});

test('of concurrent attempts of one operation, exactly one returns the secret that works', async () => {
  const acme = await account();
  const operation = randomId();
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(acme.owner(operation))));
  const verified = await Promise.allSettled(answers.map(({ key }) => verify(key!)));
  expect(verified.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect(await list(acme.owner())).toHaveLength(2);
});

test('a retry does not revive a key that was revoked meanwhile', async () => {
  const acme = await account();
  const operation = randomId();
  const { key } = await create(acme.owner(operation));
  await rpc.revokeApiKey(request({ id: operation }), acme.owner());
  await expect(create(acme.owner(operation))).rejects.toMatchObject({ code: 'not_found' });
  await expect(verify(key!)).rejects.toMatchObject(refused);
});

test('a key cannot create a key that outlives it', async () => {
  const acme = await account();
  const end = new Date(Date.now() + 60_000);
  const expiring = await create(acme.owner(), { expiresAt: timestampFromDate(end) });
  const maker = () => acme.as(expiring.apiKey!.id!);
  for (const expiresAt of [undefined, timestampFromDate(new Date(end.getTime() + 1))])
    await expect(create(maker(), { expiresAt })).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringMatching(/^expires_at /),
    });
  const made = await create(maker(), { expiresAt: timestampFromDate(end) });
  expect(made.apiKey!.expiresAt).toEqual(timestampFromDate(end));
  expect((await create(acme.owner())).apiKey!.expiresAt).toBeUndefined();
});

test('a wrong expiry is refused before a scope that the key does not hold', async () => {
  const acme = await account();
  const desk = await create(acme.owner(), { scopes: [Scope.API_KEYS_WRITE] });
  const asDesk = () => acme.as(desk.apiKey!.id!, ['API_KEYS_WRITE']);
  const wrong = { scopes: [Scope.CHATBOTS_WRITE], expiresAt: timestampFromDate(new Date(0)) };
  await expect(create(asDesk(), wrong)).rejects.toMatchObject({
    code: 'invalid_argument',
    message: 'expires_at must be in the future.',
  });
  await expect(create(asDesk(), { scopes: [Scope.CHATBOTS_WRITE] })).rejects.toMatchObject({
    code: 'permission_denied',
    message: "This key can't grant scopes that it does not hold: CHATBOTS_WRITE.",
  });
});

test('a revoked or expired key cannot create keys, though a gateway still has it cached', async () => {
  const acme = await account();
  const [revoked, expired] = [await create(acme.owner()), await create(acme.owner())];
  await rpc.revokeApiKey(request({ id: revoked.apiKey!.id }), acme.owner());
  await documents().updateOne({ _id: expired.apiKey!.id! }, { $set: { expires_at: new Date(0) } });
  for (const { apiKey } of [revoked, expired])
    await expect(create(acme.as(apiKey!.id!))).rejects.toMatchObject({ code: 'permission_denied' });
});

test('creation, list and revocation name the key that created a key, even after that one was revoked', async () => {
  const acme = await account();
  const made = await create(acme.owner(), { name: 'Desk' });
  expect(made.apiKey!.createdBy).toEqual({ id: acme.first, name: 'First key' });
  const child = await create(acme.as(made.apiKey!.id!), { name: 'Child' });
  await rpc.revokeApiKey(request({ id: made.apiKey!.id, keepCreated: true }), acme.owner());
  const desk = { id: made.apiKey!.id, name: 'Desk' };
  const listed = (await list(acme.owner())).map(({ name, createdBy }) => [name, createdBy]);
  expect(listed).toEqual([
    ['Child', desk],
    ['First key', undefined],
  ]);
  const revoked = await rpc.revokeApiKey(request({ id: child.apiKey!.id }), acme.owner());
  expect(revoked.apiKey!.createdBy).toEqual(desk);
});

test('a key can revoke itself and keys whose scopes it holds, and no others', async () => {
  const acme = await account();
  const desk = await create(acme.owner(), { scopes: [Scope.API_KEYS_WRITE, Scope.TICKETS_WRITE] });
  const bot = await create(acme.owner(), { scopes: [Scope.CHATBOTS_WRITE, Scope.TICKETS_WRITE] });
  const asDesk = () => acme.as(desk.apiKey!.id!, ['API_KEYS_WRITE', 'TICKETS_WRITE']);
  const refusal = rpc.revokeApiKey(request({ id: bot.apiKey!.id }), asDesk());
  await expect(refusal).rejects.toMatchObject({
    code: 'permission_denied',
    message: expect.stringMatching(/: CHATBOTS_WRITE\.$/),
  });
  expect((await verify(bot.key!)).apiKey!.id).toBe(bot.apiKey!.id);
  await rpc.revokeApiKey(request({ id: desk.apiKey!.id }), asDesk());
  await expect(verify(desk.key!)).rejects.toMatchObject(refused);
});

test('revoking is idempotent by operation; another operation gets not found', async () => {
  const acme = await account();
  const { apiKey } = await create(acme.owner());
  const operation = randomId();
  const revoke = (op?: string) => rpc.revokeApiKey(request({ id: apiKey!.id }), acme.owner(op));
  const first = await revoke(operation);
  const [revokedAt, again] = [(await documents().findOne({ _id: apiKey!.id! }))!.deleted_at, await revoke(operation)];
  expect(again).toEqual(first);
  expect((await documents().findOne({ _id: apiKey!.id! }))!.deleted_at).toEqual(revokedAt);
  await expect(revoke()).rejects.toMatchObject({ code: 'not_found' });
});

test('of concurrent revocations, all of one operation succeed, and only one of several operations', async () => {
  const acme = await account();
  const keys = [await create(acme.owner()), await create(acme.owner())];
  const revoke = ({ apiKey }: (typeof keys)[number], operation: string) =>
    rpc.revokeApiKey(request({ id: apiKey!.id }), acme.owner(operation));
  const one = randomId();
  await Promise.all(Array.from({ length: 4 }, () => revoke(keys[0]!, one)));
  const two = await Promise.allSettled(Array.from({ length: 4 }, () => revoke(keys[1]!, randomId())));
  expect(two.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});
