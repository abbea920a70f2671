import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { calibrationOf, pooled, similarityLevel } from './calibration.ts';

const unit = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));
const MODEL = { sample: 0, mean: 0.1, deviation: 0.1, nearest: 0.6 };

test('a calibration has the mean and deviation of foreign questions with chunks, and the mean of the nearest chunks', () => {
  const chunks = [unit(0), unit(0), unit(Math.PI / 2)];
  const found = calibrationOf(chunks, [unit(Math.PI / 2)])!;
  expect(found.sample).toBe(3);
  expect(found.mean).toBeCloseTo(1 / 3, 6);
  expect(found.deviation).toBeCloseTo(Math.sqrt(2) / 3, 6);
  expect(found.nearest).toBeCloseTo(2 / 3, 6);
  expect(calibrationOf([unit(0)], [unit(1)])).toBeUndefined();
  expect(calibrationOf(chunks, [])).toBeUndefined();
});

test('how narrow a corpus is does not change what counts as unrelated', () => {
  // Foreign questions at a right angle to the subject: a narrow corpus keeps within 10 degrees of it, a wide one within 60.
  const within = (degrees: number) =>
    Array.from({ length: 21 }, (_, i) => unit(((i - 10) / 10) * degrees * (Math.PI / 180)));
  const foreign = [unit(Math.PI / 2), unit(-Math.PI / 2)];
  for (const degrees of [10, 60]) {
    const level = similarityLevel(calibrationOf(within(degrees), foreign)!);
    expect(level(0)).toBeCloseTo(0, 6);
    expect(level(1)).toBeCloseTo(1, 1);
  }
});

test('builds share one calibration, whatever their order; without their own, it is the model’s', () => {
  const builds = fc.array(
    fc.record({
      calibration: fc.option(
        fc.record({
          sample: fc.integer({ min: 2, max: 400 }),
          mean: fc.double({ min: 0, max: 0.8, noNaN: true }),
          deviation: fc.double({ min: 0, max: 0.3, noNaN: true }),
          nearest: fc.double({ min: 0.8, max: 1, noNaN: true }),
        }),
        { nil: undefined },
      ),
    }),
    { maxLength: 5 },
  );
  fc.assert(
    fc.property(builds, (some) => {
      const [one, other] = [pooled(some, MODEL), pooled(some.toReversed(), MODEL)];
      expect(one.mean).toBeCloseTo(other.mean, 12);
      expect(one.mean).toBeGreaterThanOrEqual(0);
      expect(one.mean).toBeLessThanOrEqual(0.8);
    }),
  );
  expect(pooled([{}], MODEL)).toMatchObject({ mean: MODEL.mean, nearest: MODEL.nearest });
});

test('a higher cosine is a higher level, also where all chunks are alike', () => {
  for (const calibration of [MODEL, { sample: 9, mean: 1, deviation: 0, nearest: 1 }]) {
    const level = similarityLevel(calibration);
    expect(level(0.9)).toBeGreaterThan(level(0.8));
    expect(Number.isFinite(level(1))).toBe(true);
  }
});
