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
import { askMasked, type EmbeddedQuestion, type MaskedAnswer } from './ask-masked.ts';
import { embeddedText } from './build-writer.ts';
import { fitLogistic } from './logistic-fit.ts';
import { maskedQuestions } from './masking.ts';

/** Asked of a build: 10 CPU seconds of the local model. */
const MOST_QUESTIONS = 60;
/** Chunks for each question: what asking costs stays a small share of embedding them. */
const CHUNKS_PER_QUESTION = 5;
/** Of small builds, which take seconds. */
const FREELY = 20;
/** Fewer tell nothing. */
const FEWEST_QUESTIONS = 3;
/** How sure the scale and the offset of the logit are at least, whatever the model: standard deviations of 0.25 and 0.5. */
const PRECISION = [16, 4] as const;

/**
 * Asks a sample of a build's chunks their own headings and FAQ questions. Undefined if there are too few, or if they can't be
 * embedded now: searches use what is known of the model then.
 */
export async function calibrate(
  embedder: Embedder | null,
  chunks: readonly IndexedChunk[],
  isFaq: boolean,
  signal: AbortSignal,
): Promise<Calibration | undefined> {
  const most = Math.min(MOST_QUESTIONS, FREELY + Math.floor(chunks.length / CHUNKS_PER_QUESTION));
  const questions = maskedQuestions(chunks, isFaq).slice(0, most);
  if (questions.length < FEWEST_QUESTIONS) return undefined;
  try {
    const embedded: EmbeddedQuestion[] = [];
    for (const { question, documents, masked } of questions) {
      if (!embedder) embedded.push({ question, documents, masked });
      else {
        const vectors = await embedder.embed(masked.map(embeddedText), signal);
        const vector = await embedder.embedQuery(question, signal);
        embedded.push({
          question,
          documents,
          vector,
          masked: masked.map((chunk, i) => ({ ...chunk, vector: vectors[i]! })),
        });
      }
    }
    const { model, weight, prior } = embedder ?? { model: undefined, weight: 0, prior: WORDS };
    const scale = scaleOf(
      embedded.map((each) => ({ ...each, chunks })),
      prior,
    );
    const answers = await askMasked(chunks, embedded, { model, weight, prior: { ...prior, ...scale } });
    return { ...uncalibrated(scale), ...fitted(answers, prior), questions: questions.length };
  } catch (error) {
    if (error instanceof EmbeddingUnavailable) return undefined;
    throw error;
  }
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

function fitted(answers: readonly MaskedAnswer[], { weights, strength }: Prior): Pick<Calibration, 'scale' | 'offset'> {
  const examples = answers
    .flatMap(examplesOf)
    .map(({ features, isTrue }) => ({ features: [logitOf(features, weights), 1], isTrue }));
  const [scale, offset] = fitLogistic(examples, [1, 0], [PRECISION[0] + strength, PRECISION[1] + strength / 2], [0.2, Number.NEGATIVE_INFINITY]);
  return { scale: scale!, offset: offset! };
}

/** What was found first: with the section if that is right, and without it. */
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
