/** How sure an answer is: a `low` one may not answer the question. */
export type Confidence = 'high' | 'low';

/*
 * Chosen on the ten tune sites of `npm run bench answers`, to which the calibration was not fitted: 204 questions that their
 * pages answer, 109 of the same field that they don't, and 394 about other owners.
 *
 *     rightly answered: with high confidence              0.60
 *     same field, not answered: with high confidence      0.19
 *     another owner's: with high confidence               0.07
 *     another owner's: answered at all                    0.35
 *     answered by the pages, but refused                  0.08
 *
 * No threshold refuses one half of the last two without the other: at 0.15 of other owners' questions, 0.16 of those with an
 * answer are refused. Whoever gets an unsure answer to an odd question sees that it is none; whoever is refused an answer that
 * is there leaves without it.
 */
const SURE = 0.17;
/** Tells another owner's questions better than evidence, which is mostly about the right passage. */
const WORTH_QUOTING = 0.2;
/** A model refuses better than search does: only what is hardly about the subject is kept from it. */
const RELATED = 0.08;

/** By the knowledge service's calibration, each 0 to 1. Evidence is never higher than relatedness. */
export interface Judged {
  evidence?: number;
  relatedness?: number;
}

const relatednessOf = ({ relatedness = 0, evidence = 0 }: Judged): number => Math.max(relatedness, evidence);

/** How sure a quote of the passage is to answer; null: it is not worth quoting. */
export function confidenceOf(passage: Judged): Confidence | null {
  if ((passage.evidence ?? 0) >= SURE) return 'high';
  return relatednessOf(passage) >= WORTH_QUOTING ? 'low' : null;
}

/** Returns whether a passage could be about the question at all, so that a model is asked with it. */
export const mayBeAbout = (passage: Judged): boolean => relatednessOf(passage) >= RELATED;
