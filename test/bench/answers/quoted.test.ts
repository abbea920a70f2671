import { expect, test } from '@jest/globals';
import { quotedOf } from './quoted.ts';

test.each([
  ['Within 30 days.', 'within 30 days', 1, 1],
  ['Within 30 days. Ask us about shoes and laces.', 'Within 30 days.', 0.33, 1],
  ['Within 30 days.', 'Within 30 days of the delivery, unworn.', 1, 0.4],
  ['Nothing.', 'Within 30 days.', 0, 0],
])('what is needed of %j where %j is needed', (answer, need, needed, said) => {
  const found = quotedOf(answer, [need]);
  expect(found.needed).toBeCloseTo(needed, 1);
  expect(found.said).toBeCloseTo(said, 1);
});

test('a row counts however its cells are joined, and a heading between them is not needed', () => {
  expect(quotedOf('Standard, 3 days, £4.50', ['Standard | 3 days | £4.50'])).toEqual({ needed: 1, said: 1 });
  expect(quotedOf('Kind: Standard; Price: £4.50', ['Standard | £4.50'])).toEqual({ needed: 11 / 20, said: 1 });
});

test('without spaces between words each character counts', () => {
  expect(quotedOf('三十天以内可退', ['三十天以内'])).toEqual({ needed: 5 / 7, said: 1 });
});

test('a long answer is compared in no more than the product of the lengths', () => {
  const began = performance.now();
  quotedOf('word '.repeat(4_000), ['other '.repeat(200)]);
  expect(performance.now() - began).toBeLessThan(2_000);
});
