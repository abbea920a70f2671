import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { confidenceOf, mayBeAbout } from './evidence.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const GRADES = [null, 'low', 'high'];

test('no evidence is no answer, and certainty is high confidence', () => {
  expect([{}, { evidence: 0 }, { evidence: 1 }].map(confidenceOf)).toEqual([null, null, 'high']);
  expect([{}, { relatedness: 0 }, { relatedness: 1 }].map(mayBeAbout)).toEqual([false, false, true]);
});

test('more evidence never lowers the confidence, and what is worth quoting with high confidence is shown to a model', () => {
  fc.assert(
    fc.property(share, share, (a, b) => {
      const [less, more] = [Math.min(a, b), Math.max(a, b)].map((evidence) => confidenceOf({ evidence }));
      expect(GRADES.indexOf(less!)).toBeLessThanOrEqual(GRADES.indexOf(more!));
      if (confidenceOf({ evidence: a }) === 'high') expect(mayBeAbout({ evidence: a, relatedness: b })).toBe(true);
    }),
  );
});
