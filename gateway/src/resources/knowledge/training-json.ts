import type { SubPage } from '@parley/proto/knowledge/v1/knowledge_service_pb';
import { z } from 'zod';
import { isoOrNull, timestamp } from '../../fields/dates.ts';

/** How the latest training of an item or a page ended. */
export const training = {
  trained_at: timestamp.nullable().meta({ description: 'When the latest training was completed, if it succeeded.' }),
  training_failed_at: timestamp.nullable(),
  training_failed_with: z.string().nullable().meta({ description: 'Why it failed, in a sentence.' }),
};

/** An example of them. */
export const TRAINED = {
  trained_at: '2026-03-01T09:30:00.000Z',
  training_failed_at: null,
  training_failed_with: null,
};

export const trainingJson = (of: Pick<SubPage, 'trainedAt' | 'trainingFailedAt' | 'trainingFailedWith'>) => ({
  trained_at: isoOrNull(of.trainedAt),
  training_failed_at: isoOrNull(of.trainingFailedAt),
  training_failed_with: of.trainingFailedWith ?? null,
});
