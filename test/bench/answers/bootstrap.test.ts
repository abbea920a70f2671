import { expect, test } from '@jest/globals';
import { meanOf, subsetOf } from './bootstrap.ts';

const values = Array.from({ length: 100 }, (_, i) => Number(i < 56));

test('the interval of a share surrounds it, and is the same at every run', () => {
  const found = meanOf(values.map((value) => [value]));
  expect(found.mean).toBe(0.56);
  // The normal approximation gives 0.46 to 0.66.
  expect(found.low).toBeGreaterThan(0.43);
  expect(found.low).toBeLessThan(0.49);
  expect(found.high).toBeGreaterThan(0.63);
  expect(found.high).toBeLessThan(0.69);
  expect(meanOf(values.map((value) => [value]))).toEqual(found);
});

test('values that go together by group have a wider interval than by themselves', () => {
  const groups = Array.from({ length: 5 }, (_, i) => values.slice(i * 20, i * 20 + 20));
  const [whole, single] = [meanOf(groups), meanOf(values.map((value) => [value]))];
  expect(whole.mean).toBeCloseTo(single.mean);
  expect(whole.high - whole.low).toBeGreaterThan(2 * (single.high - single.low));
});

test('groups count by their size, and empty ones not at all', () => {
  expect(meanOf([[1, 1, 1], [0], []]).mean).toBe(0.75);
  expect(meanOf([[1, 1], [1]])).toEqual({ mean: 1, low: 1, high: 1 });
});

test('a subset has its size, keeps the order, and is the same at every run', () => {
  const all = Array.from({ length: 300 }, (_, i) => i);
  const subset = subsetOf(all, 40);
  expect(subset).toHaveLength(40);
  expect(subset).toEqual(subset.toSorted((a, b) => a - b));
  expect(subsetOf(all, 40)).toEqual(subset);
  expect(subset).not.toEqual(all.slice(0, 40));
});
