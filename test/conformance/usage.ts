import { expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Usage } from '../e2e/resources.ts';
import { expectFields, expectRefused } from './check.ts';
import { a, b, scoped } from './given.ts';

const usage = async (api = a.api) => must(await api.get<Usage[]>('/usage'));
const used = async (name: string) => (await usage()).find((each) => each.name === name)!.used;

const NONE = [
  'items',
  'faq_items',
  'files',
  'bytes',
  'chunks',
  'index_bytes',
  'chats',
  'tickets',
  'emails',
  'mail_bytes',
  'keys',
  'webhooks',
];
const BY_TIME = ['model_tokens', 'embedding_tokens'];

test('usage names each resource once, and tokens by day and by month', async () => {
  const all = await usage();
  for (const each of all)
    expectFields(each, {
      name: expect.any(String),
      used: expect.any(Number),
      limit: each.limit === null ? null : expect.any(Number),
      window: expect.stringMatching(/^(none|day|month)$/),
      spent_at: each.spent_at === null ? null : expect.any(String),
    });
  const windows = (window: string) => all.filter((each) => each.window === window).map(({ name }) => name);
  expect(windows('none').sort()).toEqual([...NONE].sort());
  for (const window of ['day', 'month']) expect(windows(window).sort()).toEqual([...BY_TIME].sort());
});

test('what is created counts at once, and what is deleted no longer', async () => {
  const before = { items: await used('items'), keys: await used('keys'), faq_items: await used('faq_items') };
  const { id } = await a.faq('Counted', { 'Why?': 'So.' });
  const key = must(await a.api.post<{ id: string }>('/api-keys', { name: 'counted', scopes: [] }));
  expect(await used('items')).toBe(before.items + 1);
  expect(await used('faq_items')).toBe(before.faq_items + 1);
  expect(await used('keys')).toBe(before.keys + 1);
  must(await a.api.del(`/knowledge/${id}`));
  must(await a.api.del(`/api-key/${key.id}`));
  expect(await used('items')).toBe(before.items);
  expect(await used('keys')).toBe(before.keys);
});

test('accounts are counted apart, and only for keys with ACCOUNT_WRITE', async () => {
  const before = await usage(b.api);
  await a.faq('Not yours');
  expect(await usage(b.api)).toEqual(before);
  must(await scoped.ACCOUNT_WRITE.only.get('/usage'));
  expectRefused(await scoped.ACCOUNT_WRITE.without.get('/usage'), 403, 'ACCOUNT_WRITE');
});
