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

export interface Query {
  readonly text: string;
  /** By model; a build whose model is missing, or of another dimension, is searched by words alone. */
  readonly vectors: ReadonlyMap<string, QueryVector>;
}

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

/** A build with its scores for this query. */
interface Scored extends SearchedBuild {
  readonly lexical: Float64Array;
  readonly similar: Float32Array | undefined;
  readonly weight: number;
}

interface Candidate {
  readonly build: Scored;
  readonly document: number;
  readonly score: number;
}

/**
 * The best chunks of all builds together, in one pass however many builds there are: a term is rare or common in all
 * of them, not in each. Both ways of searching nominate candidates, whose scores are scaled to 0 to 1 and fused (scores,
 * not ranks: measured better). Texts that differ in case, spaces and punctuation only appear once. The order depends on
 * nothing but the chunks and the query.
 */
export function searchBuilds(builds: readonly SearchedBuild[], query: Query, limit: number): Hit[] {
  const terms = new Set(createAnalyzer()(query.text));
  const known = statistics(
    builds.map(({ index }) => index.lexical),
    terms,
  );
  const scored = builds.map((build) => scoreBuild(build, query, known));
  return distinct(fuse(nominate(scored)), limit).map((candidate) => toHit(candidate, known));
}

function scoreBuild({ knowledgeId, index }: SearchedBuild, { vectors }: Query, known: Statistics): Scored {
  const query = index.model === undefined ? undefined : vectors.get(index.model);
  const comparable = query && query.vector.length === index.vectors?.dimension && allFinite(query.vector);
  return {
    knowledgeId,
    index,
    lexical: lexicalScores(index.lexical, known),
    similar: comparable ? similarities(index.vectors!, query.vector) : undefined,
    weight: comparable ? query.weight : 0,
  };
}

/** The best by words, and the best by vectors of each model: cosines of two models can't be compared. */
function nominate(builds: readonly Scored[]): Candidate[] {
  const byWords = createTop(CANDIDATES, inOrder);
  const byModel = new Map<string, Top<Candidate>>();
  for (const build of builds) {
    offerAll(byWords, build, build.lexical, 0);
    if (!build.similar) continue;
    const model = build.index.model!;
    const top = byModel.get(model) ?? createTop(CANDIDATES, inOrder);
    byModel.set(model, top);
    offerAll(top, build, build.similar, Number.NEGATIVE_INFINITY);
  }
  const seen = new Map<Scored, Set<number>>(builds.map((build) => [build, new Set()]));
  return [byWords, ...byModel.values()]
    .flatMap(({ items }) => items)
    .filter(({ build, document }) => {
      const documents = seen.get(build)!;
      return !documents.has(document) && documents.add(document);
    });
}

function offerAll(top: Top<Candidate>, build: Scored, scores: ArrayLike<number>, above: number) {
  for (let document = 0; document < scores.length; document++) {
    const score = scores[document]!;
    if (score > above && top.admits(score)) top.offer({ build, document, score });
  }
}

function fuse(candidates: readonly Candidate[]): Candidate[] {
  const words = (c: Candidate) => c.build.lexical[c.document]!;
  const similarity = (c: Candidate) => c.build.similar![c.document]!;
  const scaledWords = scaling(candidates.map(words));
  const scaledSimilarity = new Map<string | undefined, (x: number) => number>();
  for (const [model, group] of groupByModel(candidates.filter((c) => c.build.similar)))
    scaledSimilarity.set(model, scaling(group.map(similarity)));
  return candidates
    .map((candidate) => {
      const { build } = candidate;
      const byVectors = build.similar ? scaledSimilarity.get(build.index.model)!(similarity(candidate)) : 0;
      return { ...candidate, score: build.weight * byVectors + (1 - build.weight) * scaledWords(words(candidate)) };
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

function toHit(candidate: Candidate, known: Statistics): Hit {
  const { build, document, score } = candidate;
  const { id, title, url, text } = chunkOf(candidate);
  return {
    knowledgeId: build.knowledgeId,
    chunkId: id,
    title,
    url,
    text,
    score,
    ...(build.similar && { similarity: build.similar[document]! }),
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
