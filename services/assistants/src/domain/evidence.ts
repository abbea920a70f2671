/** How sure an answer is: a `low` one may not answer the question. */
export type Confidence = 'high' | 'low';

/** From here on, an answer is more likely right than wrong. */
const ENOUGH = 0.5;
/** From here on, it is nearly always right. */
const SURE = 0.75;
/** Below, a passage is about another subject. */
const RELATED = 0.1;

/** How sure a quote of the passage is to answer; null: it is not worth quoting. */
export const confidenceOf = ({ evidence = 0 }: { evidence?: number }): Confidence | null =>
  evidence >= SURE ? 'high' : evidence >= ENOUGH ? 'low' : null;

/** Whether a passage could be about the question at all, so that a model is asked with it. */
export const mayBeAbout = (passage: { relatedness?: number; evidence?: number }): boolean =>
  (passage.relatedness || passage.evidence || 0) >= RELATED;
