import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { Chat, Chatbot, FaqItem, KnowledgeItem, Page } from '../e2e/resources.ts';
import { b, listed, theirs } from './given.ts';

const { account: a, ids, website, attachable } = listed;
const { api } = a;

const knowledge = () => a.faq('One more');
const faqItem = async () =>
  must(await api.post<FaqItem>(`/knowledge/${ids.faq}/faq-item`, { question: 'Why?', answer: 'So.' }));
const chat = () => a.ask({ id: ids.chatbot }, 'When is the shop open?');
const key = async () => must(await api.post<{ id: string }>('/api-keys', { name: 'k', scopes: [] }));
const attach = async (item: { id: string }) => {
  must(await api.put(`/chatbot/${ids.chatbot}/knowledge`, { knowledge_id: item.id }));
  return item;
};

type Item = { id: string; page_url?: string };

interface List {
  path: string;
  /** Makes one more item, which comes first. */
  add?(): Promise<{ id: string }>;
  remove?(id: string): Promise<unknown>;
  /** How many are added before the test begins: enough for a second page where that is cheap. */
  seeds?: number;
  identity?: (item: Item) => string;
}

const LISTS: List[] = [
  { path: '/knowledge', add: knowledge, remove: (id) => api.del(`/knowledge/${id}`), seeds: 24 },
  {
    path: `/knowledge/${ids.faq}/faq-items`,
    add: faqItem,
    remove: (id) => api.del(`/knowledge/${ids.faq}/faq-item/${id}`),
    seeds: 26,
  },
  { path: `/knowledge/${website.id}/sub-pages`, identity: ({ page_url }) => page_url! },
  { path: `/chatbot/${ids.chatbot}/chats`, add: chat, seeds: 26 },
  { path: '/api-keys', add: key, remove: (id) => api.del(`/api-key/${id}`), seeds: 26 },
];

const idOf = ({ id }: Item) => id;

describe.each(LISTS)('$path', ({ path, add, remove, seeds = 0, identity = idOf }) => {
  const read = async (query = '') => must(await api.get<Page<Item>>(`${path}${query}`));
  const next = (of: Page<Item>, limit: number) =>
    read(`?limit=${limit}&next_cursor=${encodeURIComponent(of.next_cursor!)}`);
  const idsIn = (items: Item[]) => items.map((item) => identity(item));
  let total = 0;

  test('gives 25 by default, the newest first, and says how many there are', async () => {
    const made: string[] = [];
    for (let i = 0; i < seeds; i++) made.unshift((await add!()).id);
    const first = await read();
    ({ total } = first);
    expect(first.items.length).toBe(Math.min(25, total));
    expect(first.has_more).toBe(total > 25);
    expect(Object.keys(first).sort()).toEqual(
      total > 25 ? ['has_more', 'items', 'next_cursor', 'total'] : ['has_more', 'items', 'total'],
    );
    if (add) expect(idsIn(first.items).slice(0, seeds)).toEqual(made.slice(0, 25));
  });

  test('gives every item once, however large the pages are', async () => {
    const all = idsIn(await api.all<Item>(path, 100));
    expect(all.length).toBe(total);
    expect(new Set(all).size).toBe(total);
    for (const limit of [1, 3, 7])
      if (total < 20 || limit > 1) expect(idsIn(await api.all<Item>(path, limit))).toEqual(all);
  });

  test('takes another limit with a cursor, and ends without one', async () => {
    const all = idsIn(await api.all<Item>(path, 100));
    const first = await read('?limit=2');
    expect(first.next_cursor).toMatch(/^[\w-]+(\.[\w-]+)*$/);
    const rest = await next(first, 100);
    expect([...idsIn(first.items), ...idsIn(rest.items)]).toEqual(all);
    expect(rest).toEqual({ items: rest.items, total, has_more: false });
    const exact = await read(`?limit=${Math.min(total, 100)}`);
    expect(exact.has_more).toBe(false);
  });

  test.each(['0', '101', '-1', '1.5', 'ten', '', ' 5', '5&limit=5', '1e1', '0x10', '+5', 'NaN', '9999999999999999999'])(
    'refuses %p as a limit',
    async (limit) => {
      const refused = await api.get(`${path}?limit=${limit.replace('+', '%2B')}`);
      expect(refused).toMatchObject({ status: 400, body: { message: expect.stringContaining('limit') } });
    },
  );

  test('refuses a cursor that is not of this list', async () => {
    const { next_cursor: cursor = '' } = await read('?limit=1');
    const last = cursor.at(-1) === 'A' ? 'B' : 'A';
    const twice = `${cursor}&next_cursor=${cursor}`;
    const first = cursor[0] === 'x' ? 'y' : 'x';
    const middle = `${cursor.slice(0, 20)}${cursor[20] === 'Q' ? 'R' : 'Q'}${cursor.slice(21)}`;
    const cursors = [
      '',
      'nonsense',
      `${cursor.slice(0, -1)}${last}`,
      `${first}${cursor.slice(1)}`,
      middle,
      twice,
      `${cursor}%00`,
      `${cursor}=`,
    ];
    for (const other of LISTS.filter((list) => list.path !== path)) {
      cursors.push(must(await api.get<Page<Item>>(`${other.path}?limit=1`)).next_cursor!);
    }
    for (const bad of cursors) {
      const refused = await api.get(`${path}?next_cursor=${bad}`);
      expect({ bad, status: refused.status }).toEqual({ bad, status: 400 });
      expect(refused.body.message).toContain('next_cursor');
    }
  });

  test('ignores parameters that it does not know', async () => {
    expect((await read('?limit=1&colour=red&offset=3&page=2&limit%5B%5D=0')).items.length).toBe(1);
  });

  if (!add) return;

  test('neither skips nor repeats an item while others come and go', async () => {
    const before = idsIn(await api.all<Item>(path, 100));
    const first = await read('?limit=3');
    await add();
    if (remove) await remove(before[1]!);
    const second = await next(first, 3);
    if (remove) await remove(before[3]!);
    await add();
    const seen = [...idsIn(first.items), ...idsIn(second.items)];
    for (let at = second; at.has_more; ) {
      at = await next(at, 10);
      seen.push(...idsIn(at.items));
    }
    expect(seen).toEqual(before);
    expect((await read('?limit=1')).total).toBe(before.length + (remove ? 0 : 2));
  });
});

