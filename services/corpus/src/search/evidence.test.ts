import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { evidenceOf, FEATURES, type Features, relatednessOf } from './evidence.ts';
import { ANY, E5, MINILM, WORDS } from './priors.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const level = fc.double({ min: -3, max: 5, noNaN: true });
const features = fc.record({ similarity: level, lead: level, words: share, coverage: share, length: fc.nat(8) });
const priors = fc.constantFrom(MINILM, E5, ANY, WORDS);
const calibration = fc.record({ scale: fc.double({ min: 0.2, max: 3, noNaN: true }), offset: level });

test('more of a feature never lowers evidence nor relatedness, however a build sees it', () => {
  fc.assert(
    fc.property(features, fc.constantFrom(...FEATURES), share, priors, calibration, (less, name, by, prior, own) => {
      const more: Features = { ...less, [name]: less[name] + by };
      expect(evidenceOf(more, prior, own)).toBeGreaterThanOrEqual(evidenceOf(less, prior, own));
      expect(relatednessOf(more, prior)).toBeGreaterThanOrEqual(relatednessOf(less, prior));
    }),
  );
});

test('a passage as far as any of another field is hardly related, one nearer than the neighbours of the answer is', () => {
  for (const prior of [MINILM, E5, ANY]) {
    const at = (similarity: number, coverage: number) =>
      relatednessOf({ similarity, lead: 0, words: 0, coverage, length: 5 }, prior);
    expect(at(0, 0)).toBeLessThan(0.1);
    expect(at(1.5, 0.5)).toBeGreaterThan(0.9);
  }
});
