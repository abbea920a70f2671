import { createAnalyzer } from '@parley/language';
import type { Calibration } from '../model.ts';
import { detected, highestScore, lexicalScores, type Statistics, statistics } from './bm25.ts';
import type { BuildIndex, IndexedChunk } from './build-index.ts';
import { calibrationOf, pooledScale } from './calibration.ts';
import { evidenceOf, type Features, MAX_LENGTH, relatednessOf, similarityOn } from './evidence.ts';
import { type Prior, WORDS } from './priors.ts';
import { type Query, queryOf } from './query.ts';
import { standing } from './sections.ts';
import { createTop, type Top } from './top.ts';
import { allFinite, similarities } from './vectors.ts';

export interface SearchedBuild {
  readonly knowledgeId: string;
  readonly index: BuildIndex;
  /** Whether it is an FAQ: each source is a question and its answer. */
  readonly isFaq?: boolean;
  /** Absent if nothing could be asked of it, or an earlier version trained it. */
  readonly calibration?: Calibration | undefined;
  /** Chunks to search as if they were not there. */
  readonly hidden?: ReadonlySet<number>;
}

export interface QueryVector {
  readonly vector: Float32Array;
  /** The model's: share of the vectors in the fused score, 0 to 1. */
  readonly weight: number;
  readonly prior: Prior;
}

/** By model; a build whose model is missing here, or has another dimension, is searched by words only. */
export type QueryVectors = ReadonlyMap<string, QueryVector>;

/** A passage that may answer, and what is known of it. */
export interface Judged {
  readonly build: SearchedBuild;
  readonly document: number;
  /** 0 to 1, from similarity, words and evidence; comparable between searches by the same model. */
  readonly score: number;
  readonly features: Features;
  /** How likely it is about the subject of the question, and answers it, 0 to 1. */
  readonly relatedness: number;
  readonly evidence: number;
  /** Cosine of question and chunk; undefined where the build was searched by words alone. */
  readonly cosine: number | undefined;
}

/** The result of searching by words. */
export interface FoundByWords {
  /** The best chunks by words and vectors combined, at most `limit`, best first. */
  judge(vectors: QueryVectors, limit: number): Judged[];
}

/** Candidates of the search by words, and of all searches by vectors together. */
const CANDIDATES = 100;
/** The best by similarity, which another one is compared with. */
const NEAREST = 5;
/** How far the best passage stands out if too few are there to tell: the median of those that answer. */
const USUAL_LEAD = 0.3;
/** Candidates whose texts are read to judge them. */
const JUDGED = 12;
/** Of their texts. */
const MAX_CHARACTERS = 8_000;
/** A similarity that counts in full. */
const FULL = 2;

/** A build with its scores by the words of the question. */
interface Worded extends SearchedBuild {
  readonly lexical: Float64Array;
}

/** A build's cosines with the question. */
interface Compared {
  readonly similar: Float32Array;
  readonly weight: number;
  readonly prior: Prior;
  /** Of all builds of its model. */
  readonly scale: Pick<Calibration, 'far' | 'near'>;
  /** The mean cosine of the nearest documents of all builds of its model. */
  readonly nearest: number;
}

/** Builds that have no vectors to compare are not in it. */
type Comparisons = ReadonlyMap<Worded, Compared>;

interface Candidate {
  readonly build: Worded;
  readonly document: number;
  readonly score: number;
}

/** Stems are cached for all searches, up to the analyzer's own limit. */
const analyze = createAnalyzer();

/**
 * Searches all builds in one pass, as one corpus: idf is computed over all of them. The search by words needs no model, so
 * it can run while the question is being embedded. Both searches nominate candidates, whose scores are scaled by what is
 * known of the index and the model, not by each other, and fused. Texts that differ only in case, spaces and punctuation
 * appear once. The order depends only on the chunks and the question.
 */
export function searchByWords(builds: readonly SearchedBuild[], question: string): FoundByWords {
  const query = queryOf(question, builds.map(lexicalOf));
  const known = statistics(query.indexes, query.terms);
  const worded = builds.map((build, i) => ({ ...build, lexical: lexicalScores(query.indexes[i]!, known) }));
  const byWords = createTop(CANDIDATES, inOrder);
  for (const build of worded) offerAll(byWords, build, build.lexical, 0);
  const about: About = { query, known, highest: highestScore(known) || 1 };
  return {
    judge(vectors, limit) {
      const compared = compare(worded, vectors);
      const candidates = union(worded, [byWords, ...nominateByVectors(compared)]);
      const fused = distinct(fuse(candidates, compared, about), Math.max(limit, JUDGED));
      const judged = fused.map((candidate) => judge(candidate, about, compared)).sort(inOrder);
      return judged.slice(0, limit);
    },
  };
}

/** The question, as the index knows it. */
interface About {
  readonly query: Query;
  readonly known: Statistics;
  /** Of a lexical score. */
  readonly highest: number;
}

/** Without the postings of hidden chunks. */
function lexicalOf({ index: { lexical }, hidden }: SearchedBuild): BuildIndex['lexical'] {
  if (!hidden?.size) return lexical;
  return {
    ...lexical,
    postings(term) {
      const all = lexical.postings(term);
      if (!all?.documents.some((document) => hidden.has(document))) return all;
      const kept = [...all.documents.keys()].filter((i) => !hidden.has(all.documents[i]!));
      const of = (numbers: Uint32Array | Uint16Array) => kept.map((i) => numbers[i]!);
      return { documents: Uint32Array.from(of(all.documents)), counts: Uint16Array.from(of(all.counts)) };
    },
  };
}

