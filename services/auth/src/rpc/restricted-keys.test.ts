import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { type Asked, type KeyWorld, keyWorld } from './rpc.fixture.ts';

let world: KeyWorld;
beforeAll(async () => {
  world = await keyWorld();
});
afterAll(() => world.end());

type Account = Awaited<ReturnType<KeyWorld['account']>>;

const denied = (words: string) => ({ code: 'permission_denied', message: expect.stringContaining(words) });

/** A restricted key that may manage keys and read chats, and how it calls. */
async function restricted(acme: Account) {
  const { id } = await acme.create({ restricted: true, scopes: [Scope.API_KEYS_WRITE, Scope.CHATS_READ] });
  return () => acme.as(id, { scopes: ['API_KEYS_WRITE', 'CHATS_READ'] });
}

test('a key of any other kind grants a restricted one every scope for reading, and its own for writing', async () => {
  const acme = await world.account();
  const plain = await acme.create({ scopes: [Scope.API_KEYS_WRITE] });
  const asPlain = () => acme.as(plain.id, { scopes: ['API_KEYS_WRITE'] });
  const scopes = [Scope.KNOWLEDGE_WRITE, Scope.CHATS_REPLY, Scope.EMAILS_READ];
  expect(await acme.create({ restricted: true, scopes }, asPlain())).toMatchObject({ restricted: true, scopes });
  await expect(acme.create({ restricted: true, scopes: [Scope.CHATBOTS_WRITE] }, asPlain())).rejects.toMatchObject(
    denied('CHATBOTS_WRITE'),
  );
});

test('a restricted key creates no key that is not restricted, nor one with scopes that it lacks', async () => {
  const acme = await world.account();
  const call = await restricted(acme);
  await expect(acme.create({}, call())).rejects.toMatchObject(denied('restricted'));
  const lacking: Asked = { restricted: true, scopes: [Scope.CHATS_READ, Scope.CHATS_REPLY, Scope.TICKETS_WRITE] };
  await expect(acme.create(lacking, call())).rejects.toMatchObject(denied(': TICKETS_WRITE, CHATS_REPLY.'));
  const made = await acme.create({ restricted: true, scopes: [Scope.CHATS_READ] }, call());
  expect(made).toMatchObject({ restricted: true, scopes: [Scope.CHATS_READ] });
});

test('a restricted key revokes restricted keys whose scopes it holds, and no others', async () => {
  const acme = await world.account();
  const call = await restricted(acme);
  const bare = await acme.create();
  const reader = await acme.create({ restricted: true, scopes: [Scope.CHATS_READ] });
  const mailer = await acme.create({ restricted: true, scopes: [Scope.EMAILS_READ] });
  await expect(acme.revoke(bare.id, { call: call() })).rejects.toMatchObject(denied('restricted'));
  await expect(acme.revoke(mailer.id, { call: call() })).rejects.toMatchObject(denied('EMAILS_READ'));
  expect((await acme.revoke(reader.id, { call: call() })).apiKey).toMatchObject({ id: reader.id, restricted: true });
});

test('a scope that only restricts is refused on a key that is not restricted', async () => {
  const acme = await world.account();
  await expect(acme.create({ scopes: [Scope.CHATS_READ, Scope.TICKETS_WRITE] })).rejects.toMatchObject({
    code: 'invalid_argument',
    message: expect.stringMatching(/^scopes may contain CHATS_READ only with restricted: true\./),
  });
});
