import type { QueryWord } from '@parley/language';
import type { BuildInfo } from '../build/schema.ts';
import type { Passage } from '../chunk.ts';
import { bestOf } from './best.ts';
import { createBlockCache } from './block-cache.ts';
import { idfOf, type Statistics, wordScore } from './bm25.ts';
import type { Candidate, Nominee } from './candidate.ts';
import { holdingOf, nominate, type Part, readNominees, type Wanted } from './nominate.ts';
import { sectionOf } from './sections.ts';
import { spellingsOf } from './spelling.ts';

/** A build that an engine can search, wherever it is. */
export interface Searchable {
  readonly info: BuildInfo;
}

export interface Found {
  readonly statistics: Statistics;
  readonly candidates: readonly Candidate[];
}

/** Finds passages in builds; how good they are is not its affair. */
export interface Engine<P extends { readonly index: Searchable }> {
  /**
   * The passages that may answer, about `limit`: the best by words of all builds together, and by the vectors of each model.
   *
   * @param vectors by model; a build whose model has none, or one of another dimension, is searched by words alone.
   */
  candidates(
    builds: readonly P[],
    words: readonly QueryWord[],
    vectors: ReadonlyMap<string, Float32Array>,
    limit: number,
  ): Promise<Found>;
  /** The section around a passage, joined from its passages; of an FAQ item, the whole answer. */
  section(build: P, passage: Passage, isFaq: boolean): Promise<string>;
}

/** Words that nominate passages, the rarest of the question: each costs time with the passages that hold it. */
const NOMINATING_WORDS = 4;
/** The passages that they may hold together, but for the rarest. */
const NOMINATING_PASSAGES = 15_000;

/** Builds that are searched in one place: those that one thread has open. */
export interface Shard<P> {
  holding(builds: readonly P[], words: readonly QueryWord[]): Promise<number[]>;
  /** Terms that are spelled nearly like each word. */
  spellings(builds: readonly P[], words: readonly QueryWord[]): Promise<string[][]>;
  nominate(builds: readonly P[], wanted: Wanted): Promise<Nominee[]>;
  read(builds: readonly P[], nominees: readonly Nominee[], words: readonly QueryWord[]): Promise<Candidate[]>;
}

/** Searches several shards as one corpus: adds up the counts of each before scoring. */
export async function searchShards<P extends { readonly index: Searchable }>(
  builds: readonly P[],
  shardOf: (build: P) => Shard<P>,
  asked: readonly QueryWord[],
  vectors: ReadonlyMap<string, Float32Array>,
  limit: number,
): Promise<Found> {
  const shards = new Map<Shard<P>, number[]>();
  builds.forEach((build, at) => {
    const shard = shardOf(build);
    shards.set(shard, [...(shards.get(shard) ?? []), at]);
  });
  const each = <T>(act: (shard: Shard<P>, builds: P[], places: number[]) => Promise<T>) =>
    Promise.all(
      [...shards].map(([shard, places]) =>
        act(
          shard,
          places.map((at) => builds[at]!),
          places,
        ),
      ),
    );
  const count = async (words: readonly QueryWord[]) => {
    const counted = await each((shard, builds) => shard.holding(builds, words));
    return words.map((_, i) => counted.reduce((sum, held) => sum + held[i]!, 0));
  };
  const held = await count(asked);
  const unknown = asked.filter((_, i) => held[i] === 0);
  const like = unknown.length > 0 ? await each((shard, builds) => shard.spellings(builds, unknown)) : [];
  const words = asked.map((word): QueryWord => {
    const at = unknown.indexOf(word);
    return at === -1 ? word : [...word, ...like.flatMap((found) => found[at]!)];
  });
  const holding = like.flat(2).length > 0 ? await count(words) : held;
  const statistics = statisticsOf(builds, holding);
  const models = builds.flatMap(({ index: { info } }) => (vectors.has(info.model ?? '') ? [info.model] : []));
  const modelOf = (at: number) => builds[at]!.index.info.model;
  const half = Math.ceil(limit / 2);
  const share = { byWords: half, byVectors: half, models: new Set(models).size };
  // How often a passage holds a word is known only once it is read, so more are named by words than kept.
  const naming = { ...share, byWords: limit };
  const wanted = { words, vectors, ...statistics, nominating: rarest(holding), share: naming };
  const named = await each(async (shard, builds, places) =>
    (await shard.nominate(builds, wanted)).map((nominee) => ({ ...nominee, build: places[nominee.build]! })),
  );
  const nominees = bestOf(named.flat(), ({ score }) => score, modelOf, naming);
  const read = await each(async (shard, builds, places) => {
    const own = nominees.flatMap((nominee) => {
      const build = places.indexOf(nominee.build);
      return build === -1 ? [] : [{ ...nominee, build }];
    });
    const candidates = own.length > 0 ? await shard.read(builds, own, words) : [];
    return candidates.map((candidate) => ({ ...candidate, build: places[candidate.build]! }));
  });
  return {
    statistics,
    candidates: bestOf(read.flat(), (candidate) => wordScore(candidate, statistics), modelOf, share),
  };
}

function statisticsOf(builds: readonly { readonly index: Searchable }[], holding: readonly number[]): Statistics {
  const sum = (field: 'passages' | 'words') => builds.reduce((total, { index }) => total + index.info[field], 0);
  const passages = sum('passages');
  return { averageLength: sum('words') / passages || 1, idf: holding.map((held) => idfOf(passages, held)) };
}

/** The places of the words that nominate. */
function rarest(holding: readonly number[]): number[] {
  let passages = 0;
  return [...holding.keys()]
    .filter((at) => holding[at]! > 0)
    .sort((a, b) => holding[a]! - holding[b]!)
    .slice(0, NOMINATING_WORDS)
    .filter((at, i) => {
      passages += holding[at]!;
      return i === 0 || passages <= NOMINATING_PASSAGES;
    });
}

const LOCAL_BYTES = 64 * 1024 * 1024;

/** Searches builds that are open in this thread. */
export function localEngine(): Engine<Part> {
  const blocks = createBlockCache(LOCAL_BYTES);
  const shard: Shard<Part> = {
    holding: async (parts, words) => holdingOf(parts, words),
    spellings: async (parts, words) => spellingsOf(parts, words),
    nominate: async (parts, wanted) => nominate(parts, wanted, blocks),
    read: async (...args) => readNominees(...args),
  };
  return {
    candidates: (parts, ...query) => searchShards(parts, () => shard, ...query),
    section: async ({ index }, passage, isFaq) => sectionOf(index, passage, isFaq),
  };
}
