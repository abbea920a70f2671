import { expect, test } from '@jest/globals';
import { CALIBRATION, type Calibration } from '../model.ts';
import { calibrationOf, pooledScale, uncalibrated } from './calibration.ts';
import { ANY, MINILM } from './priors.ts';

const known = { model: 'm', passages: 1, words: 1, languages: {} };
const own = (questions: number, far: number): Calibration => ({
  ...{ version: CALIBRATION, questions, far, near: far + 0.3, scale: 1, offset: 0 },
});
const built = (calibration?: Calibration, hasVectors = true) => ({
  index: { info: { ...known, dimension: hasVectors ? 1 : 0 } },
  calibration,
});

test('a calibration counts only where the build is searched as it was calibrated', () => {
  expect(calibrationOf(built(own(9, 0.1)), MINILM, true)).toEqual(own(9, 0.1));
  expect(calibrationOf(built(own(9, 0.1)), MINILM, false)).toEqual(uncalibrated(MINILM));
  expect(calibrationOf(built(own(9, 0), false), MINILM, false)).toEqual(own(9, 0));
  expect(calibrationOf(built(), MINILM, true)).toEqual(uncalibrated(MINILM));
});

test('builds searched together share one scale, for which those count most that were asked most', () => {
  expect(pooledScale([built()], MINILM)).toMatchObject({ far: MINILM.far, near: MINILM.near });
  const { far } = pooledScale([built(own(30, 0.2)), built(own(10, 0.6)), built()], ANY);
  expect(far).toBeCloseTo(0.3, 9);
  expect(pooledScale([built()], ANY)).toMatchObject({ far: ANY.far, near: ANY.near });
});
