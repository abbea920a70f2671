import { expect, test } from '@jest/globals';
import { shareOf, subsetOf } from './bootstrap.ts';

const values = Array.from({ length: 100 }, (_, i) => i < 56);

test('the interval of a share surrounds it, and is the same at every run', () => {
  const found = shareOf(values);
  expect(found.share).toBe(0.56);
  // The normal approximation gives 0.46 to 0.66.
  expect(found.low).toBeGreaterThan(0.43);
  expect(found.low).toBeLessThan(0.49);
  expect(found.high).toBeGreaterThan(0.63);
  expect(found.high).toBeLessThan(0.69);
  expect(shareOf(values)).toEqual(found);
});

test('a share without variance has no width', () => {
  expect(shareOf([true, true, true])).toEqual({ share: 1, low: 1, high: 1 });
});

test('a subset has its size, keeps the order, and is the same at every run', () => {
  const all = Array.from({ length: 300 }, (_, i) => i);
  const subset = subsetOf(all, 40);
  expect(subset).toHaveLength(40);
  expect(subset).toEqual(subset.toSorted((a, b) => a - b));
  expect(subsetOf(all, 40)).toEqual(subset);
  expect(subset).not.toEqual(all.slice(0, 40));
});
