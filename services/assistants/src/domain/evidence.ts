/** How sure an answer is: a `low` one may not answer the question. */
export type Confidence = 'high' | 'low';

/*
 * Chosen on six tune sites of `npm run bench answers` and on the manuals, none of which the calibration was fitted to: 211
 * questions that their pages answer, 92 of the same field that they don't, and 278 of other owners by the English model;
 * 367, 151 and 980 by the multilingual one. What the first passage of a search leads to:
 *
 *                                                       English    multilingual
 *     rightly answered: with high confidence              0.61         0.62
 *     same field, not answered: with high confidence      0.11         0.14  (sites alone: 0.20 by both)
 *     another owner's: with high confidence               0.01         0.01
 *     another owner's: answered at all                    0.18         0.14  (sites alone: 0.22 and 0.06)
 *     answered by the pages, but refused                  0.07         0.03
 *     a model is asked: answered by the pages             0.99         0.99
 *     a model is asked: another owner's                   0.46         0.26  (sites alone: 0.49 and 0.12)
 */
const SURE = 0.16;
const WORTH_QUOTING = 0.02;
/** A model refuses better than search does: only what is hardly about the subject is kept from it. */
const RELATED = 0.05;

/** How sure a quote of the passage is to answer; null: it is not worth quoting. */
export const confidenceOf = ({ evidence = 0 }: { evidence?: number }): Confidence | null =>
  evidence >= SURE ? 'high' : evidence >= WORTH_QUOTING ? 'low' : null;

/** Whether a passage could be about the question at all, so that a model is asked with it. Evidence is never higher. */
export const mayBeAbout = ({ relatedness = 0, evidence = 0 }: { relatedness?: number; evidence?: number }): boolean =>
  Math.max(relatedness, evidence) >= RELATED;
