import type { QueryWord } from '@parley/language';
import { exactSearch, MetricKind } from 'usearch';
import type { OpenBuild } from '../build/open-build.ts';
import { cosineOf, toRow } from '../build/vector-rows.ts';
import { bestOf } from './best.ts';
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

/** Describes what to look for. */
export interface Wanted extends Statistics {
  readonly words: readonly QueryWord[];
  /** The places of the words that nominate. */
  readonly nominating: readonly number[];
  /** By model. */
  readonly vectors: ReadonlyMap<string, Float32Array>;
  /** How many of them there are among all builds. */
  readonly models: number;
  /** About as many passages are kept. */
  readonly limit: number;
}

/** A passage of one of the builds that are searched. */
export interface PassageRef {
  readonly build: number;
  readonly n: number;
}

type ScoredPassage = PassageRef & { readonly score: number };
type ScoredRow = ScoredPassage & { readonly row: Int8Array };

/** Passages in a build that one word may have: of a word in nearly all, those that come first stand for all. */
const MAX_HOLDING = 20_000;

/** How many passages hold each word. */
export const holdingOf = (parts: readonly Part[], words: readonly QueryWord[]): number[] =>
  words.map((terms) => parts.reduce((sum, part) => sum + held(part, terms), 0));

function held({ index, hidden = new Set() }: Part, terms: QueryWord): number {
  const all = terms.reduce((sum, term) => sum + index.holding(term), 0);
  const isHeld = (n: number) =>
    index
      .termsOf(n)
      .split(' ')
      .some((term) => terms.includes(term));
  const unseen = all > 0 ? [...hidden].filter(isHeld) : [];
  return Math.max(0, all - unseen.length);
}

/** The best passages by the rarest words, and by the vectors of each model, with all that is needed to compare them. */
export function nominate(parts: readonly Part[], wanted: Wanted, blocks: BlockCache): Nominee[] {
  const named = parts.map(() => new Set<number>());
  for (const { build, n } of byWords(parts, wanted)) named[build]!.add(n);
  const rows = rowsOf(parts, wanted, named, blocks);
  const places = new Map(wanted.words.flatMap((word, place) => word.map((term) => [term, place] as const)));
  const measured = parts.flatMap(({ index }, build) => {
    const vector = vectorFor(index, wanted);
    return [...new Set([...named[build]!, ...rows[build]!.keys()])].map((n) => {
      const row = rows[build]!.get(n);
      const cosine = vector && row && cosineOf(vector, row);
      const counts = countsOf(index.termsOf(n), places, wanted.words.length);
      return { build, n, counts, length: index.lengths[n]!, ...(cosine !== undefined && { cosine }) };
    });
  });
  return bestOf(measured, (build) => parts[build]!.index.info.model, wanted, wanted);
}

export const readPassages = (parts: readonly Part[], places: readonly PassageRef[]): Candidate['passage'][] =>
  places.map(({ build, n }) => {
    const { terms: _, ...passage } = parts[build]!.index.passage(n);
    return passage;
  });

/** Each word counts once: how often a passage holds it is known only after it has been read, so more are nominated than kept. */
function byWords(parts: readonly Part[], { words, idf, averageLength, nominating, limit }: Wanted) {
  const top = createTop<ScoredPassage>(limit);
  parts.forEach(({ index, hidden }, build) => {
    const scores = new Map<number, number>();
    for (const at of nominating)
      for (const n of index.found(words[at]!, MAX_HOLDING)) scores.set(n, (scores.get(n) ?? 0) + idf[at]!);
    for (const [n, sum] of scores) {
      const score = sum / (1 + lengthNorm(index.lengths[n]!, averageLength));
      if (!hidden?.has(n)) top.offer({ build, n, score });
    }
  });
  return top.items();
}

/**
 * The vectors of the passages that are nearest to the question, and of those that words have named, by build and passage. Each
 * block is read once: there may be no room to keep it.
 */
function rowsOf(parts: readonly Part[], wanted: Wanted, named: readonly ReadonlySet<number>[], blocks: BlockCache) {
  const most = Math.ceil(wanted.limit / 2 / wanted.models);
  const tops = new Map([...wanted.vectors.keys()].map((model) => [model, createTop<ScoredRow>(most)]));
  const found = parts.map(() => new Map<number, Int8Array>());
  parts.forEach(({ index, hidden }, build) => {
    const vector = vectorFor(index, wanted);
    if (!vector) return;
    const { dimension, model } = index.info;
    const query = toRow(vector, dimension);
    for (const at of index.blocks) {
      const { first, rows } = blocks.get(index, at);
      const rowOf = (n: number) => rows.slice((n - first) * dimension, (n - first + 1) * dimension);
      const total = rows.length / dimension;
      for (const n of named[build]!) if (n >= first && n < first + total) found[build]!.set(n, rowOf(n));
      const count = Math.min(total, most + (hidden?.size ?? 0));
      if (count === 0) continue;
      const { keys, distances } = exactSearch(rows, query, dimension, count, MetricKind.Cos, 1);
      const top = tops.get(model!)!;
      for (const [i, key] of keys.entries()) {
        const n = first + Number(key);
        const score = -distances[i]!;
        if (!hidden?.has(n) && top.takes(score)) top.offer({ build, n, score, row: rowOf(n) });
      }
    }
  });
  for (const top of tops.values()) for (const { build, n, row } of top.items()) found[build]!.set(n, row);
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
