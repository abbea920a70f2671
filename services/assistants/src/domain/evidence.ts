/** How sure an answer is: a `low` one may not answer the question. */
export type Confidence = 'high' | 'low';

/** How likely a passage answers the question, 0 to 1, as the knowledge service calibrates it by model. */
export interface Evidence {
  evidence: number;
}

/** From here on, an answer is more likely right than wrong. */
const ENOUGH = 0.5;
/**
 * Fraction of the best passage's evidence. Passages further behind are often about something else and mislead a small model;
 * more of it leaves out sections that answer the other half of a question.
 */
const NOT_FAR_BEHIND = 0.35;

/** From here on, it is nearly always right. */
const SURE = 0.75;

/** How sure a quote of the passage is to answer; null: it is not worth quoting. */
export const confidenceOf = ({ evidence = 0 }: Partial<Evidence>): Confidence | null =>
  evidence >= SURE ? 'high' : evidence >= ENOUGH ? 'low' : null;

export const hasEvidence = ({ evidence }: Evidence): boolean => evidence >= ENOUGH;

/** The passages of a search result to answer from, in their order; none if none has enough evidence. */
export function evidenceOf<T extends Evidence>(passages: readonly T[]): T[] {
  const best = passages.reduce((most, { evidence }) => Math.max(most, evidence), 0);
  return best < ENOUGH ? [] : passages.filter(({ evidence }) => evidence >= NOT_FAR_BEHIND * best);
}
