import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { deriveId } from '@parley/runtime/rpc';
import { type World, world } from '../../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const AT = '2026-01-02T03:04:05.678Z';

test('an API key is shown once, listed without its secret, and revoked', async () => {
  const created = (await w.post('/api-keys', { name: 'CI', scopes: ['CHATBOTS_WRITE'] })).body.data;
  const listed = {
    id: ID,
    name: 'test',
    scopes: ['CHATBOTS_WRITE'],
    restricted: false,
    created_at: AT,
    expires_at: null,
    last_used_at: null,
    created_by: null,
  };
  const made = { ...listed, created_by: { id: deriveId(w.account.key), name: 'test' } };
  expect(created).toEqual({ ...made, key: expect.stringMatching(/^parley_/) });
  expect((await w.get('/api-keys')).body.data.items).toContainEqual(listed);
  const revoked = [{ id: ID, name: 'created' }];
  expect((await w.delete(`/api-key/${created.id}`)).body.data).toEqual({ ...listed, revoked });
  expect((await w.get('/api-keys', { key: w.keyWith() })).body.message).toContain('API_KEYS_WRITE');
  expect(await w.post('/api-keys', { name: 'CI', scopes: ['ROOT'] })).toMatchObject({
    status: 400,
    body: { message: expect.stringMatching(/^scopes\[0\] must be one of TICKETFORMS_WRITE/) },
  });
});
