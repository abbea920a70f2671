import type { Calibration } from '../model.ts';
import type { Prior } from './priors.ts';

/** What is known of a question and one passage. */
export interface Features {
  /**
   * Cosine on a scale that embedding models share: 0 is usual between a question and any chunk of its field, 1 between it and
   * the nearest one that does not answer it. Absent if the search was lexical.
   */
  readonly similarity?: number;
  /** How far `similarity` is above the mean of the ten best. One passage that answers stands out. Absent likewise. */
  readonly lead?: number;
  /** BM25 score, as a share of the highest that any text could have. */
  readonly words: number;
  /** Share of the question's terms that the passage, its title and headings hold, weighted by rarity. */
  readonly coverage: number;
  /** Content words of the question, up to 8: the more it has, the less of them a passage that answers it holds. */
  readonly length: number;
}

/** Of a logistic model; absent is 0. None is negative, so that more of a feature never lowers what it says. */
export interface Weights extends Readonly<Partial<Record<keyof Features, number>>> {
  readonly constant: number;
}

export const MAX_LENGTH = 8;
export const FEATURES = ['similarity', 'lead', 'words', 'coverage', 'length'] as const satisfies (keyof Features)[];

/** Cosine to `Features.similarity`. */
export const similarityOn = ({ far, near }: Pick<Calibration, 'far' | 'near'>) => {
  const span = Math.max(0.02, near - far);
  return (cosine: number): number => (cosine - far) / span;
};

/** The log-odds that a passage answers the question, given that it is about its subject; a build may see them differently. */
export function logitOf(features: Features, weights: Weights): number {
  let sum = weights.constant;
  for (const name of FEATURES) sum += (weights[name] ?? 0) * (features[name] ?? 0);
  return sum;
}

/** How likely the passage is about the subject of the question at all, 0 to 1. */
export const relatednessOf = (features: Features, { about }: Pick<Prior, 'about'>): number =>
  logistic(logitOf(features, about));

/** How likely the passage answers the question, 0 to 1. */
export function evidenceOf(features: Features, prior: Prior, { scale, offset }: Pick<Calibration, 'scale' | 'offset'>) {
  return relatednessOf(features, prior) * logistic(scale * logitOf(features, prior.weights) + offset);
}

const logistic = (x: number): number => 1 / (1 + Math.exp(-x));
