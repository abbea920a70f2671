import { createAnalyzer } from './analyze.ts';
import { coverage, lexicalScores, type Statistics, statistics } from './bm25.ts';
import type { BuildIndex } from './build-index.ts';
import { createTop, type Top } from './top.ts';
import { allFinite, similarities } from './vectors.ts';

export interface SearchedBuild {
  readonly knowledgeId: string;
  readonly index: BuildIndex;
}

export interface QueryVector {
  readonly vector: Float32Array;
  /** The model's: share of the vectors in the fused score, 0 to 1. */
  readonly weight: number;
}

/** By model; a build whose model is missing, or of another dimension, is searched by words alone. */
export type QueryVectors = ReadonlyMap<string, QueryVector>;

export interface Hit {
  readonly knowledgeId: string;
  readonly chunkId: string;
  readonly title: string;
  readonly url: string;
  readonly text: string;
  /** 0 to 1, comparable within one search only. */
  readonly score: number;
  /** Cosine of question and chunk, -1 to 1; absent where the build was searched by words alone. */
  readonly similarity?: number;
  /** Share of the query's content terms that title and text hold, weighted by rarity, 0 to 1. */
  readonly coverage: number;
}

/** Chunks that each way of searching may nominate. */
const CANDIDATES = 100;

/** A build with its scores by the words of the question. */
interface Worded extends SearchedBuild {
  readonly lexical: Float64Array;
}

/** A build's cosines with the question, and their share in its fused scores. */
interface Compared {
  readonly similar: Float32Array;
  readonly weight: number;
}

/** Builds that have no vectors to compare are not in it. */
type Comparisons = ReadonlyMap<Worded, Compared>;

interface Candidate {
  readonly build: Worded;
  readonly document: number;
  readonly score: number;
}

/** What a question's words have found. */
export interface FoundByWords {
  /** The best chunks by words and vectors together, at most `limit`, best first. */
  rank(vectors: QueryVectors, limit: number): Hit[];
}

/**
 * Searches all builds together, in one pass however many there are: a term is rare or common in all of them, not in each.
 * By words first, which needs no model, and may be done while a model embeds the question. Both ways of searching nominate
 * candidates, whose scores are scaled to 0 to 1 and fused (scores, not ranks: measured better). Texts that differ in case,
 * spaces and punctuation only appear once. The order depends on nothing but the chunks and the question.
 */
export function searchByWords(builds: readonly SearchedBuild[], question: string): FoundByWords {
  const indexes = builds.map(({ index }) => index.lexical);
  const known = statistics(indexes, new Set(createAnalyzer()(question)));
  const worded = builds.map((build) => ({ ...build, lexical: lexicalScores(build.index.lexical, known) }));
  const byWords = createTop(CANDIDATES, inOrder);
  for (const build of worded) offerAll(byWords, build, build.lexical, 0);
  return {
    rank(vectors, limit) {
      const compared = compare(worded, vectors);
      const candidates = union(worded, [byWords, ...nominateByVectors(compared)]);
      return distinct(fuse(candidates, compared), limit).map((candidate) => toHit(candidate, known, compared));
    },
  };
}

function compare(builds: readonly Worded[], vectors: QueryVectors): Comparisons {
  const compared = new Map<Worded, Compared>();
  for (const build of builds) {
    const { model, vectors: index } = build.index;
    const query = model === undefined ? undefined : vectors.get(model);
    if (index && query && query.vector.length === index.dimension && allFinite(query.vector))
      compared.set(build, { similar: similarities(index, query.vector), weight: query.weight });
  }
  return compared;
}

/** The best of each model: cosines of two models can't be compared. */
function nominateByVectors(compared: Comparisons): Iterable<Top<Candidate>> {
  const byModel = new Map<string, Top<Candidate>>();
  for (const [build, { similar }] of compared) {
    const model = build.index.model!;
    const top = byModel.get(model) ?? createTop(CANDIDATES, inOrder);
    byModel.set(model, top);
    offerAll(top, build, similar, Number.NEGATIVE_INFINITY);
  }
  return byModel.values();
}

function offerAll(top: Top<Candidate>, build: Worded, scores: ArrayLike<number>, above: number) {
  for (let document = 0; document < scores.length; document++) {
    const score = scores[document]!;
    if (score > above && top.admits(score)) top.offer({ build, document, score });
  }
}

/** Each document once, whoever nominated it. */
function union(builds: readonly Worded[], nominated: readonly Top<Candidate>[]): Candidate[] {
  const seen = new Map<Worded, Set<number>>(builds.map((build) => [build, new Set()]));
  return nominated
    .flatMap(({ items }) => items)
    .filter(({ build, document }) => {
      const documents = seen.get(build)!;
      return !documents.has(document) && documents.add(document);
    });
}

function fuse(candidates: readonly Candidate[], compared: Comparisons): Candidate[] {
  const words = (c: Candidate) => c.build.lexical[c.document]!;
  const similarity = (c: Candidate) => compared.get(c.build)!.similar[c.document]!;
  const scaledWords = scaling(candidates.map(words));
  const scaledSimilarity = new Map<string | undefined, (x: number) => number>();
  for (const [model, group] of groupByModel(candidates.filter((c) => compared.has(c.build))))
    scaledSimilarity.set(model, scaling(group.map(similarity)));
  return candidates
    .map((candidate) => {
      const { build } = candidate;
      const weight = compared.get(build)?.weight ?? 0;
      const byVectors = weight > 0 ? scaledSimilarity.get(build.index.model)!(similarity(candidate)) : 0;
      return { ...candidate, score: weight * byVectors + (1 - weight) * scaledWords(words(candidate)) };
    })
    .sort(inOrder);
}

function groupByModel(candidates: readonly Candidate[]): Map<string | undefined, Candidate[]> {
  const groups = new Map<string | undefined, Candidate[]>();
  for (const candidate of candidates) {
    const { model } = candidate.build.index;
    const group = groups.get(model);
    if (group) group.push(candidate);
    else groups.set(model, [candidate]);
  }
  return groups;
}

/** Min-max; where all are equal, 1 if they are anything at all. */
function scaling(values: readonly number[]): (value: number) => number {
  const low = Math.min(...values);
  const high = Math.max(...values);
  return (value) => (high > low ? (value - low) / (high - low) : high > 0 ? 1 : 0);
}

function distinct(candidates: readonly Candidate[], limit: number): Candidate[] {
  const texts = new Set<string>();
  const kept: Candidate[] = [];
  for (const candidate of candidates) {
    if (kept.length >= limit) break;
    const text = chunkOf(candidate).text;
    const bare =
      text
        .normalize('NFKC')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, ' ')
        .trim() || text;
    if (texts.has(bare)) continue;
    texts.add(bare);
    kept.push(candidate);
  }
  return kept;
}

function toHit(candidate: Candidate, known: Statistics, compared: Comparisons): Hit {
  const { build, document, score } = candidate;
  const similar = compared.get(build)?.similar;
  const { id, title, url, text } = chunkOf(candidate);
  return {
    knowledgeId: build.knowledgeId,
    chunkId: id,
    title,
    url,
    text,
    score,
    ...(similar && { similarity: similar[document]! }),
    coverage: coverage(build.index.lexical, document, known),
  };
}

function chunkOf({ build, document }: Candidate) {
  return build.index.chunks[document]!;
}

/** Best first; ties by id, or the order of builds would show. */
function inOrder(a: Candidate, b: Candidate): number {
  return b.score - a.score || byText(a.build.knowledgeId, b.build.knowledgeId) || byText(chunkOf(a).id, chunkOf(b).id);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
