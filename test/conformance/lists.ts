import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { ApiKey, Page } from '../e2e/resources.ts';
import { html, site } from '../e2e/site.ts';
import { expectRefused, pageOf } from './check.ts';
import { a, b, mine, parents, readsOurSites, seed } from './given.ts';
import { HOOK, unique } from './operations.ts';
import { opened, type SeedRow } from './seed.ts';

const { api } = a;

type Item = { id: string; page_url?: string; created_at?: string };
type Added = { id: string };

interface List {
  path: string;
  /** Creates items, the newest last. */
  add?(count: number): Promise<Added[]>;
  remove?(id: string): Promise<unknown>;
  /** Number of items added first: enough for a second page where that is cheap. */
  seeds?: number;
  identity?: (item: Item) => string;
}

const each = (create: () => Promise<Added>) => async (count: number) => {
  const made: Added[] = [];
  while (made.length < count) made.push(await create());
  return made;
};
const posted = (path: string, body: object) => each(async () => must(await api.post<Added>(path, body)));

const { faq, chatbot: bot, form, inbox } = parents;

const threads = (kind: SeedRow['kind'], parent: Added) => async (count: number) => {
  const email = `${unique()}@example.com`;
  const row = { kind, parent: { id: parent.id }, email, message: 'Hello?', ...(kind === 'email' && { subject: 'S' }) };
  const ids = await opened(seed, Array<SeedRow>(count).fill(row));
  return ids.map((id) => ({ id }));
};

const chats = each(async () => must(await api.post<Added>(`/chatbot/${bot.id}/reply`, { message: 'Hello?' })));

const LISTS: List[] = [
  {
    path: '/knowledge',
    add: posted('/knowledge/faq', { title: 'T' }),
    remove: (id) => api.del(`/knowledge/${id}`),
    seeds: 26,
  },
  {
    path: `/knowledge/${faq.id}/faq-items`,
    add: posted(`/knowledge/${faq.id}/faq-item`, { question: 'Why?', answer: 'So.' }),
    remove: (id) => api.del(`/knowledge/${faq.id}/faq-item/${id}`),
    seeds: 26,
  },
  { path: `/chatbot/${bot.id}/chats`, add: chats, seeds: 26 },
  { path: `/ticket-form/${form.id}/tickets`, add: threads('ticket', form), seeds: 26 },
  { path: `/email-inbox/${inbox.id}/emails`, add: threads('email', inbox), seeds: 26 },
  {
    path: '/api-keys',
    add: posted('/api-keys', { name: 'k', scopes: [] }),
    remove: (id) => api.del(`/api-key/${id}`),
    seeds: 26,
  },
  {
    path: '/webhooks',
    add: posted('/webhooks', { ...HOOK, enabled: false }),
    remove: (id) => api.del(`/webhook/${id}`),
    seeds: 26,
  },
  { path: `/webhook/${mine.ids.webhook}/deliveries`, add: posted(`/webhook/${mine.ids.webhook}/test`, {}), seeds: 26 },
  { path: '/personas', add: posted('/personas', { name: 'P' }), remove: (id) => api.del(`/persona/${id}`), seeds: 26 },
];

const BAD_LIMITS = [
  '0',
  '101',
  '-1',
  '1.5',
  '5.5',
  'ten',
  '',
  ' 5',
  '5&limit=5',
  '1e1',
  '0x10',
  '+5',
  'NaN',
  '9999999999999999999',
];

const idOf = ({ id }: Item) => id;

