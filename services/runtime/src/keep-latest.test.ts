import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { keepLatest } from './keep-latest.ts';

test('a map keeps its latest keys, each with its last value, and never exceeds its limit', () => {
  const entries = fc.array(fc.tuple(fc.integer({ min: 0, max: 8 }), fc.integer()));
  fc.assert(
    fc.property(entries, fc.integer({ min: 1, max: 6 }), (written, max) => {
      const map = new Map<number, number>();
      for (const [key, value] of written) {
        keepLatest(map, key, value, max);
        expect(map.size).toBeLessThanOrEqual(max);
      }
      const latest = [...new Map(written.toReversed().map(([key]) => [key, 0])).keys()].slice(0, max).reverse();
      expect([...map]).toEqual(latest.map((key) => [key, written.findLast(([k]) => k === key)![1]]));
    }),
  );
});
