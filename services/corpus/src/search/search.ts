import type { Calibration } from '../model.ts';
import { textHash } from '../store/chunks.ts';
import { highestScore, lexicalScores, type Statistics, statistics } from './bm25.ts';
import type { BuildIndex } from './build-index.ts';
import { pooled, similarityLevel } from './calibration.ts';
import { evidenceOf } from './evidence.ts';
import { type AskedFeatures, askedFeatures, type Features, passageFeatures } from './features.ts';
import type { Asked } from './follow-up.ts';
import { queryWords } from './query-words.ts';
import type { AskedTerms } from './question.ts';
import { sectionOf, standing } from './sections.ts';
import { createTop, type Top } from './top.ts';
import { allFinite, similarities } from './vectors.ts';

export interface SearchedBuild {
  readonly knowledgeId: string;
  readonly index: BuildIndex;
  /** Whether it is an FAQ: each source is a question and its answer. */
  readonly isFaq?: boolean;
  /** Absent if an earlier version trained it, or it has no vectors. */
  readonly calibration?: Calibration | undefined;
}

export interface QueryVector {
  readonly vector: Float32Array;
  /** The model's: share of the vectors in the fused score, 0 to 1. */
  readonly weight: number;
  /** The model's, for builds without their own. */
  readonly calibration: Calibration;
  /** The model's; by default 1. */
  readonly contrast?: number;
}

/** By model; a build whose model is missing here, or has another dimension, is searched by words only. */
export type QueryVectors = ReadonlyMap<string, QueryVector>;

export interface Hit {
  readonly knowledgeId: string;
  readonly chunkId: string;
  readonly title: string;
  readonly url: string;
  /** Without the headings above it. */
  readonly text: string;
  /** 0 to 1, from similarity, words and evidence; comparable between searches by the same model. */
  readonly score: number;
  /** Cosine of question and chunk, -1 to 1; absent where the build was searched by words alone. */
  readonly similarity?: number;
  /** Share of the query's content terms that title, headings and text hold, weighted by rarity, 0 to 1. */
  readonly coverage: number;
  /** How likely the passage answers the question, 0 to 1. */
  readonly evidence: number;
  /** Outermost first. */
  readonly headings: readonly string[];
  /** The text around it in its section; of an FAQ item, the answer. */
  readonly section: string;
  /** Equal for passages of one section. */
  readonly sectionId: string;
  /** BCP 47; empty if unknown. */
  readonly language: string;
  readonly isFaq: boolean;
}

/** Candidates of the search by words, and of all searches by vectors together. */
const CANDIDATES = 100;
/** The best by similarity, which another one is compared with. */
const NEAREST = 10;
/** How far, in levels, the best passage stands out if too few are there to tell: the median of those that answer. */
const USUAL_PROMINENCE = 0.12;
/** Candidates whose texts are read to judge them. */
const JUDGED = 12;
const ID_CHARACTERS = 32;
/** Unknown words that are listed. */
const MAX_UNKNOWN = 50;

/** A build with its scores by the words of the question. */
interface Worded extends SearchedBuild {
  readonly lexical: Float64Array;
}

/** A build's cosines with the question. */
interface Compared {
  readonly similar: Float32Array;
  readonly weight: number;
  readonly level: (cosine: number) => number;
  /** The mean level of the nearest documents of all builds of its model. */
  readonly nearest: number;
  readonly contrast: number;
}

/** Builds that have no vectors to compare are not in it. */
type Comparisons = ReadonlyMap<Worded, Compared>;

interface Candidate {
  readonly build: Worded;
  readonly document: number;
  readonly score: number;
}

interface Judged extends Candidate {
  readonly coverage: number;
  readonly evidence: number;
  readonly similarity: number | undefined;
}

/** The result of searching by words. */
export interface FoundByWords {
  /** Content words of the question, as written, that no chunk has. */
  readonly unknownWords: readonly string[];
  /** The best chunks by words and vectors combined, at most `limit`, best first. */
  rank(vectors: QueryVectors, limit: number): Hit[];
}

/**
 * Searches all builds in one pass, as one corpus: idf is computed over all of them. The search by words needs no model, so
 * it can run while the question is being embedded. Both searches nominate candidates, whose scores are scaled by what is
 * known of the index and the model, not by each other, and fused. Texts that differ only in case, spaces and punctuation
 * appear once. The order depends only on the chunks and the question.
 */