describe.each(LISTS)('$path', ({ path, add, remove, seeds = 0, identity = idOf }) => {
  const read = async (query = '') => pageOf(await api.get<Page<Item>>(`${path}${query}`));
  const next = (of: Page<Item>, limit: number) =>
    read(`?limit=${limit}&next_cursor=${encodeURIComponent(of.next_cursor!)}`);
  const idsIn = (items: Item[]) => items.map((item) => identity(item));
  let total = 0;

  test('returns 25 items by default, newest first, and the total', async () => {
    const { total: before } = await read('?limit=1');
    const made = (await add!(seeds)).map(({ id }) => id).reverse();
    const first = await read();
    ({ total } = first);
    expect(total).toBe(before + seeds);
    expect(first.items.length).toBe(25);
    expect(first.has_more).toBe(true);
    expect(new Set(idsIn(first.items))).toEqual(new Set(made.slice(0, 25)));
    const times = first.items.map(({ created_at }) => created_at ?? '');
    expect(times).toEqual([...times].sort().reverse());
  });

  test('returns every item once, whatever the page size', async () => {
    const all = idsIn(await api.all<Item>(path, 100));
    expect(all.length).toBe(total);
    expect(new Set(all).size).toBe(total);
    for (const limit of [5, 13]) expect(idsIn(await api.all<Item>(path, limit))).toEqual(all);
    let one = await read('?limit=1');
    for (const id of all.slice(0, 3)) {
      expect(idsIn(one.items)).toEqual([id]);
      one = await next(one, 1);
    }
  });

  test('accepts another limit with a cursor; the last page has no cursor', async () => {
    const all = idsIn(await api.all<Item>(path, 100));
    const first = await read('?limit=2');
    expect(first.next_cursor).toMatch(/^[\w-]+(\.[\w-]+)*$/);
    const second = await next(first, 100);
    expect([...idsIn(first.items), ...idsIn(second.items)]).toEqual(all.slice(0, 102));
    if (total > 100) return;
    expect(second).toEqual({ items: second.items, total, has_more: false });
    const exact = await read(`?limit=${total}`);
    expect(exact).toEqual({ items: exact.items, total, has_more: false });
  });

  test.each(BAD_LIMITS)('refuses %p as a limit', async (limit) => {
    expectRefused(await api.get(`${path}?limit=${limit.replace('+', '%2B')}`), 400, 'limit');
  });

  test('accepts 1 and 100 as a limit', async () => {
    expect((await read('?limit=1')).items.length).toBe(1);
    expect((await read('?limit=100')).items.length).toBe(Math.min(100, total));
  });

  test('refuses invalid cursors and those of other lists', async () => {
    const { next_cursor: cursor = '' } = await read('?limit=1');
    const middle = `${cursor.slice(0, 20)}${cursor[20] === 'Q' ? 'R' : 'Q'}${cursor.slice(21)}`;
    const cursors = [
      '',
      'nonsense',
      `${cursor.slice(0, -1)}${cursor.at(-1) === 'A' ? 'B' : 'A'}`,
      `${cursor[0] === 'x' ? 'y' : 'x'}${cursor.slice(1)}`,
      middle,
      `${cursor}&next_cursor=${cursor}`,
      `${cursor}%00`,
      `${cursor}=`,
      cursor.slice(0, -4),
    ];
    const at = LISTS.findIndex((list) => list.path === path);
    for (const other of [LISTS.at(at - 1)!, LISTS.at(at - 2)!])
      cursors.push(must(await api.get<Page<Item>>(`${other.path}?limit=1`)).next_cursor!);
    for (const bad of cursors) expectRefused(await api.get(`${path}?next_cursor=${bad}`), 400, 'next_cursor');
  });

  test('ignores unknown parameters', async () => {
    expect((await read('?limit=1&colour=red&offset=3&page=2&limit%5B%5D=0')).items.length).toBe(1);
  });

  test('neither skips nor repeats an item while others are added and removed', async () => {
    const before = idsIn(await api.all<Item>(path, 100));
    const first = await read('?limit=3');
    await add!(1);
    if (remove) await remove(before[1]!);
    // The cursor stands on an item that no longer exists.
    if (remove) await remove(before[2]!);
    const second = await next(first, 3);
    if (remove) await remove(before[3]!);
    await add!(1);
    const seen = [...idsIn(first.items), ...idsIn(second.items)];
    for (let at = second; at.has_more; ) {
      at = await next(at, 100);
      seen.push(...idsIn(at.items));
    }
    expect(seen).toEqual(before);
    expect((await read('?limit=1')).total).toBe(before.length + (remove ? -1 : 2));
  });
});

