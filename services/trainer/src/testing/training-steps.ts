/** Where a trainer may be killed. At each of these, something new has been written, but not yet what comes next. */
export const TRAINING_STEPS = [
  'the job is claimed',
  'the build is open',
  'a page is kept',
  'a page is done',
  'the file is half uploaded',
  'the file is uploaded',
  'the file is recorded',
  'the build is complete',
  'the build is live',
] as const;

/** The same of a training that finds some of its sources unchanged. */
export const RETRAINING_STEPS = [
  'the build is open',
  'a page is done',
  'the file is half uploaded',
  'the file is uploaded',
  'the file is recorded',
  'the build is complete',
] as const;

/** The same of renewing the vectors of a live build. */
export const REEMBEDDING_STEPS = [
  'the live build is claimed',
  'the copy is open',
  'some vectors are renewed',
  'the file is uploaded',
  'the copy is complete',
  'the copy is live',
] as const;

export type TrainingStep = (typeof TRAINING_STEPS | typeof RETRAINING_STEPS | typeof REEMBEDDING_STEPS)[number];
