import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evidenceOf, hasEvidence } from './evidence.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const cosine = fc.double({ min: -1, max: 1, noNaN: true });

test('similarity alone is enough, so an answer need not share a word with its question', () => {
  expect(hasEvidence({ similarity: 0.58, coverage: 0 })).toBe(true); // a refund, asked for as money back
  expect(hasEvidence({ similarity: 0.2, coverage: 0 })).toBe(false); // the capital of Mongolia, asked of Debian's FAQ
});

test('words alone are not, where the vectors disagree', () => {
  expect(hasEvidence({ similarity: 0.1, coverage: 1 })).toBe(false);
});

test('without vectors the words decide', () => {
  expect(hasEvidence({ coverage: 1 })).toBe(true);
  expect(hasEvidence({ coverage: 0.3 })).toBe(false);
  expect(hasEvidence({ coverage: 0 })).toBe(false);
});

test('more similarity or coverage never turns evidence into none', () => {
  fc.assert(
    fc.property(cosine, cosine, share, share, (s1, s2, c1, c2) => {
      const [low, high] = [Math.min(s1, s2), Math.max(s1, s2)];
      const [few, many] = [Math.min(c1, c2), Math.max(c1, c2)];
      if (hasEvidence({ similarity: low, coverage: few }))
        expect(hasEvidence({ similarity: high, coverage: many })).toBe(true);
      if (hasEvidence({ coverage: few })) expect(hasEvidence({ coverage: many })).toBe(true);
    }),
  );
});

test('what is far behind the best passage is left out, and so is what is no evidence itself', () => {
  const passage = (similarity: number, score: number) => ({ similarity, coverage: 0, score });
  const [best, close, far, poor] = [passage(0.8, 1), passage(0.7, 0.7), passage(0.6, 0.5), passage(0.2, 0.9)];
  expect(evidenceOf([best, poor, close, far])).toEqual([best, close]);
  expect(evidenceOf([poor])).toEqual([]);
});
