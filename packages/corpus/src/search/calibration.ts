import { CALIBRATION, type Calibration } from '../model.ts';
import type { Searchable } from './engine.ts';
import type { Prior } from './evidence.ts';

interface Calibrated {
  readonly index: Searchable;
  readonly calibration?: Calibration | undefined;
}

/** The calibration of a build that says nothing about itself. */
export const uncalibrated = ({ far, near }: Pick<Prior, 'far' | 'near'>): Calibration => ({
  ...{ version: CALIBRATION, questions: 0, far, near },
  ...{ scale: 1, offset: 0 },
});

/** A build's own, if it was made for the way in which it is searched: by its vectors, or by words for want of any. */
function ownOf({ index, calibration }: Calibrated, byVectors: boolean): Calibration | undefined {
  const isOwn = calibration?.version === CALIBRATION && index.info.dimension > 0 === byVectors;
  return isOwn ? calibration : undefined;
}

export const calibrationOf = (build: Calibrated, prior: Prior, byVectors: boolean): Calibration =>
  ownOf(build, byVectors) ?? uncalibrated(prior);

/** One scale of cosines for all builds of a model, so that their passages can be compared. */
export function pooledScale(builds: readonly Calibrated[], prior: Prior): Pick<Calibration, 'far' | 'near'> {
  const known = builds.flatMap((build) => ownOf(build, true) ?? []);
  const total = known.reduce((sum, { questions }) => sum + questions, 0);
  if (total === 0) return prior;
  const mean = (field: 'far' | 'near') => known.reduce((sum, one) => sum + (one.questions / total) * one[field], 0);
  return { far: mean('far'), near: mean('near') };
}