function compare(builds: readonly Worded[], vectors: QueryVectors): Comparisons {
  const byModel = new Map<string, Worded[]>();
  for (const build of builds) {
    const { model, vectors: index } = build.index;
    const query = model === undefined ? undefined : vectors.get(model);
    if (index && query && query.vector.length === index.dimension && allFinite(query.vector))
      byModel.set(model!, [...(byModel.get(model!) ?? []), build]);
  }
  const compared = new Map<Worded, Compared>();
  for (const [model, group] of byModel) {
    const { vector, weight, prior } = vectors.get(model)!;
    const scale = pooledScale(group, prior);
    const similar = group.map(({ index, hidden }) => {
      const cosines = similarities(index.vectors!, vector);
      for (const document of hidden ?? []) cosines[document] = Number.NEGATIVE_INFINITY;
      return cosines;
    });
    const nearest = meanOfNearest(similar, USUAL_LEAD * (scale.near - scale.far));
    group.forEach((build, i) => {
      compared.set(build, { similar: similar[i]!, weight, prior, scale, nearest });
    });
  }
  return compared;
}

function meanOfNearest(similar: readonly Float32Array[], usualLead: number): number {
  const top = createTop<{ score: number }>(NEAREST, (a, b) => b.score - a.score);
  for (const scores of similar) for (const score of scores) if (score >= -1 && top.admits(score)) top.offer({ score });
  const [best] = top.items;
  if (!best) return 0;
  const sum = top.items.reduce((total, { score }) => total + score, 0);
  return (sum + (NEAREST - top.items.length) * (best.score - usualLead)) / NEAREST;
}

/** The best of each model: cosines of different models are not comparable. */
function nominateByVectors(compared: Comparisons): Iterable<Top<Candidate>> {
  const models = new Set([...compared.keys()].map(({ index }) => index.model!));
  const byModel = new Map<string, Top<Candidate>>();
  for (const [build, { similar }] of compared) {
    const model = build.index.model!;
    const top = byModel.get(model) ?? createTop(Math.ceil(CANDIDATES / models.size), inOrder);
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

/** Each document once, whichever search nominated it. */
function union(builds: readonly Worded[], nominated: readonly Top<Candidate>[]): Candidate[] {
  const seen = new Map<Worded, Set<number>>(builds.map((build) => [build, new Set()]));
  return nominated
    .flatMap(({ items }) => items)
    .filter(({ build, document }) => {
      const documents = seen.get(build)!;
      return !documents.has(document) && documents.add(document);
    });
}

/** Absolute: a candidate's score does not depend on the others. */
function fuse(candidates: readonly Candidate[], compared: Comparisons, { highest }: About): Candidate[] {
  return candidates
    .map((candidate) => {
      const { build, document } = candidate;
      const words = build.lexical[document]! / highest;
      const vectors = compared.get(build);
      if (!vectors) return { ...candidate, score: words };
      const { similar, weight, scale } = vectors;
      const similarity = Math.min(1, Math.max(0, similarityOn(scale)(similar[document]!) / FULL));
      return { ...candidate, score: weight * similarity + (1 - weight) * words };
    })
    .sort(inOrder);
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

/** Scores a candidate by what it says, too: a passage with the rare words of the question may be less similar than others. */
function judge(candidate: Candidate, about: About, compared: Comparisons): Judged & Candidate {
  const { build, document, score } = candidate;
  const vectors = compared.get(build);
  const cosine = vectors?.similar[document];
  const prior = vectors?.prior ?? WORDS;
  const calibration = calibrationOf(build, vectors?.scale ?? prior, vectors !== undefined);
  const level = similarityOn(calibration);
  const features: Features = {
    words: Math.min(1, build.lexical[document]! / about.highest),
    coverage: coverageOf(chunkOf(candidate), about),
    length: Math.min(MAX_LENGTH, about.query.terms.length),
    ...(cosine !== undefined && { similarity: level(cosine), lead: level(cosine) - level(vectors!.nearest) }),
  };
  const evidence = evidenceOf(features, prior, calibration);
  return {
    build,
    document,
    score: (score + evidence) / 2,
    features,
    relatedness: relatednessOf(features, prior),
    evidence,
    cosine,
  };
}

function coverageOf(chunk: Omit<IndexedChunk, 'vector'>, { query, known: { idf } }: About): number {
  const { headings, text } = standing(chunk);
  const whole = [chunk.title, ...headings, text].join('\n').slice(0, MAX_CHARACTERS);
  const held = new Set(analyze(whole, chunk.language ?? detected(whole)).flatMap(query.wordsOf));
  const sum = (terms: Iterable<string>) => [...terms].reduce((total, term) => total + (idf.get(term) ?? 0), 0);
  return Math.min(1, sum(held) / (sum(query.terms) || 1));
}

function chunkOf({ build, document }: Pick<Candidate, 'build' | 'document'>) {
  return build.index.chunks[document]!;
}

/** Best first; ties by id, so that the order of builds does not matter. */
function inOrder(a: Candidate, b: Candidate): number {
  return b.score - a.score || byText(a.build.knowledgeId, b.build.knowledgeId) || byText(chunkOf(a).id, chunkOf(b).id);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
