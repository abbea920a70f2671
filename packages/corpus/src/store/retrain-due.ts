import type { Document } from 'mongodb';

const HOUR_MS = 3_600_000;

/**
 * Pipeline value of `retrain_due`: `website.retrain_every` hours after `since`; removes the field if either is missing.
 */
export const retrainDue = (since: Document | string): Document => ({
  $ifNull: [{ $add: [since, { $multiply: ['$website.retrain_every', HOUR_MS] }] }, '$$REMOVE'],
});

/** Pipeline value: when the last training ended, or now if one is queued or running; null before the first one. */
export const LAST_ENDED: Document = {
  $cond: [
    { $in: ['$training.state', ['idle', 're-embedding']] },
    { $ifNull: ['$trained_at', '$training_failed_at'] },
    '$$NOW',
  ],
};
