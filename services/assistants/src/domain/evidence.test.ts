import { expect, test } from '@jest/globals';
import { confidenceOf, mayBeAbout } from './evidence.ts';

test('a passage without evidence is not quoted, one with some as uncertain', () => {
  expect([0, 0.49, 0.5, 0.74, 0.75].map((evidence) => confidenceOf({ evidence }))).toEqual([
    null,
    null,
    'low',
    'low',
    'high',
  ]);
  expect(confidenceOf({})).toBeNull();
});

test('a model is asked with less than a quote needs, but not with nothing', () => {
  expect([{ relatedness: 0.2 }, { relatedness: 0.05 }, {}].map(mayBeAbout)).toEqual([true, false, false]);
});
