/** How sure an answer is: `low` may not answer the question. */
export type Confidence = 'high' | 'low';

const HIGH = 0.75;
const LOW = 0.5;
const RELATED = 0.1;

/** How sure a quote of the passage is to answer; null: it is not worth quoting. */
export const confidenceOf = ({ evidence = 0 }: { evidence?: number }): Confidence | null =>
  evidence >= HIGH ? 'high' : evidence >= LOW ? 'low' : null;

/** Whether a passage could be about the question at all, so that a model is asked with it. */
export const mayBeAbout = (passage: { relatedness?: number; evidence?: number }): boolean =>
  (passage.relatedness || passage.evidence || 0) >= RELATED;