test("a cursor is its account's, of its parent, and of every key of the account", async () => {
  const cursorOf = async (path: string) => must(await api.get<Page<unknown>>(`${path}?limit=1`)).next_cursor;
  const cursor = await cursorOf('/knowledge');
  expect((await b.api.get(`/knowledge?next_cursor=${cursor}`)).status).toBe(400);
  const { key: second } = must(await api.post<{ key: string }>('/api-keys', { name: 'second', scopes: [] }));
  expect((await api.as(`Bearer ${second}`).get(`/knowledge?next_cursor=${cursor}`)).status).toBe(200);
  const items = await cursorOf(`/knowledge/${ids.faq}/faq-items`);
  expect((await api.get(`/knowledge/${attachable[0]!.id}/faq-items?next_cursor=${items}`)).status).toBe(400);
});

test('sub pages come in the order of their addresses', async () => {
  const subPages = await api.all<{ page_url: string }>(`/knowledge/${website.id}/sub-pages`, 2);
  expect(subPages.map(({ page_url }) => page_url)).toEqual(['/', '/p1', '/p2', '/p3', '/p4', '/p5', '/p6']);
});

test('attached knowledge comes by the time of attaching, the newest first, in pages', async () => {
  const bot = must(await api.post<Chatbot>('/chatbots', { title: 'Order' }));
  const [one, two, three, four] = attachable.map(({ id }) => id);
  for (const id of [three, one, four, two]) must(await api.put(`/chatbot/${bot.id}/knowledge`, { knowledge_id: id }));
  must(await api.put(`/chatbot/${bot.id}/knowledge`, { knowledge_id: three }));
  const attached = await api.all<KnowledgeItem>(`/chatbot/${bot.id}/knowledge`, 1);
  expect(attached.map(({ id }) => id)).toEqual([two, four, one, three]);
  const first = must(await api.get<Page<KnowledgeItem>>(`/chatbot/${bot.id}/knowledge?limit=2`));
  expect(first).toMatchObject({ total: 4, has_more: true });
  must(await api.del(`/chatbot/${bot.id}/knowledge`, { knowledge_id: four }));
  await attach({ id: ids.faq });
  const rest = must(
    await api.get<Page<KnowledgeItem>>(`/chatbot/${bot.id}/knowledge?next_cursor=${first.next_cursor}`),
  );
  expect(rest.items.map(({ id }) => id)).toEqual([one, three]);
  expect((await api.get(`/chatbot/${ids.chatbot}/knowledge?next_cursor=${first.next_cursor}`)).status).toBe(400);
});

