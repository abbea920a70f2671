import type { Weights } from './evidence.ts';

/** What is known of an embedding model before any build was made with it. */
export interface Prior {
  /** See `Calibration`. */
  readonly far: number;
  readonly near: number;
  /** So many questions of a build count as much as this. */
  readonly strength: number;
  /** That a passage is about the subject of the question, and, given that, that it answers it. */
  readonly about: Weights;
  readonly weights: Weights;
}

/*
 * Fitted by test/bench/answers/fit/main.ts to masked pairs: headings and FAQ questions of documentation packages, asked of
 * their site with their section, and without. MiniLM: 966 questions of 42 English sites; multilingual-e5-small: 691 of 33
 * sites, half of them in eleven other languages. Negatives are not filtered by similarity. On sites left out of the fit, they
 * tell pairs of the same site apart with an AUC of 0.76 (MiniLM), 0.77 (e5) and 0.67 (words), and questions of other sites
 * from a site's own with 0.95, 0.98 and 0.86. On questions that people wrote about six other sites and nine manuals, it is
 * 0.72 and 0.80 for those of the same field without an answer (cosine alone: 0.66 and 0.69), 0.94 to 0.98 for others.
 * For both models the scale of `far` and `near` alone makes the same weights nearly the best.
 */
export const MINILM: Prior = {
  ...{ far: 0.187, near: 0.48, strength: 100 },
  about: { similarity: 3.33, coverage: 3.61, constant: -3.58 },
  weights: { similarity: 0.223, lead: 3.69, words: 1.71, coverage: 0.592, length: 0.0671, constant: -3.06 },
};

export const E5: Prior = {
  ...{ far: 0.823, near: 0.869, strength: 100 },
  about: { similarity: 3.62, coverage: 4.66, constant: -2.86 },
  weights: { similarity: 0.0622, lead: 3, words: 2.92, length: 0.0411, constant: -2.91 },
};

/** Of a model that nobody has measured: the mean of the others. What a build says about itself soon outweighs its scale. */
export const ANY: Prior = {
  ...{ far: 0.2, near: 0.45, strength: 0 },
  about: { similarity: 3.475, coverage: 4.135, constant: -3.22 },
  weights: { similarity: 0.143, lead: 3.345, words: 2.315, coverage: 0.296, length: 0.054, constant: -2.985 },
};

/** Of a search by words alone. */
export const WORDS: Prior = {
  ...{ far: 0, near: 0, strength: 0 },
  about: { coverage: 5.46, constant: -3.42 },
  weights: { words: 3.65, length: 0.158, constant: -3.16 },
};