test('a cursor works with every key of its account, but not for another account or parent', async () => {
  const cursorOf = async (path: string) => must(await api.get<Page<unknown>>(`${path}?limit=1`)).next_cursor;
  const cursor = await cursorOf('/knowledge');
  expectRefused(await b.api.get(`/knowledge?next_cursor=${cursor}`), 400, 'next_cursor');
  const { key: second } = must(await api.post<ApiKey>('/api-keys', { name: 'second', scopes: [] }));
  expect((await api.as(`Bearer ${second}`).get(`/knowledge?next_cursor=${cursor}`)).status).toBe(200);
  for (const [from, to] of [
    [`/knowledge/${faq.id}/faq-items`, `/knowledge/${mine.ids.faq}/faq-items`],
    [`/chatbot/${bot.id}/chats`, `/chatbot/${mine.ids.chatbot}/chats`],
    [`/ticket-form/${form.id}/tickets`, `/ticket-form/${mine.ids.form}/tickets`],
    [`/email-inbox/${inbox.id}/emails`, `/email-inbox/${mine.ids.inbox}/emails`],
  ] as const)
    expectRefused(await api.get(`${to}?next_cursor=${await cursorOf(from)}`), 400, 'next_cursor');
});

test('a cursor fits its parent whatever the case of its id', async () => {
  for (const [id, path, children] of [
    [bot.id, 'chatbot', 'chats'],
    [form.id, 'ticket-form', 'tickets'],
    [inbox.id, 'email-inbox', 'emails'],
  ] as const) {
    const first = pageOf(await api.get<Page<Item>>(`/${path}/${id}/${children}?limit=1`));
    const at = `/${path}/${id.toUpperCase()}/${children}`;
    const second = pageOf(await api.get<Page<Item>>(`${at}?limit=1&next_cursor=${first.next_cursor}`));
    const both = pageOf(await api.get<Page<Item>>(`${at}?limit=2`));
    expect([...first.items, ...second.items]).toEqual(both.items);
  }
});

describe.each(['/chatbots', '/ticket-forms', '/email-inboxes'])('%s', (path) => {
  test('is a plain array of all, newest first, whatever the parameters', async () => {
    const body = () => ({ title: 'Newest', ...(path === '/email-inboxes' && { alias: unique() }) });
    const [first, second] = [must(await api.post<Added>(path, body())), must(await api.post<Added>(path, body()))];
    const listed = must(await api.get<Added[]>(`${path}?limit=0&next_cursor=`));
    expect(listed.slice(0, 2).map(({ id }) => id)).toEqual([second.id, first.id]);
    expect(must(await api.get(path))).toEqual(listed);
    expect(must(await b.api.get<Added[]>(path)).map(({ id }) => id)).not.toContain(first.id);
  });
});

(readsOurSites ? test : test.skip)('sub pages are paginated by address', async () => {
  const paths = ['/', '/p1', '/p2', '/p3'];
  const page = (path: string) => html(path, `This page tells about lighthouse ${path}.`, paths);
  await using pages = await site(Object.fromEntries(paths.map((path) => [path, page(path)])));
  const website = await a.website(pages.url);
  expect((await a.train(website)).training_failed_with).toBe(null);
  const at = `/knowledge/${website.id}/sub-pages`;
  const found = await api.all<Item>(at, 2);
  expect(found.map(({ page_url }) => page_url)).toEqual(paths);
  const first = pageOf(await api.get<Page<Item>>(`${at}?limit=1`));
  expect(first).toMatchObject({ total: 4, has_more: true });
  for (const limit of BAD_LIMITS.slice(0, 4)) expectRefused(await api.get(`${at}?limit=${limit}`), 400, 'limit');
  for (const bad of ['', 'x', `${first.next_cursor}A`])
    expectRefused(await api.get(`${at}?next_cursor=${bad}`), 400, 'next_cursor');
  expectRefused(await api.get(`/knowledge?next_cursor=${first.next_cursor}`), 400, 'next_cursor');
});
