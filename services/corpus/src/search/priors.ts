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

export const MINILM: Prior = {
  ...{ far: 0.186, near: 0.480, strength: 100 },
  about: { similarity: 3.53, coverage: 3.8, constant: -3.7 },
  weights: { similarity: 0.246, lead: 4.48, words: 1.99, coverage: 0.398, length: 0.0685, constant: -2.85 },
};

export const E5: Prior = {
  ...{ far: 0.824, near: 0.869, strength: 100 },
  about: { similarity: 3.53, coverage: 4.41, constant: -2.64 },
  weights: { similarity: 0.0886, lead: 3.86, words: 3.82, length: 0.0739, constant: -2.71 },
};

/** Of a model that nobody has measured: the mean of the others. What a build says about itself soon outweighs its scale. */
export const ANY: Prior = {
  ...{ far: 0.2, near: 0.45, strength: 0 },
  about: { similarity: 3.53, coverage: 4.105, constant: -3.17 },
  weights: { similarity: 0.167, lead: 4.17, words: 2.905, coverage: 0.199, length: 0.071, constant: -2.78 },
};

/** Of a search by words alone. */
export const WORDS: Prior = {
  ...{ far: 0, near: 0, strength: 0 },
  about: { coverage: 5.48, constant: -3.42 },
  weights: { words: 4.88, length: 0.149, constant: -2.8 },
};
