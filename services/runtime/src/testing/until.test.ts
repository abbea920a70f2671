import { expect, test } from '@jest/globals';
import { until } from './until.ts';

test('it gives back the first answer that holds, and asks no more', async () => {
  let asked = 0;
  expect(
    await until(
      () => ++asked,
      (n) => n === 3,
    ),
  ).toBe(3);
  expect(await until(async () => asked > 2 && 'true enough')).toBe('true enough');
  expect(asked).toBe(3);
});

test('it ends at its bound, and tells the last answer and what was asked', async () => {
  const total = () => 7;
  await expect(until(total, (n) => n > 7, 30, 1)).rejects.toThrow(/^After 30 ms it still is 7: \(\) *=> *7$/);
});

test('a question that fails ends the wait', async () => {
  await expect(until(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
});
