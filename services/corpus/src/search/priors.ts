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
  ...{ far: 0.186, near: 0.48, strength: 60 },
  about: { similarity: 3.56, coverage: 3.91, constant: -3.8 },
  weights: { similarity: 0.22, lead: 3, words: 1.58, coverage: 0.487, length: 0.0469, constant: -3.12 },
};

export const E5: Prior = {
  ...{ far: 0.824, near: 0.869, strength: 60 },
  about: { similarity: 3.52, coverage: 4.47, constant: -2.67 },
  weights: { similarity: 0.0225, lead: 2.58, words: 2.51, length: 0.0641, constant: -3 },
};

/** Of a model that nobody has measured: the mean of the others. What a build says about itself soon outweighs its scale. */
export const ANY: Prior = {
  ...{ far: 0.2, near: 0.45, strength: 3 },
  about: { similarity: 3.54, coverage: 4.19, constant: -3.2 },
  weights: { similarity: 0.12, lead: 2.8, words: 2, coverage: 0.25, length: 0.055, constant: -3.06 },
};

/** Of a search by words alone. */
export const WORDS: Prior = {
  ...{ far: 0, near: 0, strength: 0 },
  about: { coverage: 5.53, constant: -3.47 },
  weights: { words: 4.77, length: 0.142, constant: -2.84 },
};
