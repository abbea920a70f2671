import { expect, test } from '@jest/globals';
import { isBetter, joined } from './follow-up.ts';
import type { Judged } from './search.ts';

const found = (evidence: number, length: number) => [{ evidence, features: { length } } as Judged];

test('a question is joined with the last one before it that says something else', () => {
  expect(joined('And abroad?', ['Hi', 'What does delivery cost?', ' '])).toBe('What does delivery cost?\nAnd abroad?');
  expect(joined('Hi', ['Hi'])).toBeUndefined();
  expect(joined('Hi', [])).toBeUndefined();
  expect(joined('And abroad?', ['x'.repeat(9_000)])!.length).toBeLessThan(2_100);
});

test('the more a question says itself, the better the joined search must be', () => {
  expect(isBetter(found(0.1, 3), found(0.1, 1))).toBe(true);
  expect(isBetter(found(0.1, 8), found(0.1, 5))).toBe(false);
  expect(isBetter(found(0.6, 8), found(0.1, 5))).toBe(true);
  expect(isBetter(found(0.3, 8), [])).toBe(true);
  expect(isBetter([], [])).toBe(false);
  expect(isBetter([], found(0.1, 0))).toBe(false);
});
