import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTop } from './top.ts';

test('the kept items are the start of the whole list sorted, ties included', () => {
  const item = fc.record({ score: fc.integer({ min: 0, max: 5 }), id: fc.integer() });
  const order = (a: { score: number; id: number }, b: { score: number; id: number }) =>
    b.score - a.score || a.id - b.id;
  fc.assert(
    fc.property(fc.array(item), fc.integer({ min: 0, max: 8 }), (items, limit) => {
      const top = createTop(limit, order);
      for (const one of items) if (top.admits(one.score)) top.offer(one);
      expect(top.items).toEqual(items.toSorted(order).slice(0, limit));
    }),
  );
});
