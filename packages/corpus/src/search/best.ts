import { type Statistics, wordScore } from './bm25.ts';
import type { Candidate } from './candidate.ts';
import { createTop, type Top } from './top.ts';

/** What candidates are chosen by. */
type Measured = Pick<Candidate, 'build' | 'counts' | 'length' | 'cosine'>;

/**
 * The best by all that is known of them, about `limit`: half by words, half by vectors, in equal parts for each model. The best
 * of several groups are among the best of each.
 *
 * @param modelOf the model of a build's vectors
 * @param models that are searched by
 */
export function bestOf<C extends Measured>(
  candidates: readonly C[],
  modelOf: (build: number) => string | undefined,
  of: Statistics,
  { models, limit }: { models: number; limit: number },
): C[] {
  const half = Math.ceil(limit / 2);
  const byWords = createTop<Scored<C>>(half);
  const byModel = new Map<string | undefined, Top<Scored<C>>>();
  for (const candidate of candidates) {
    const score = wordScore(candidate, of);
    if (score > 0) byWords.offer({ candidate, score });
    const { build, cosine } = candidate;
    if (cosine === undefined) continue;
    const model = modelOf(build);
    const top = byModel.get(model) ?? createTop<Scored<C>>(Math.ceil(half / models));
    byModel.set(model, top);
    top.offer({ candidate, score: cosine });
  }
  return [...new Set([byWords, ...byModel.values()].flatMap((top) => top.items()).map(({ candidate }) => candidate))];
}

interface Scored<C> {
  readonly candidate: C;
  readonly score: number;
}
