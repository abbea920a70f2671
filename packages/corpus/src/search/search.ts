import type { Calibration } from '../model.ts';
import { highestScore, wordScore } from './bm25.ts';
import { calibrationOf, pooledScale } from './calibration.ts';
import type { Candidate } from './candidate.ts';
import type { Engine, Searchable } from './engine.ts';
import { evidenceOf, type Features, leadsOf, type Prior, relatednessOf, scoreOf, similarityOn } from './evidence.ts';
import { WORDS } from './priors.ts';
import { queryWords } from './query.ts';

export interface SearchedBuild<I extends Searchable> {
  readonly knowledgeId: string;
  readonly index: I;
  /** True if it is an FAQ: each source is a question and its answer. */
  readonly isFaq?: boolean;
  /** Absent if nothing could be asked of it. */
  readonly calibration?: Calibration | undefined;
  /** Passages to search as if they were not there. */
  readonly hidden?: ReadonlySet<number>;
}

export interface QueryVector {
  readonly vector: Float32Array;
  /** The model's. */
  readonly prior: Prior;
}

/** By model; a build whose model is missing here, or has another dimension, is searched by words only. */
export type QueryVectors = ReadonlyMap<string, QueryVector>;

/** A passage that may answer, and what is known of it. */
export interface Judged<I extends Searchable> {
  readonly build: SearchedBuild<I>;
  readonly passage: Candidate['passage'];
  /** Its score is comparable between searches by the same model. */
  readonly features: Features;
  /** How likely it is about the subject of the question, and answers it, 0 to 1. */
  readonly relatedness: number;
  readonly evidence: number;
  /** Cosine of question and passage; undefined where the build was searched by words alone. */
  readonly cosine: number | undefined;
}

/** The result of a search. */
export interface Answers<I extends Searchable> {
  /** The best passages by words and vectors combined, at most 200, best first. */
  readonly found: Judged<I>[];
}

/** How many the search nominates: half by words, half by all vectors together. */
const CANDIDATES = 200;

/** A candidate that was compared in both ways. */
interface Fused<I extends Searchable> extends Omit<Features, 'lead'> {
  readonly build: SearchedBuild<I>;
  readonly candidate: Candidate;
}

/**
 * Searches all builds in one pass, as one corpus. Words and vectors each nominate candidates, whose scores are scaled by what
 * is known of the builds and the model, not by each other, and fused. Texts that differ only in case, spaces and punctuation
 * appear once. The order depends only on the passages and the question.
 */
export async function search<I extends Searchable>(
  engine: Pick<Engine<SearchedBuild<I>>, 'candidates'>,
  builds: readonly SearchedBuild<I>[],
  question: string,
  queryVectors: QueryVectors,
): Promise<Answers<I>> {
  const words = queryWords(
    question,
    builds.map(({ index }) => index),
  );
  const finite = [...queryVectors].filter(([, { vector }]) => vector.every(Number.isFinite));
  const vectors = new Map(finite.map(([model, { vector }]) => [model, vector]));
  const { candidates, statistics } = await engine.candidates(builds, words, vectors, CANDIDATES);
  const scales = scalesOf(builds, queryVectors);
  const highest = highestScore(statistics) || 1;
  const fused = candidates.map((candidate): Fused<I> => {
    const build = builds[candidate.build]!;
    const { cosine } = candidate;
    const scale = scales.get(build.index.info.model);
    const similarity = cosine === undefined || !scale ? undefined : similarityOn(scale)(cosine);
    const found = { words: Math.min(1, wordScore(candidate, statistics) / highest), similarity };
    return { build, candidate, ...found, score: scoreOf(found) };
  });
  const best = distinct(fused.sort(inOrder));
  const leads = leadsOf(best);
  return { found: best.map((each, i) => judge(each, leads[i]!, queryVectors)) };
}

/** Returns the scale of each model, from all builds that have its vectors. */
function scalesOf(builds: readonly SearchedBuild<Searchable>[], vectors: QueryVectors) {
  const ofModel = (model: string) => builds.filter(({ index }) => index.info.model === model);
  return new Map<string | undefined, Pick<Calibration, 'far' | 'near'>>(
    [...vectors].map(([model, { prior }]) => [model, pooledScale(ofModel(model), prior)]),
  );
}

function distinct<I extends Searchable>(candidates: readonly Fused<I>[]): Fused<I>[] {
  const texts = new Set<string>();
  return candidates.filter(({ candidate: { passage } }) => {
    const { text } = passage;
    const bare =
      text
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim() || text;
    return !texts.has(bare) && texts.add(bare);
  });
}

function judge<I extends Searchable>(
  { build, candidate, ...found }: Fused<I>,
  lead: number,
  vectors: QueryVectors,
): Judged<I> {
  const { passage, cosine } = candidate;
  const isCompared = found.similarity !== undefined;
  const prior = (isCompared && vectors.get(build.index.info.model!)?.prior) || WORDS;
  const features = { ...found, lead };
  const evidence = evidenceOf(features, prior, calibrationOf(build, prior, isCompared));
  return { build, passage, features, relatedness: relatednessOf(features, prior), evidence, cosine };
}

/** Best first; ties by place, so that the order of builds does not matter. */
function inOrder(a: Fused<Searchable>, b: Fused<Searchable>): number {
  const [first, second] = [a.candidate.passage, b.candidate.passage];
  return (
    b.score - a.score ||
    byText(a.build.knowledgeId, b.build.knowledgeId) ||
    byText(first.source, second.source) ||
    first.index - second.index
  );
}

const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
