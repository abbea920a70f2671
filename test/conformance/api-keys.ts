import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { ApiKey, Page } from '../e2e/resources.ts';
import { expectData, expectRefused, pageOf, TIME, UUID } from './check.ts';
import { a, keyWith, theirs } from './given.ts';
import { SCOPES } from './operations.ts';

const { api } = a;
const KEY = expect.stringMatching(/^parley_[0-9A-Za-z]{30,60}$/);

const create = (body: object = {}, by = api) => by.post<ApiKey>('/api-keys', { name: 'k', scopes: [], ...body });
const having = ({ key }: { key: string }) => api.as(`Bearer ${key}`);
const listed = async () => (await api.all<ApiKey>('/api-keys')).map(({ id }) => id);

describe('a key', () => {
  test('is shown only once, and says which key created it', async () => {
    const own = must(await api.get<{ key: { id: string; name: string } }>('/me')).key;
    const key = {
      id: UUID,
      name: 'CI',
      scopes: ['CHATBOTS_WRITE'],
      restricted: false,
      created_at: TIME,
      expires_at: null,
      last_used_at: null,
      created_by: { id: own.id, name: own.name },
    };
    const made = expectData(await create({ name: 'CI', scopes: ['CHATBOTS_WRITE'] }), { ...key, key: KEY });
    const { items } = pageOf(await api.get<Page<ApiKey>>('/api-keys'));
    expect(items[0]).toEqual({ ...key, id: made.id });
    for (const other of items) expect(Object.keys(other).sort()).toEqual(Object.keys(key).sort());
    expectData(await api.del(`/api-key/${made.id.toUpperCase()}`), { ...key, id: made.id, revoked: [] });
    expectRefused(await api.del(`/api-key/${made.id}`), 404);
    expect(await listed()).not.toContain(made.id);
  });

  test.each(SCOPES)('may hold the scope %s', async (scope) => {
    expect(must(await create({ scopes: [scope, scope] })).scopes).toEqual([scope]);
  });

  test('expires when it says', async () => {
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const made = must(await create({ expires_at }));
    expect(made.expires_at).toBe(expires_at);
    expect(must(await having(made).get<{ key: object }>('/me')).key).toMatchObject({ id: made.id, expires_at });
  });

  test('grants only scopes that it holds', async () => {
    const keys = having({ key: await keyWith('API_KEYS_WRITE') });
    for (const scope of SCOPES.filter((one) => one !== 'API_KEYS_WRITE'))
      expectRefused(await create({ scopes: ['API_KEYS_WRITE', scope] }, keys), 403, scope);
    expect(must(await create({ scopes: ['API_KEYS_WRITE'] }, keys)).scopes).toEqual(['API_KEYS_WRITE']);
  });

  test('makes no key that outlives it', async () => {
    const end = Date.now() + 3_600_000;
    const at = (ms: number) => new Date(ms).toISOString();
    const expiring = having(must(await create({ scopes: ['API_KEYS_WRITE'], expires_at: at(end) })));
    for (const expiry of [{}, { expires_at: null }, { expires_at: at(end + 1) }])
      expectRefused(await create(expiry, expiring), 400, 'expires_at');
    expect(must(await create({ expires_at: at(end) }, expiring)).expires_at).toBe(at(end));
  });

  test('revokes only keys whose scopes it holds, itself included', async () => {
    const keys = must(await create({ scopes: ['API_KEYS_WRITE'] }));
    const bot = must(await create({ scopes: ['CHATBOTS_WRITE'] }));
    expectRefused(await having(keys).del(`/api-key/${bot.id}`), 403, 'CHATBOTS_WRITE');
    expect(await listed()).toContain(bot.id);
    expect(must(await having(keys).del<ApiKey>(`/api-key/${keys.id}`)).id).toBe(keys.id);
    expect(must(await api.del<ApiKey>(`/api-key/${bot.id}`)).id).toBe(bot.id);
  });

  test('is revoked with the keys it created, and theirs, unless they are to stay', async () => {
    for (const [query, goes] of [
      ['', true],
      ['?keep_created=false', true],
      ['?keep_created=true', false],
    ] as const) {
      const parent = must(await create({ scopes: ['API_KEYS_WRITE'] }));
      const child = must(await create({ name: 'child', scopes: ['API_KEYS_WRITE'] }, having(parent)));
      const grandchild = must(await create({ name: 'grandchild' }, having(child)));
      const { revoked } = must(await api.del<ApiKey & { revoked: object[] }>(`/api-key/${parent.id}${query}`));
      const created = [grandchild, child].map(({ id, name }) => ({ id, name }));
      expect(revoked).toEqual(goes ? created : []);
      const left = await listed();
      expect(created.map(({ id }) => left.includes(id))).toEqual([!goes, !goes]);
    }
    for (const query of ['keep_created=', 'keep_created=yes', 'keep_created=true&keep_created=true'])
      expectRefused(await api.del(`/api-key/${theirs.ids.apiKey}?${query}`), 400, 'keep_created');
  });

  test('of another account is neither listed nor revoked', async () => {
    expect(await listed()).not.toContain(theirs.ids.apiKey);
    expectRefused(await api.del(`/api-key/${theirs.ids.apiKey}`), 403);
  });
});

describe('a key is refused', () => {
  test.each<[string, unknown]>([
    ['name', undefined],
    ['name', null],
    ['name', ''],
    ['name', '  '],
    ['name', 7],
    ['name', '🙂'.repeat(201)],
    ['scopes', undefined],
    ['scopes', null],
    ['scopes', 'CHATBOTS_WRITE'],
    ['scopes', {}],
    ['scopes', [7]],
    ['scopes', ['NOTHING']],
    ['scopes', ['chatbots_write']],
    ['scopes', ['']],
    ['expires_at', ''],
    ['expires_at', 'nope'],
    ['expires_at', '2026-02-30'],
    ['expires_at', '2001-01-01'],
    ['expires_at', 7],
    ['expires_at', true],
  ])('with %s %j, and nothing is stored', async (field, value) => {
    const before = await listed();
    expectRefused(await create({ [field]: value }), 400, field);
    expect(await listed()).toEqual(before);
  });
});
