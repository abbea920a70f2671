import type { QueryWord } from '@parley/language';
import type { BuildInfo } from '../build/schema.ts';
import type { Passage } from '../chunk.ts';
import { createBlockCache } from './block-cache.ts';
import { idfOf, type Statistics, wordScore } from './bm25.ts';
import type { Candidate } from './candidate.ts';
import { holdingOf, nominate, type Part, type Wanted } from './nominate.ts';
import { sectionOf } from './sections.ts';
import { createTop, type Top } from './top.ts';

/** A build that an engine can search, wherever it is. */
export interface Searchable {
  readonly info: BuildInfo;
}

export interface Found {
  readonly statistics: Statistics;
  readonly candidates: readonly Candidate[];
}

/** What finds passages in builds; how good they are is not its affair. */
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
const NOMINATING_WORDS = 6;
/** The passages that they may hold together, but for the rarest. */
const NOMINATING_PASSAGES = 30_000;

/** Where an engine's builds are: a thread searches the builds that it has open. */
export interface Lane<P> {
  holding(builds: readonly P[], words: readonly QueryWord[]): Promise<number[]>;
  nominate(builds: readonly P[], wanted: Wanted): Promise<Candidate[]>;
}

/** The same search over several lanes: what is counted in each is added up first, so that all builds are one corpus. */
export async function searchLanes<P extends { readonly index: Searchable }>(
  builds: readonly P[],
  laneOf: (build: P) => Lane<P>,
  words: readonly QueryWord[],
  vectors: ReadonlyMap<string, Float32Array>,
  limit: number,
): Promise<Found> {
  const lanes = new Map<Lane<P>, number[]>();
  builds.forEach((build, at) => {
    const lane = laneOf(build);
    lanes.set(lane, [...(lanes.get(lane) ?? []), at]);
  });
  const each = <T>(act: (lane: Lane<P>, builds: P[], places: number[]) => Promise<T>) =>
    Promise.all(
      [...lanes].map(([lane, places]) =>
        act(
          lane,
          places.map((at) => builds[at]!),
          places,
        ),
      ),
    );
  const counted = await each((lane, builds) => lane.holding(builds, words));
  const holding = words.map((_, i) => counted.reduce((sum, held) => sum + held[i]!, 0));
  const statistics = statisticsOf(builds, holding);
  const models = builds.flatMap(({ index: { info } }) => (vectors.has(info.model ?? '') ? [info.model] : []));
  const wanted = { words, vectors, ...statistics, nominating: rarest(holding), limit };
  const found = await each(async (lane, builds, places) =>
    (await lane.nominate(builds, wanted)).map((candidate) => ({ ...candidate, build: places[candidate.build]! })),
  );
  return { statistics, candidates: best(found.flat(), builds, statistics, new Set(models).size, limit) };
}

function statisticsOf(builds: readonly { readonly index: Searchable }[], holding: readonly number[]): Statistics {
  const sum = (field: 'passages' | 'words') => builds.reduce((total, { index }) => total + index.info[field], 0);
  const passages = sum('passages');
  return { averageLength: sum('words') / passages || 1, idf: holding.map((held) => idfOf(passages, held)) };
}

/** The best by all that is known of them: half by words, half by vectors, in equal parts for each model. */
function best(
  candidates: readonly Candidate[],
  builds: readonly { index: Searchable }[],
  of: Statistics,
  models: number,
  limit: number,
) {
  const half = Math.ceil(limit / 2);
  const byWords = createTop<Scored>(half);
  const byModel = new Map<string | undefined, Top<Scored>>();
  for (const candidate of candidates) {
    const score = wordScore(candidate, of);
    if (score > 0) byWords.offer({ candidate, score });
    const { cosine } = candidate;
    if (cosine === undefined) continue;
    const { model } = builds[candidate.build]!.index.info;
    const top = byModel.get(model) ?? createTop<Scored>(Math.ceil(half / models));
    byModel.set(model, top);
    top.offer({ candidate, score: cosine });
  }
  return [...new Set([byWords, ...byModel.values()].flatMap((top) => top.items()).map(({ candidate }) => candidate))];
}

interface Scored {
  readonly candidate: Candidate;
  readonly score: number;
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
  const lane: Lane<Part> = {
    holding: async (parts, words) => holdingOf(parts, words),
    nominate: async (parts, wanted) => nominate(parts, wanted, blocks),
  };
  return {
    candidates: (parts, ...query) => searchLanes(parts, () => lane, ...query),
    section: async ({ index }, passage, isFaq) => sectionOf(index, passage, isFaq),
  };
}
