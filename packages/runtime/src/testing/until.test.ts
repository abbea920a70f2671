import { expect, test } from '@jest/globals';
import { until } from './until.ts';

test('it returns the first value that passes, and stops asking', async () => {
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

test('it ends at its time limit, and reports the last value and the question', async () => {
  const total = () => 7;
  await expect(until(total, (n) => n > 7, 30, 1)).rejects.toThrow(/^After 30 ms it still is 7: \(\) *=> *7$/);
});

test('a failing question ends the wait', async () => {
  await expect(until(() => Promise.reject(new Error('away')))).rejects.toThrow('away');
});
