import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from './api.ts';
import type { ApiKey } from './resources.ts';
import { shared } from './shared.ts';

const { a, b } = await shared();

const ALL = [
  'TICKETFORMS_WRITE',
  'TICKETS_WRITE',
  'EMAILINBOXES_WRITE',
  'EMAILS_WRITE',
  'CHATBOTS_WRITE',
  'API_KEYS_WRITE',
  'ACCOUNT_WRITE',
];
type Me = {
  account: { id: string; name: string };
  key: { id: string; name: string; scopes: string[]; expires_at: string | null };
};

const create = async (body: object, api = a.api) =>
  must(await api.post<ApiKey>('/api-keys', { name: 'k', scopes: [], ...body }));
const having = ({ key }: { key: string }) => a.api.as(`Bearer ${key}`);

test("an account's first key has every scope, and belongs to the account of that name", async () => {
  const me = must(await a.api.get<Me>('/me'));
  expect(me.account.name).toBe('Ada');
  expect([...me.key.scopes].sort()).toEqual([...ALL].sort());
  expect(must(await b.api.get<Me>('/me')).account.id).not.toBe(me.account.id);
});

test('a key can grant only scopes that it has', async () => {
  const keys = having(await create({ scopes: ['API_KEYS_WRITE'] }));
  const refused = await keys.post('/api-keys', { name: 'more', scopes: ['CHATBOTS_WRITE'] });
  expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('CHATBOTS_WRITE') } });
  expect((await keys.post('/chatbots', { title: 'T' })).status).toBe(403);
  const same = must(await keys.post<ApiKey>('/api-keys', { name: 'same', scopes: ['API_KEYS_WRITE'] }));
  expect(same.scopes).toEqual(['API_KEYS_WRITE']);
});

test('a key cannot create a key that outlives it', async () => {
  const end = Date.now() + 3_600_000;
  const at = (ms: number) => new Date(ms).toISOString();
  const expiring = having(await create({ scopes: ['API_KEYS_WRITE'], expires_at: at(end) }));
  for (const expiry of [{}, { expires_at: null }, { expires_at: at(end + 1) }])
    expect(await expiring.post('/api-keys', { name: 'k', scopes: [], ...expiry })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^expires_at /) },
    });
  expect((await create({ expires_at: at(end) }, expiring)).expires_at).toBe(at(end));
});

test('the list says which key created each key, even after that was revoked', async () => {
  const desk = await create({ name: 'Desk', scopes: ['API_KEYS_WRITE'] });
  const child = await create({ name: 'Child' }, having(desk));
  expect(child.created_by).toEqual({ id: desk.id, name: 'Desk' });
  must(await a.api.del(`/api-key/${desk.id}?keep_created=true`));
  const listed = await a.api.all<ApiKey>('/api-keys');
  expect(listed.find(({ id }) => id === child.id)!.created_by).toEqual({ id: desk.id, name: 'Desk' });
  expect(listed.at(-1)!.created_by).toBe(null);
  expect(must(await a.api.del<ApiKey>(`/api-key/${child.id}`)).created_by).toEqual({ id: desk.id, name: 'Desk' });
});

test('a key can revoke itself, and only keys whose scopes it has', async () => {
  const keys = await create({ scopes: ['API_KEYS_WRITE'] });
  const bot = await create({ scopes: ['CHATBOTS_WRITE'] });
  const refused = await having(keys).del(`/api-key/${bot.id}`);
  expect(refused).toMatchObject({ status: 403, body: { message: expect.stringContaining('CHATBOTS_WRITE') } });
  expect((await having(bot).get('/me')).status).toBe(200);
  expect(must(await having(keys).del<ApiKey>(`/api-key/${keys.id}`)).id).toBe(keys.id);
});

test.each([
  { name: '', scopes: [] },
  { name: 'x'.repeat(201), scopes: [] },
  { scopes: [] },
  { name: 'k' },
  { name: 'k', scopes: ['NOTHING'] },
  { name: 'k', scopes: ['chatbots_write'] },
  { name: 'k', scopes: 'CHATBOTS_WRITE' },
  { name: 'k', scopes: [], expires_at: 'nope' },
  { name: 'k', scopes: [], expires_at: '2026-02-30' },
  { name: 'k', scopes: [], expires_at: '2001-01-01' },
  { name: 'k', scopes: [], expires_at: 7 },
])('creating the key %j is refused', async (body) => {
  const before = await a.api.all('/api-keys');
  expect((await a.api.post('/api-keys', body)).status).toBe(400);
  expect(await a.api.all('/api-keys')).toEqual(before);
});

test('a key stops working when it expires', async () => {
  const expires_at = new Date(Date.now() + 1_500).toISOString();
  const made = await create({ expires_at });
  expect(made.expires_at).toBe(expires_at);
  expect(must(await having(made).get<Me>('/me')).key.expires_at).toBe(expires_at);
  const ended = await until(
    () => having(made).get('/me'),
    ({ status }) => status === 401,
    3_000,
  );
  expect(ended.status).toBe(401);
  expect(Date.now()).toBeGreaterThanOrEqual(Date.parse(expires_at));
});

test('a revoked key stops working within ten seconds, even while in use, and is no longer listed', async () => {
  const made = await create({ scopes: ['CHATBOTS_WRITE', 'CHATBOTS_WRITE'] });
  expect(made.scopes).toEqual(['CHATBOTS_WRITE']);
  expect((await having(made).get('/me')).status).toBe(200);
  expect(must(await a.api.del<ApiKey>(`/api-key/${made.id}`)).id).toBe(made.id);
  const revokedAt = performance.now();
  expect((await a.api.del(`/api-key/${made.id}`)).status).toBe(404);
  expect((await a.api.all<ApiKey>('/api-keys')).map(({ id }) => id)).not.toContain(made.id);
  let lastAccepted = 0;
  await until(
    async () => {
      const sentAt = performance.now();
      const { status } = await having(made).get('/me');
      if (status === 200) lastAccepted = sentAt;
      return status;
    },
    (status) => status === 401,
    60_000,
  );
  expect(lastAccepted - revokedAt).toBeLessThan(10_000);
});

test('the list says when a key was last used', async () => {
  const made = await create({});
  must(await having(made).get('/me'));
  const used = async () => (await a.api.all<ApiKey>('/api-keys')).find(({ id }) => id === made.id)!.last_used_at;
  expect(Math.abs(Date.parse((await until(used, (at) => at !== null, 5_000))!) - Date.now())).toBeLessThan(120_000);
});
