import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pageOfAttached } from './attached.ts';

const attached = fc.uniqueArray(
  fc.record({ item: fc.uuid(), at: fc.integer({ min: 0, max: 5 }).map((ms) => new Date(ms)) }),
  { selector: ({ item }) => item, maxLength: 30 },
);

test('pages show every item once, newest first, whatever their size', () => {
  fc.assert(
    fc.property(attached, fc.integer({ min: 1, max: 10 }), (all, limit) => {
      const seen = [];
      for (let nextCursor = '', more = true; more; ) {
        const page = pageOfAttached(all, { limit, nextCursor });
        expect(page.total).toBe(all.length);
        seen.push(...page.items);
        ({ nextCursor, hasMore: more } = page);
      }
      expect(new Set(seen)).toEqual(new Set(all));
      expect(seen).toHaveLength(all.length);
      for (let i = 1; i < seen.length; i++) expect(+seen[i]!.at).toBeLessThanOrEqual(+seen[i - 1]!.at);
    }),
  );
});

test('items detached between two pages move nothing else', () => {
  const all = ['a', 'b', 'c', 'd'].map((item, i) => ({ item, at: new Date(i) }));
  const first = pageOfAttached(all, { limit: 2, nextCursor: '' });
  expect(first.items.map((one) => one.item)).toEqual(['d', 'c']);
  const rest = pageOfAttached(all.slice(0, 2), { limit: 2, nextCursor: first.nextCursor });
  expect(rest.items.map((one) => one.item)).toEqual(['b', 'a']);
});

test('a cursor that this list did not return is refused', () => {
  for (const nextCursor of ['x', '!!', Buffer.from('12').toString('base64url')])
    expect(() => pageOfAttached([], { limit: 1, nextCursor })).toThrow('next_cursor');
});
