import { createTop, type Top } from './top.ts';

/** How many are kept: so many by words, and by vectors, in equal parts for each model. */
export interface Share {
  readonly byWords: number;
  readonly byVectors: number;
  /** How many models there are among all builds. */
  readonly models: number;
}

interface Compared {
  readonly build: number;
  readonly cosine?: number;
}

/** The share of each model. */
export const shareOfModel = ({ byVectors, models }: Share): number => Math.ceil(byVectors / models);

/**
 * The best by words or by vectors. The best of several groups are among the best of each.
 *
 * @param wordsOf the score of its words; 0 for none
 * @param modelOf the model of a build's vectors
 */
export function bestOf<T extends Compared>(
  all: readonly T[],
  wordsOf: (one: T) => number,
  modelOf: (build: number) => string | undefined,
  share: Share,
): T[] {
  const byWords = createTop<Scored<T>>(share.byWords);
  const byModel = new Map<string | undefined, Top<Scored<T>>>();
  for (const one of all) {
    const score = wordsOf(one);
    if (score > 0) byWords.offer({ one, score });
    const { build, cosine } = one;
    if (cosine === undefined) continue;
    const model = modelOf(build);
    const top = byModel.get(model) ?? createTop<Scored<T>>(shareOfModel(share));
    byModel.set(model, top);
    top.offer({ one, score: cosine });
  }
  return [...new Set([byWords, ...byModel.values()].flatMap((top) => top.items()).map(({ one }) => one))];
}

interface Scored<T> {
  readonly one: T;
  readonly score: number;
}
