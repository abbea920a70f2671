import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import fc from 'fast-check';
import { type World, world } from '../testing/world.ts';
import { createCursors, type ListIdentity } from './cursor.ts';

let w: World;
let items: string[];
beforeAll(async () => {
  w = await world();
  items = [];
  for (const n of [1, 2, 3, 4, 5]) items.unshift((await w.post('/knowledge/faq', { title: `F${n}` })).body.data.id);
});
afterAll(() => w.end());

const { seal, open } = createCursors(randomId());
const position = fc.string({ minLength: 1, unit: 'binary' });
const list: fc.Arbitrary<ListIdentity> = fc.record({
  account: fc.uuid(),
  list: fc.constantFrom('/knowledge', '/chatbots'),
  parent: fc.record({ id: fc.uuid() }),
  filter: fc.record({ created_after: fc.option(fc.date({ noInvalidDate: true }), { nil: undefined }) }),
});

test('a sealed position opens again, and is URL-safe', () => {
  fc.assert(
    fc.property(list, position, (of, at) => {
      const cursor = seal(of, at);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
      expect(open(of, cursor)).toBe(at);
    }),
  );
});

test('a cursor is refused by any other list', () => {
  fc.assert(
    fc.property(list, list, position, (of, other, at) => {
      fc.pre(JSON.stringify(of) !== JSON.stringify(other));
      expect(() => open(other, seal(of, at))).toThrow('next_cursor');
    }),
  );
});

test('a cursor with any character changed, added or removed is refused', () => {
  const edit = fc.record({ at: fc.nat(), with: fc.constantFrom('', 'A', 'b', '-', '=', ' ', '%00') });
  fc.assert(
    fc.property(list, position, edit, (of, at, { at: place, with: put }) => {
      const cursor = seal(of, at);
      const i = place % (cursor.length + 1);
      const edited = cursor.slice(0, i) + put + cursor.slice(i + 1);
      fc.pre(edited !== cursor);
      expect(() => open(of, edited)).toThrow('next_cursor');
    }),
  );
});

test('pages lead to the end of the list, with any limit and any key of the account', async () => {
  const seen: string[] = [];
  let path = '/knowledge?limit=2';
  for (let more = true; more; ) {
    const { data } = (await w.get(path, { key: w.keyWith() })).body;
    expect(data.total).toBe(5);
    expect('next_cursor' in data).toBe(data.has_more);
    seen.push(...data.items.map((item: { id: string }) => item.id));
    more = data.has_more;
    path = `/knowledge?limit=1&next_cursor=${data.next_cursor}`;
  }
  expect(seen).toEqual(items);
});

test.each(['limit=0', 'limit=101', 'limit=', 'limit=x', 'limit=1.5', 'limit=05', 'limit=1&limit=1', 'limit=-1'])(
  'a bad limit is 400: %s',
  async (query) => {
    expect(await w.get(`/knowledge?${query}`)).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^limit /) },
    });
  },
);

test('a cursor of another list is 400', async () => {
  const cursor = (await w.get('/knowledge?limit=1')).body.data.next_cursor;
  const pages = (await w.get(`/knowledge/${items[0]}/sub-pages`)).body.data.next_cursor;
  const refused = [
    '/knowledge?next_cursor=',
    '/knowledge?next_cursor=nonsense',
    `/knowledge?next_cursor=${cursor}&next_cursor=${cursor}`,
    `/knowledge?next_cursor=${pages}`,
    `/knowledge/${items[1]}/sub-pages?next_cursor=${pages}`,
  ];
  for (const path of refused)
    expect(await w.get(path)).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^next_cursor /) } });
  expect((await w.get(`/knowledge?next_cursor=${cursor}`, { key: w.other.key })).status).toBe(400);
  expect((await w.get(`/knowledge/${items[0]!.toUpperCase()}/sub-pages?next_cursor=${pages}`)).status).toBe(200);
});
