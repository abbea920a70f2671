import { CALIBRATION, type Calibration } from '../model.ts';
import type { BuildIndex } from './build-index.ts';
import type { Prior } from './priors.ts';

interface Calibrated {
  readonly index: Pick<BuildIndex, 'vectors'>;
  readonly calibration?: Calibration | undefined;
}

/** Of a build that says nothing about itself. */
export const uncalibrated = ({ far, near }: Pick<Prior, 'far' | 'near'>): Calibration => ({
  ...{ version: CALIBRATION, questions: 0, far, near },
  ...{ scale: 1, offset: 0 },
});

/** A build's own, if it was made for the way in which it is searched: by its vectors, or by words for want of any. */
export function calibrationOf({ index, calibration }: Calibrated, prior: Prior, byVectors: boolean): Calibration {
  const isOwn = calibration?.version === CALIBRATION && (index.vectors !== undefined) === byVectors;
  return isOwn ? calibration : uncalibrated(prior);
}

/** One scale of cosines for all builds of a model, so that their passages can be compared. */
export function pooledScale(builds: readonly Calibrated[], prior: Prior): Pick<Calibration, 'far' | 'near'> {
  const all = builds.map((build) => calibrationOf(build, prior, true));
  const weights = all.map(({ questions }) => questions + prior.strength);
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (field: 'far' | 'near') => all.reduce((sum, one, i) => sum + (weights[i]! / total) * one[field], 0);
  return { far: mean('far'), near: mean('near') };
}
