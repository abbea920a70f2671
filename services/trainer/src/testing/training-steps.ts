/** Where a trainer may be killed. At each of these, something new has been written, but not yet what comes next. */
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
