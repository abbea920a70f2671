import { expect, test } from '@jest/globals';
import { seeded } from '../bench/answers/bootstrap.ts';
import { commonSlope } from './trend.ts';

const line = (length: number, y: (x: number) => number) => Array.from({ length }, (_, x) => ({ x, y: y(x) }));

test('series on different levels have the slope that they share', () => {
  const series = [line(8, (x) => 100 + 2 * x), line(8, (x) => 300 + 2 * x)];
  expect(commonSlope(series)).toEqual({ perX: 2, error: 0, mean: 207 });
});

test('noise widens the error, and the slope stays within it', () => {
  const random = seeded(7);
  const { perX, error } = commonSlope([line(200, (x) => 50 + 0.5 * x + 40 * (random() - 0.5))])!;
  expect(error).toBeGreaterThan(0.005);
  expect(Math.abs(perX - 0.5)).toBeLessThan(3 * error);
});

test('a step widens the error of a slope, where the same noise about a line does not', () => {
  const errorOf = (y: (x: number) => number) => {
    const random = seeded(7);
    return commonSlope([line(30, (x) => y(x) + 10 * random())])!.error;
  };
  expect(errorOf((x) => 50 + 2 * x)).toBeCloseTo(errorOf(() => 50));
  expect(errorOf((x) => (x < 20 ? 50 : 90))).toBeGreaterThan(4 * errorOf(() => 50));
});

test.each([
  ['too few points', [line(7, (x) => x)]],
  ['one point each', Array.from({ length: 20 }, () => line(1, (x) => x))],
  ['the same x', [Array.from({ length: 20 }, (_, y) => ({ x: 3, y }))]],
])('there is no slope of %s', (_, series) => {
  expect(commonSlope(series)).toBeUndefined();
});
