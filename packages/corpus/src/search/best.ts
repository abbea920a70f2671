import { type Statistics, wordScore } from './bm25.ts';
import type { Nominee } from './candidate.ts';
import { createTop, type Top } from './top.ts';

/**
 * The best by all that is known of them, about `limit`: half by words, half by vectors, in equal parts for each model. The best
 * of several groups are among the best of each.
 *
 * @param modelOf the model of a build's vectors
 * @param models that are searched by
 */
export function bestOf(
  nominees: readonly Nominee[],
  modelOf: (build: number) => string | undefined,
  of: Statistics,
  { models, limit }: { models: number; limit: number },
): Nominee[] {
  const half = Math.ceil(limit / 2);
  const byWords = createTop<Scored>(half);
  const byModel = new Map<string | undefined, Top<Scored>>();
  for (const nominee of nominees) {
    const score = wordScore(nominee, of);
    if (score > 0) byWords.offer({ nominee, score });
    const { build, cosine } = nominee;
    if (cosine === undefined) continue;
    const model = modelOf(build);
    const top = byModel.get(model) ?? createTop<Scored>(Math.ceil(half / models));
    byModel.set(model, top);
    top.offer({ nominee, score: cosine });
  }
  return [...new Set([byWords, ...byModel.values()].flatMap((top) => top.items()).map(({ nominee }) => nominee))];
}

interface Scored {
  readonly nominee: Nominee;
  readonly score: number;
}
