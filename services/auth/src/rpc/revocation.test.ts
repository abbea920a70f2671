import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { type KeyWorld, keyWorld } from './rpc.fixture.ts';

let world: KeyWorld;
beforeAll(async () => {
  world = await keyWorld();
});
afterAll(() => world.end());

const DAY_MS = 24 * 3600_000;

/** An account with a key, the key that it created, the key that that one created, and a stranger to these three. */
async function family() {
  const acme = await world.account();
  const parent = await acme.create({ name: 'Parent' });
  const child = await acme.create({ name: 'Child' }, acme.as(parent.id));
  const grandchild = await acme.create({ name: 'Grandchild' }, acme.as(child.id));
  const stranger = await acme.create({ name: 'Stranger' });
  return { acme, parent, child, grandchild, stranger };
}

const named = ({ id, name }: { id: string; name?: string | undefined }) => ({ id, name });

test('revoking a key revokes the keys it created, and theirs, and lists them; others still work', async () => {
  const { acme, parent, child, grandchild, stranger } = await family();
  const { apiKey, revoked } = await acme.revoke(parent.id);
  expect(apiKey).toMatchObject({ id: parent.id });
  expect(revoked).toEqual([named(grandchild), named(child)]);
  for (const { key } of [parent, child, grandchild]) expect(await world.works(key)).toBe(false);
  expect(await world.works(stranger.key)).toBe(true);
  expect(await acme.names()).toEqual(['Stranger', 'First key']);
});

test('with keep_created only the key itself is revoked; what it created still belongs to whoever created that key', async () => {
  const { acme, parent, child, grandchild } = await family();
  expect((await acme.revoke(child.id, { keepCreated: true })).revoked).toEqual([]);
  expect(await world.works(child.key)).toBe(false);
  expect(await world.works(grandchild.key)).toBe(true);
  expect((await acme.revoke(parent.id)).revoked).toEqual([named(grandchild)]);
  expect(await world.works(grandchild.key)).toBe(false);
});

test('a retry of the operation lists the same keys; a key that was revoked before is not among them', async () => {
  const { acme, parent, child, grandchild } = await family();
  await acme.revoke(grandchild.id);
  const call = acme.as(acme.first, { operation: randomId() });
  const first = await acme.revoke(parent.id, { call });
  expect(first.revoked).toEqual([named(child)]);
  expect(await acme.revoke(parent.id, { call })).toEqual(first);
});

test('a key that revokes itself and all it created can be told so again', async () => {
  const { acme, parent, child } = await family();
  const call = acme.as(parent.id, { operation: randomId() });
  const first = await acme.revoke(parent.id, { call });
  expect(first.revoked).toContainEqual(named(child));
  expect(await acme.revoke(parent.id, { call })).toEqual(first);
});

test('a revoked key cannot revoke others, though a gateway still has it cached', async () => {
  const { acme, parent, stranger } = await family();
  await acme.revoke(parent.id);
  await expect(acme.revoke(stranger.id, { call: acme.as(parent.id) })).rejects.toMatchObject({
    code: 'permission_denied',
  });
  expect(await world.works(stranger.key)).toBe(true);
});

test('what a process that died left undone is finished by the sweeper', async () => {
  const { acme, parent, child, grandchild } = await family();
  // The state after the first write of a revocation.
  await world.documents.updateOne(
    { _id: parent.id },
    { $set: { deleted_at: new Date(), revoke_op: randomId(), revokes_created: true, unfinished: true } },
  );
  expect(await world.works(grandchild.key)).toBe(true);
  while (await world.stores.store.finishOne());
  for (const { key } of [child, grandchild]) expect(await world.works(key)).toBe(false);
  expect(await acme.names()).toEqual(['Stranger', 'First key']);
});

test('a key that is being created while its creator, or the creator of that, is revoked does not survive', async () => {
  const { acme, parent, child } = await family();
  const { store } = world.stores;
  for (const [revoked, creator] of [
    [child, child],
    [parent, parent],
  ] as const) {
    const late = { ...(await world.documents.findOne({ _id: creator.id }))!, _id: randomId(), hash: randomId() };
    const created = { ...late, ancestors: [...late.ancestors, creator.id] };
    await acme.revoke(revoked.id);
    await expect(store.createKey(acme.id, created)).rejects.toMatchObject({ code: 'permission_denied' });
    expect(await store.keyByHash(late.hash)).toBe(null);
  }
});

test('of concurrent creations and a revocation, no created key works afterwards', async () => {
  const acme = await world.account();
  const parent = await acme.create();
  const creating = Array.from({ length: 20 }, () => acme.create({}, acme.as(parent.id)));
  await acme.revoke(parent.id);
  const settled = await Promise.allSettled(creating);
  for (const one of settled) if (one.status === 'fulfilled') expect(await world.works(one.value.key)).toBe(false);
  expect(await acme.names()).toEqual(['First key']);
});

test('at most 32 keys create one another', async () => {
  const acme = await world.account();
  let last = await acme.create();
  for (let i = 1; i < 32; i++) last = await acme.create({}, acme.as(last.id));
  await expect(acme.create({}, acme.as(last.id))).rejects.toMatchObject({ code: 'failed_precondition' });
  // A key that hands over to its successor takes itself out of the chain.
  const [next] = await world.documents.find({ account: acme.id }).sort({ created_at: 1, _id: 1 }).skip(1).toArray();
  await acme.revoke(next!._id, { keepCreated: true });
  expect((await acme.create({}, acme.as(last.id))).id).toBeDefined();
});

test('a revoked key is removed after a week, but for the keys of operators, whose operation may come again', async () => {
  const { acme, parent, child, stranger } = await family();
  await acme.revoke(parent.id);
  await acme.revoke(stranger.id, { keepCreated: true });
  await acme.revoke(acme.first);
  while (await world.stores.store.finishOne());
  const purgeOf = async (id: string) => (await world.documents.findOne({ _id: id }))!.purge_at;
  for (const { id } of [parent, child, stranger]) {
    const inMs = (await purgeOf(id))!.getTime() - Date.now();
    expect(inMs).toBeGreaterThan(6.9 * DAY_MS);
    expect(inMs).toBeLessThan(7.1 * DAY_MS);
  }
  expect(await purgeOf(acme.first)).toBe(null);
  const [index] = (await world.documents.indexes()).filter(({ key }) => 'purge_at' in key);
  expect(index).toMatchObject({ expireAfterSeconds: 0 });
});

test('a key with fewer scopes revokes none that holds more, whoever created it', async () => {
  const acme = await world.account();
  const desk = await acme.create({ scopes: [Scope.API_KEYS_WRITE] });
  const bot = await acme.create({ scopes: [Scope.CHATBOTS_WRITE] });
  const call = acme.as(desk.id, { scopes: ['API_KEYS_WRITE'] });
  await expect(acme.revoke(bot.id, { call })).rejects.toMatchObject({ code: 'permission_denied' });
});
