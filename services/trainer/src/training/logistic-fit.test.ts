import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fitLogistic } from './logistic-fit.ts';

const scales = fc.double({ min: 0.3, max: 2, noNaN: true });
const offsets = fc.double({ min: -1, max: 1, noNaN: true });
const logistic = (x: number) => 1 / (1 + Math.exp(-x));

/** As many true and false examples at each place as the model says. */
function drawn(scale: number, offset: number, each: number) {
  return [-3, -2, -1, 0, 1, 2, 3].flatMap((x) => {
    const trues = Math.round(each * logistic(scale * x + offset));
    return Array.from({ length: each }, (_, i) => ({ features: [x, 1], isTrue: i < trues }));
  });
}

test('the numbers that examples were drawn with are found again', () => {
  fc.assert(
    fc.property(scales, offsets, (scale, offset) => {
      const [a, b] = fitLogistic(drawn(scale, offset, 2_000), { mean: [1, 0], precision: [0.01, 0.01] });
      expect(a).toBeCloseTo(scale, 1);
      expect(b).toBeCloseTo(offset, 1);
    }),
    { numRuns: 30 },
  );
});

test('fewer examples, or a more certain prior, leave what is found closer to the prior', () => {
  const distance = (each: number, precision: number) =>
    Math.abs(fitLogistic(drawn(2, 0, each), { mean: [1, 0], precision: [precision, precision] })[0]! - 1);
  expect(distance(10, 10)).toBeLessThan(distance(100, 10));
  expect(distance(100, 100)).toBeLessThan(distance(100, 1));
  expect(fitLogistic([], { mean: [1, 0], precision: [1, 1] })).toEqual([1, 0]);
});

test('examples that one feature tells apart completely do not make it endless, and no number falls below its bound', () => {
  const apart = [-1, 1].flatMap((x) => Array.from({ length: 50 }, () => ({ features: [x, -x, 1], isTrue: x > 0 })));
  const found = fitLogistic(apart, {
    mean: [0, 0, 0],
    precision: [0.1, 0.1, 0.1],
    lowest: [0, 0, Number.NEGATIVE_INFINITY],
  });
  expect(found[0]).toBeGreaterThan(1);
  expect(found[0]).toBeLessThan(20);
  expect(found[1]).toBe(0);
});
