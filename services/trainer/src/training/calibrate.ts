import {
  type Calibration,
  type Embedder,
  EmbeddingUnavailable,
  type Features,
  type IndexedChunk,
  logitOf,
  type Prior,
  uncalibrated,
  WORDS,
} from '@parley/corpus';
import { QuotaExceeded } from '@parley/runtime/mongo';
import { askMasked, type EmbeddedQuestion, type MaskedAnswer } from './ask-masked.ts';
import { embeddedText } from './build-writer.ts';
import { fitLogistic } from './logistic-fit.ts';
import { type MaskedQuestion, maskedQuestions } from './masking.ts';

/** Asked of a build: 10 CPU seconds of the local model. */
const MAX_QUESTIONS = 60;
/** Chunks for each question: what asking costs stays a small share of embedding them. */
const CHUNKS_PER_QUESTION = 5;
/** How many a small build may try: that takes seconds. */
const FREELY = 20;
/** Fewer tell nothing. */
const FEWEST_QUESTIONS = 3;
/**
 * How sure the scale and the offset of the log-odds are before: deviations of 0.1 and 0.14. Sites hardly differ in them (masked
 * questions left out of the fit gain 0.005 nats at most), while what visitors ask differs from headings by more.
 */
const PRECISION = [100, 50];
/** More evidence never counts for less. */
const LOWEST_SCALE = 0.2;

/**
 * Asks a sample of a build's chunks their own headings and FAQ questions. Undefined if there are too few, or if they can't be
 * embedded now, or not be paid for: searches use what is known of the model then.
 */
export async function calibrate(
  embedder: Embedder | null,
  chunks: readonly IndexedChunk[],
  isFaq: boolean,
  signal: AbortSignal,
): Promise<Calibration | undefined> {
  const most = Math.min(MAX_QUESTIONS, FREELY + Math.floor(chunks.length / CHUNKS_PER_QUESTION));
  const questions = maskedQuestions(chunks, isFaq).slice(0, most);
  if (questions.length < FEWEST_QUESTIONS) return undefined;
  try {
    const embedded = embedder ? await withVectors(embedder, questions, signal) : questions;
    const { model, prior } = embedder ?? { model: undefined, prior: WORDS };
    const scale = scaleOf(
      embedded.map((each) => ({ ...each, chunks })),
      prior,
    );
    const answers = await askMasked(chunks, embedded, { model, prior: { ...prior, ...scale } });
    return { ...uncalibrated(scale), ...fitted(answers, prior), questions: questions.length };
  } catch (error) {
    if (error instanceof EmbeddingUnavailable || error instanceof QuotaExceeded) return undefined;
    throw error;
  }
}

/** Questions as queries, which some models embed differently from passages; one after the other, so that they hold up nobody. */
async function withVectors(
  embedder: Embedder,
  questions: readonly MaskedQuestion[],
  signal: AbortSignal,
): Promise<EmbeddedQuestion[]> {
  const vectors = (
    await embedder.embed(
      questions.flatMap(({ masked }) => masked.map(embeddedText)),
      signal,
    )
  ).values();
  const embedded: EmbeddedQuestion[] = [];
  for (const { question, documents, masked } of questions)
    embedded.push({
      ...{ question, documents, vector: await embedder.embedQuery(question, signal) },
      masked: masked.map((chunk) => ({ ...chunk, vector: vectors.next().value! })),
    });
  return embedded;
}

/** Mean cosines of questions with other sections, shrunk towards the model's. */
export function scaleOf(
  questions: readonly (EmbeddedQuestion & { readonly chunks: readonly IndexedChunk[] })[],
  { far, near, strength }: Pick<Prior, 'far' | 'near' | 'strength'>,
): Pick<Calibration, 'far' | 'near'> {
  const sums = { far: strength * far, near: strength * near, questions: strength };
  for (const { vector, documents, chunks } of questions) {
    const hidden = new Set(documents);
    const others = chunks.filter(({ vector }, i) => vector && !hidden.has(i));
    if (!vector || others.length === 0) continue;
    const cosines = others.map((chunk) => dot(vector, chunk.vector!));
    sums.far += cosines.reduce((sum, cosine) => sum + cosine, 0) / cosines.length;
    sums.near += cosines.reduce((most, cosine) => Math.max(most, cosine));
    sums.questions += 1;
  }
  return sums.questions === 0 ? { far, near } : { far: sums.far / sums.questions, near: sums.near / sums.questions };
}

function fitted(answers: readonly MaskedAnswer[], { weights }: Prior): Pick<Calibration, 'scale' | 'offset'> {
  const examples = answers
    .flatMap(examplesOf)
    .map(({ features, isTrue }) => ({ features: [logitOf(features, weights), 1], isTrue }));
  const [scale, offset] = fitLogistic(examples, {
    mean: [1, 0],
    precision: PRECISION,
    lowest: [LOWEST_SCALE, Number.NEGATIVE_INFINITY],
  });
  return { scale: scale!, offset: offset! };
}

/** Returns what was found first: with the section if that is right, and without it. */
export function examplesOf({ withSection, without, isRight }: MaskedAnswer): { features: Features; isTrue: boolean }[] {
  const [first] = withSection;
  const [other] = without;
  return [
    ...(first && isRight(first) ? [{ features: first.features, isTrue: true }] : []),
    ...(other ? [{ features: other.features, isTrue: false }] : []),
  ];
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
