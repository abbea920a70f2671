import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { ABOUT, ANSWERS, evidenceOf, type Features, leadsOf, relatednessOf, scoreOf } from './evidence.ts';
import { ANY, E5, MINILM, WORDS } from './priors.ts';

const share = fc.double({ min: 0, max: 1, noNaN: true });
const level = fc.double({ min: -3, max: 5, noNaN: true });
const features = fc.record({ similarity: level, lead: level, words: share, score: share });
const priors = fc.constantFrom(MINILM, E5, ANY, WORDS);
const calibration = fc.record({ scale: fc.double({ min: 0.2, max: 3, noNaN: true }), offset: level });

test('more of a feature never lowers evidence nor relatedness, however a build sees it', () => {
  fc.assert(
    fc.property(
      features,
      fc.constantFrom(...ABOUT, ...ANSWERS),
      share,
      priors,
      calibration,
      (less, name, by, prior, own) => {
        const more: Features = { ...less, [name]: less[name] + by };
        expect(evidenceOf(more, prior, own)).toBeGreaterThanOrEqual(evidenceOf(less, prior, own));
        expect(relatednessOf(more, prior)).toBeGreaterThanOrEqual(relatednessOf(less, prior));
      },
    ),
  );
});

test('a passage as far as any of another field is hardly related, one nearer than the neighbours of the answer is', () => {
  for (const prior of [MINILM, E5, ANY]) {
    const at = (similarity: number, words: number) => relatednessOf({ similarity, words, score: 0, lead: 0 }, prior);
    expect(at(0, 0)).toBeLessThan(0.1);
    expect(at(1.5, 0.3)).toBeGreaterThan(0.9);
  }
});

test('a passage leads by what it is better than the best on average; where few are found, it leads as usual', () => {
  const leads = (...scores: number[]) => leadsOf(scores.map((score) => ({ score })));
  expect(leads(0.9, 0.5, 0.5, 0.5, 0.5, 0.1)[0]).toBeCloseTo(0.32, 9);
  expect(leads(0.5, 0.5, 0.5, 0.5, 0.5)).toEqual([0, 0, 0, 0, 0]);
  expect(leads(0.6)[0]).toBeGreaterThan(leads(0.6, 0.6, 0.6)[0]!);
  expect(leadsOf([])).toEqual([]);
});

test('half of a score are words and half is similarity, and without vectors all of it is words', () => {
  expect(scoreOf({ words: 0.4 })).toBe(0.4);
  expect(scoreOf({ words: 0.4, similarity: 1 })).toBeCloseTo(0.45, 9);
  expect(scoreOf({ words: 0, similarity: 9 })).toBe(0.5);
  expect(scoreOf({ words: 0, similarity: -9 })).toBe(0);
});
