import type { QueryWord } from '@parley/language';
import { exactSearch, MetricKind } from 'usearch';
import type { OpenBuild } from '../build/open-build.ts';
import { cosineOf, toRow } from '../build/vector-rows.ts';
import { type Share, shareOfModel } from './best.ts';
import type { BlockCache } from './block-cache.ts';
import { lengthNorm, type Statistics } from './bm25.ts';
import type { Candidate, Nominee } from './candidate.ts';
import { createTop } from './top.ts';

/** A build in this thread. */
export interface Part {
  readonly index: OpenBuild;
  /** Passages to search as if they were not there. */
  readonly hidden?: ReadonlySet<number> | undefined;
}

/** A search as nominators see it. */
export interface Wanted extends Statistics {
  readonly words: readonly QueryWord[];
  /** The places of the words that nominate. */
  readonly nominating: readonly number[];
  /** By model. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** How many passages are named. */
  readonly share: Share;
}

type Named = Omit<Nominee, 'cosine'>;
/** Its cosine is undefined for a passage without a vector. */
type Compared = Named & { readonly cosine: number | undefined };
type Cosines = Map<number, number | undefined>;

/** Passages in a build that one word may have: of a word in nearly all, those that come first stand for all. */
const MAX_HOLDING = 20_000;

/** How many passages hold each word. */
export function holdingOf(parts: readonly Part[], words: readonly QueryWord[]): number[] {
  const held = parts.map((part) => heldIn(part, words));
  return words.map((_, at) => held.reduce((sum, counts) => sum + counts[at]!, 0));
}

function heldIn({ index, hidden }: Part, words: readonly QueryWord[]): number[] {
  const holding = index.holding(words.flat());
  const unseen = hidden?.size ? [...index.termsOf([...hidden]).values()].map((terms) => terms.split(' ')) : [];
  return words.map((word) => {
    const all = word.reduce((sum, term) => sum + (holding.get(term) ?? 0), 0);
    return Math.max(0, all - unseen.filter((terms) => terms.some((term) => word.includes(term))).length);
  });
}

/** The best passages by the rarest words, and by the vectors of each model. */
export function nominate(parts: readonly Part[], wanted: Wanted, blocks: BlockCache): Nominee[] {
  const named = parts.map(() => new Map<number, number>());
  for (const { build, n, score } of byWords(parts, wanted)) named[build]!.set(n, score);
  const cosines = cosinesOf(parts, wanted, named, blocks);
  return parts.flatMap((_, build) =>
    [...new Set([...named[build]!.keys(), ...cosines[build]!.keys()])].map((n) => {
      const cosine = cosines[build]!.get(n);
      return { build, n, score: named[build]!.get(n) ?? 0, ...(cosine !== undefined && { cosine }) };
    }),
  );
}

/** Reads nominees, and counts in each the words of the question. */
export function readNominees(
  parts: readonly Part[],
  nominees: readonly Nominee[],
  words: readonly QueryWord[],
): Candidate[] {
  const places = new Map(words.flatMap((word, place) => word.map((term) => [term, place] as const)));
  return nominees.map(({ score: _, ...nominee }) => {
    const { index } = parts[nominee.build]!;
    const { terms, ...passage } = index.passage(nominee.n);
    const counts = countsOf(terms, places, words.length);
    return { ...nominee, counts, length: index.lengths[nominee.n]!, passage };
  });
}

/** Each word counts once: how often a passage holds it is known only after it has been read, so more are nominated than kept. */
function byWords(parts: readonly Part[], { words, idf, averageLength, nominating, share }: Wanted) {
  const top = createTop<Named>(share.byWords);
  parts.forEach(({ index, hidden }, build) => {
    const scores = new Map<number, number>();
    for (const at of nominating)
      for (const n of index.found(words[at]!, MAX_HOLDING)) scores.set(n, (scores.get(n) ?? 0) + idf[at]!);
    for (const [n, sum] of scores) {
      const score = sum / (1 + lengthNorm(index.lengths[n]!, averageLength));
      if (top.takes(score) && !hidden?.has(n)) top.offer({ build, n, score });
    }
  });
  return top.items();
}

/**
 * The cosines of the passages that are nearest to the question, and of those that words have named. Each block is read once:
 * there may be no room to keep it.
 */
function cosinesOf(
  parts: readonly Part[],
  wanted: Wanted,
  named: readonly ReadonlyMap<number, number>[],
  blocks: BlockCache,
) {
  const most = shareOfModel(wanted.share);
  const models = [...wanted.vectors].map(
    ([model, vector]) => [model, { query: toRow(vector, vector.length), top: createTop<Compared>(most) }] as const,
  );
  const byModel = new Map(models);
  const found = parts.map((): Cosines => new Map());
  parts.forEach(({ index, hidden }, build) => {
    const vector = vectorFor(index, wanted);
    if (!vector) return;
    const { dimension, model } = index.info;
    const { query, top } = byModel.get(model!)!;
    for (const at of index.blocks) {
      const { first, rows } = blocks.get(index, at);
      const cosineAt = (n: number) =>
        cosineOf(vector, rows.subarray((n - first) * dimension, (n - first + 1) * dimension));
      const total = rows.length / dimension;
      for (const n of named[build]!.keys()) if (n >= first && n < first + total) found[build]!.set(n, cosineAt(n));
      const count = Math.min(total, most + (hidden?.size ?? 0));
      if (count === 0) continue;
      const { keys, distances } = exactSearch(rows, query, dimension, count, MetricKind.Cos, 1);
      // The nearest come first.
      for (let i = 0; i < distances.length && top.takes(-distances[i]!); i++) {
        const n = first + Number(keys[i]);
        if (!hidden?.has(n)) top.offer({ build, n, score: -distances[i]!, cosine: cosineAt(n) });
      }
    }
  });
  for (const [, { top }] of models) for (const { build, n, cosine } of top.items()) found[build]!.set(n, cosine);
  return found;
}

/** The vector that a build can be compared with. */
function vectorFor({ info: { model, dimension } }: OpenBuild, { vectors }: Wanted): Float32Array | undefined {
  const vector = model === undefined ? undefined : vectors.get(model);
  return vector?.length === dimension ? vector : undefined;
}

/** @param places of the words of a question, by term */
function countsOf(terms: string, places: ReadonlyMap<string, number>, words: number): number[] {
  const counts = new Array<number>(words).fill(0);
  for (const term of terms.split(' ')) {
    const place = places.get(term);
    if (place !== undefined) counts[place]! += 1;
  }
  return counts;
}
