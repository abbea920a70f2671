import type { Prior } from './evidence.ts';

/*
 * Fitted by test/bench/answers/fit/main.ts to masked pairs: headings and FAQ questions of documentation packages, asked of
 * their site with their section, and without. MiniLM: 966 questions of 42 English sites; multilingual-e5-small: 691 of 33
 * sites, half of them in eleven other languages. Negatives are not filtered by similarity. On sites left out of the fit, they
 * tell pairs of the same site apart with an AUC of 0.77 (MiniLM), 0.76 (e5) and 0.71 (words), and questions of other sites
 * from a site's own with 0.95, 0.98 and 0.89. More features (cosine, BM25, coverage by stems or by n-grams of characters, each
 * with its lead, length, the nearest sentence, distance from texts of other fields) tell neither apart any better.
 */
export const MINILM: Prior = {
  ...{ far: 0.187, near: 0.48, strength: 100 },
  about: { similarity: 2.92, words: 6.13, constant: -2.9 },
  weights: { score: 2.28, lead: 8.88, constant: -2.6 },
};

export const E5: Prior = {
  ...{ far: 0.823, near: 0.869, strength: 100 },
  about: { similarity: 3.07, words: 9.05, constant: -2.79 },
  weights: { score: 1.52, lead: 8.61, constant: -2.59 },
};

/** For a model that nobody has measured: the mean of the others. What a build says about itself soon outweighs its scale. */
export const ANY: Prior = {
  ...{ far: 0.2, near: 0.45, strength: 0 },
  about: { similarity: 3, words: 7.59, constant: -3.11 },
  weights: { score: 1.9, lead: 8.75, constant: -2.72 },
};

/** For a search by words alone. */
export const WORDS: Prior = {
  ...{ far: 0, near: 0, strength: 0 },
  about: { words: 9.16, constant: -3.33 },
  weights: { score: 1.78, lead: 5.34, constant: -2.39 },
};