test('the list of chatbots is a plain array, whatever its parameters', async () => {
  const chatbots = must(await b.api.get<Chatbot[]>('/chatbots?limit=0&next_cursor='));
  expect(chatbots.map(({ id }) => id)).toEqual([theirs.ids.chatbot]);
});

describe('chats by date', () => {
  const at = `/chatbot/${ids.chatbot}/chats`;
  const listed = (query: Record<string, string>) => api.get<Page<Chat>>(`${at}?${new URLSearchParams(query)}`);

  test('are those strictly between the two, and the total counts just these', async () => {
    const newest = must(await listed({ limit: '1' })).items[0]!;
    const total = must(await listed({})).total;
    expect(must(await listed({ created_after: newest.created_at }))).toEqual({ items: [], total: 0, has_more: false });
    expect(must(await listed({ created_before: newest.created_at })).total).toBe(total - 1);
    const zoned = new Date(Date.parse(newest.created_at) - 1 + 5.5 * 3_600_000).toISOString().replace('Z', '+05:30');
    expect(must(await listed({ created_after: zoned })).total).toBe(1);
    const unzoned = new Date(Date.parse(newest.created_at) - 1).toISOString().replace('Z', '');
    expect(must(await listed({ created_after: unzoned })).total).toBe(1);
    const both = { created_after: unzoned, created_before: newest.created_at };
    expect(must(await listed(both)).total).toBe(0);
    expect(must(await listed({ created_after: '2100-01-01', created_before: '2000-01-01' })).total).toBe(0);
  });

  test('page by page, with a cursor of the same filter only', async () => {
    const query = { created_after: '2020-01-01', limit: '2' };
    const first = must(await listed(query));
    expect(must(await listed({ ...query, next_cursor: first.next_cursor! })).items.length).toBe(2);
    expect((await listed({ limit: '2', next_cursor: first.next_cursor! })).status).toBe(400);
    expect((await listed({ ...query, created_after: '2020-01-02', next_cursor: first.next_cursor! })).status).toBe(400);
  });

  const good = [
    '2026-01-31',
    '2024-02-29',
    '2026-01-31T10:00:00Z',
    '2026-01-31T10:00',
    '2026-01-31T10:00:00.123+02:00',
    '2026-01-31 10:00:00',
    'Jan 31, 2026',
    '31 January 2026',
    'Sat, 31 Jan 2026 10:00:00 GMT',
  ];
  test.each(good)('takes %p', async (date) => {
    expect(must(await listed({ created_after: date })).total).toBeGreaterThan(0);
    expect(must(await listed({ created_before: date })).total).toBe(0);
  });

  const bad = [
    '',
    ' ',
    'yesterday',
    '2026-02-30',
    '2025-02-29',
    '2026-04-31T00:00:00Z',
    '2026-13-01',
    '2026-00-10',
    '2026-01-32',
    '2026-01-01T25:00:00Z',
    '2026-01-01T10:61:00Z',
    '30 February 2026',
    'Feb 30, 2026',
    '2026-01-01T00:00:00+99:00',
    '2026-01-31garbage',
  ];
  test.each(bad)('refuses %p', async (date) => {
    for (const name of ['created_before', 'created_after']) {
      expect(await listed({ [name]: date })).toMatchObject({
        status: 400,
        body: { message: expect.stringContaining(name) },
      });
    }
  });

  test('refuses a date that is given twice', async () => {
    expect((await api.get(`${at}?created_after=2020-01-01&created_after=2020-01-01`)).status).toBe(400);
  });
});
