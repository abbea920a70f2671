/** Where a trainer may be killed: at each of these, something else has been written, and not yet the next. */
export const TRAINING_STEPS = [
  'the job is claimed',
  'the build is open',
  'a page is kept',
  'chunks are written',
  'a page is done',
  'the build is complete',
  'the build is live',
] as const;

export type TrainingStep = (typeof TRAINING_STEPS)[number];
