import { expect, test } from '@jest/globals';
import type { Searchable } from './engine.ts';
import { isBetter, joined } from './follow-up.ts';
import type { Judged } from './search.ts';

const build = { knowledgeId: 'k' } as Judged<Searchable>['build'];
const found = (evidence: number, n = 1, relatedness = 0.5) =>
  ({ build, passage: { n }, evidence, relatedness }) as Judged<Searchable>;

test('a question is joined with the last one before it that says something else', () => {
  expect(joined('And abroad?', ['Hi', 'What does delivery cost?', ' '])).toBe('What does delivery cost?\nAnd abroad?');
  expect(joined('Hi', ['Hi'])).toBeUndefined();
  expect(joined('Hi', [])).toBeUndefined();
  expect(joined('And abroad?', ['x'.repeat(9_000)])!.length).toBeLessThan(2_100);
});

test('the joined search must find better evidence than the message alone', () => {
  const both = (first: number) => [found(first), found(0.01, 2)];
  expect(isBetter([found(0.3)], both(0.1))).toBe(true);
  expect(isBetter([found(0.15)], both(0.1))).toBe(false);
  expect(isBetter([], both(0.1))).toBe(false);
  expect(isBetter([], [])).toBe(false);
});

test('a message about something else, or about nothing, is not answered with what was asked before', () => {
  expect(isBetter([found(0.6)], [found(0.01, 2), found(0.005, 1, 0.01)])).toBe(false);
  expect(isBetter([found(0.6)], [found(0.01, 2)])).toBe(false);
  expect(isBetter([found(0.6)], [])).toBe(false);
  expect(isBetter([found(0.6)], [found(0.01, 2), found(0.005)])).toBe(true);
});
