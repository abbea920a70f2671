import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTop } from './top.ts';

test('the kept items are the start of the whole list sorted by score', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.integer({ min: 0, max: 8 }), (scores, limit) => {
      const top = createTop<{ score: number }>(limit);
      for (const score of scores) top.offer({ score });
      const kept = top.items().map(({ score }) => score);
      expect(kept).toEqual(scores.toSorted((a, b) => b - a).slice(0, limit));
    }),
  );
});