export function searchByWords(builds: readonly SearchedBuild[], question: Asked): FoundByWords {
  const all = builds.map(({ index }) => index.lexical);
  const { asked, indexes } = queryWords(question, all);
  const known = statistics(indexes, asked.keys(), (term) => asked.get(term)!.share);
  const worded = builds.map((build, i) => ({ ...build, lexical: lexicalScores(indexes[i]!, known) }));
  const byWords = createTop(CANDIDATES, inOrder);
  for (const build of worded) offerAll(byWords, build, build.lexical, 0);
  const about: About = { asked, known, highest: highestScore(known) || 1, features: askedFeatures(asked, known) };
  return {
    unknownWords: [...known.unknown].slice(0, MAX_UNKNOWN).map((term) => asked.get(term)!.written),
    rank(vectors, limit) {
      const compared = compare(worded, vectors);
      const candidates = union(worded, [byWords, ...nominateByVectors(compared)]);
      const fused = distinct(fuse(candidates, compared, about), Math.max(limit, JUDGED));
      const judged = fused.map((candidate) => judge(candidate, about, compared)).sort(inOrder);
      return judged.slice(0, limit).map(toHit);
    },
  };
}

/** The question, as the index knows it. */
interface About {
  readonly asked: AskedTerms;
  readonly known: Statistics;
  /** Of a lexical score. */
  readonly highest: number;
  readonly features: AskedFeatures;
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
    const { vector, weight, calibration, contrast = 1 } = vectors.get(model)!;
    const level = similarityLevel(pooled(group, calibration));
    const similar = group.map(({ index }) => similarities(index.vectors!, vector));
    const nearest = nearestLevel(similar, level, contrast);
    group.forEach((build, i) => {
      compared.set(build, { similar: similar[i]!, weight, level, nearest, contrast });
    });
  }
  return compared;
}

function nearestLevel(similar: readonly Float32Array[], level: Compared['level'], contrast: number): number {
  const top = createTop<{ score: number }>(NEAREST, (a, b) => b.score - a.score);
  for (const scores of similar) for (const score of scores) if (top.admits(score)) top.offer({ score });
  const [best] = top.items;
  if (!best) return 0;
  const sum = top.items.reduce((total, { score }) => total + level(score), 0);
  return (sum + (NEAREST - top.items.length) * (level(best.score) - USUAL_PROMINENCE / contrast)) / NEAREST;
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
      const { similar, weight, level } = vectors;
      const similarity = Math.min(1, Math.max(0, level(similar[document]!)));
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
function judge(candidate: Candidate, about: About, compared: Comparisons): Judged {
  const { build, document, score } = candidate;
  const chunk = chunkOf(candidate);
  const vectors = compared.get(build);
  const similarity = vectors?.similar[document];
  const passage = { title: chunk.title, ...standing(chunk), language: chunk.language };
  const features: Features = {
    ...passageFeatures(passage, about.asked, about.features, about.known),
    ...(similarity !== undefined && levels(vectors!, similarity)),
  };
  const evidence = evidenceOf(features);
  return { ...candidate, score: (score + evidence) / 2, coverage: features.coverage, evidence, similarity };
}

function toHit(judged: Judged): Hit {
  const { build, document, score, coverage, evidence, similarity } = judged;
  const { knowledgeId, index, isFaq = false } = build;
  const chunk = chunkOf(judged);
  const { id, title, url, source, section, language = '' } = chunk;
  const { headings, text } = standing(chunk);
  const place = isFaq ? [source] : section === undefined ? [source, 'chunk', id] : [source, 'section', section];
  return {
    knowledgeId,
    chunkId: id,
    title,
    url,
    text,
    score,
    ...(similarity !== undefined && { similarity }),
    coverage,
    evidence,
    headings,
    section: sectionOf(index, document, isFaq),
    sectionId: textHash(JSON.stringify([knowledgeId, ...place])).slice(0, ID_CHARACTERS),
    language,
    isFaq,
  };
}

function levels({ level, nearest, contrast }: Compared, cosine: number) {
  const similarity = level(cosine);
  return { similarity, prominence: contrast * (similarity - nearest) };
}

function chunkOf({ build, document }: Candidate) {
  return build.index.chunks[document]!;
}

/** Best first; ties by id, so that the order of builds does not matter. */
function inOrder(a: Candidate, b: Candidate): number {
  return b.score - a.score || byText(a.build.knowledgeId, b.build.knowledgeId) || byText(chunkOf(a).id, chunkOf(b).id);
}

function byText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
