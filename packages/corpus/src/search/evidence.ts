import type { Calibration } from '../model.ts';

/** Features of a question and one passage. */
export interface Features {
  /**
   * Cosine on a scale that embedding models share: 0 is usual between a question and any chunk of its field, 1 between it and
   * the nearest one that does not answer it. Absent if the search was lexical.
   */
  readonly similarity?: number | undefined;
  /** BM25 score, as a share of the highest that any text could have. */
  readonly words: number;
  /** 0 to 1, by which passages are ranked. */
  readonly score: number;
  /** How far `score` is above the mean of the best ones. One passage that answers stands out. */
  readonly lead: number;
}

/** The weights of a logistic model; absent is 0. None is negative, so that more of a feature never lowers what it says. */
export interface Weights extends Readonly<Partial<Record<keyof Features, number>>> {
  readonly constant: number;
}

/** Statistics of an embedding model before any build was made with it. */
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

/** Features that tell whether a passage is about the subject of a question, and whether it answers it. */
export const ABOUT = ['similarity', 'words'] as const satisfies (keyof Features)[];
export const ANSWERS = ['score', 'lead'] as const satisfies (keyof Features)[];

/** A similarity that counts in full. */
const FULL = 2;
/** The best by score, which each is compared with. */
const BEST = 5;
/** How far the best one stands out if too few are there to tell: the median of those that answer. */
const USUAL_LEAD = 0.13;

/**
 * Words and similarity, half each: best for 360 questions of visitors about ten small sites, by both local models. Headings of
 * documentation are found a little better by less of words.
 */
export function scoreOf({ similarity, words }: Pick<Features, 'similarity' | 'words'>): number {
  return similarity === undefined ? words : (Math.min(1, Math.max(0, similarity / FULL)) + words) / 2;
}

/** The lead of each of the passages found, which are given best first. */
export function leadsOf(found: readonly Pick<Features, 'score'>[]): number[] {
  const [best] = found;
  const sum = found.slice(0, BEST).reduce((total, { score }) => total + score, 0);
  const missing = Math.max(0, BEST - found.length) * Math.max(0, (best?.score ?? 0) - USUAL_LEAD);
  return found.map(({ score }) => score - (sum + missing) / BEST);
}

/** Cosine to `Features.similarity`. */
export const similarityOn = ({ far, near }: Pick<Calibration, 'far' | 'near'>) => {
  const span = Math.max(0.02, near - far);
  return (cosine: number): number => (cosine - far) / span;
};

/** The log-odds that a passage answers the question, given that it is about its subject; a build may see them differently. */
export function logitOf(features: Features, weights: Weights): number {
  let sum = weights.constant;
  for (const name of [...ABOUT, ...ANSWERS]) sum += (weights[name] ?? 0) * (features[name] ?? 0);
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
