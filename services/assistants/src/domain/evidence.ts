/** What a search says of a passage besides its rank. */
export interface Evidence {
  /** Cosine of question and passage, -1 to 1; absent where search was by words alone. */
  similarity?: number;
  /** Share of the question's content words that the passage holds, weighted by rarity, 0 to 1. */
  coverage: number;
}

/*
 * Tuned on Debian's FAQ: of 123 questions, with their headings taken out of the text, none is refused, and of 50
 * unrelated ones none is answered. On perlfaq 3 % of 304 are refused and 1 of the 50 is answered. By words alone it is
 * 14 % and 1 of the 50 on both. A question of a neighbouring field is often answered: no threshold tells. Similarity is
 * on the scale of MiniLM.
 */
const COVERAGE_BONUS = 0.2;
const ENOUGH_WITH_VECTORS = 0.42;
const ENOUGH_BY_WORDS = 0.46;

/** Whether a passage is good enough to answer from. */
export function hasEvidence({ similarity, coverage }: Evidence): boolean {
  if (similarity === undefined) return coverage >= ENOUGH_BY_WORDS;
  return similarity + COVERAGE_BONUS * coverage >= ENOUGH_WITH_VECTORS;
}

/**
 * Of the best one's score. What is further behind is often about something else, and leads a small model astray. Chosen on
 * the few questions of test/models, not on the FAQs above.
 */
const NOT_FAR_BEHIND = 0.6;

/** The passages to answer from, of those that a search found, best first; none where the question has no evidence. */
export function evidenceOf<T extends Evidence & { score: number }>(passages: readonly T[]): T[] {
  const good = passages.filter(hasEvidence);
  return good.filter(({ score }) => score >= NOT_FAR_BEHIND * good[0]!.score);
}
