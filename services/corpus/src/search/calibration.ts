import type { Calibration } from '../model.ts';

/** Below that, a build's own numbers say little. */
const PRIOR = 30;
const MAX_WEIGHT = 1_000;

/**
 * Questions about subjects that hardly any knowledge is about. By MiniLM their mean cosine with the chunks of seven
 * manuals is from -0.02 to 0.01, while that of two chunks of one manual is from 0.34 to 0.55, the higher the narrower its
 * subject: chunks can't tell what an unrelated question looks like.
 */
export const FOREIGN_QUESTIONS: readonly string[] = [
  'How long do I have to boil an egg?',
  'What is the capital of Mongolia?',
  'When does the next train to Vienna leave?',
  'Which vitamins are in spinach?',
  'Who painted the Mona Lisa?',
  'How do I knit a scarf?',
  'Can I return shoes that I bought online?',
  'What are the symptoms of the flu?',
  'How often should I water a cactus?',
  'How do I train a puppy to sit?',
  'How many calories does a banana have?',
  'Why is the sky blue?',
  'How do I change a flat tyre?',
  'What should I wear to a wedding in summer?',
  'How tall is the Eiffel Tower?',
  'Which wine goes with salmon?',
];

/**
 * One calibration for all searched builds of a model, so that their passages can be compared: the mean of theirs, weighted
 * by their samples, and of the model's own.
 */
export function pooled(builds: readonly { calibration?: Calibration | undefined }[], model: Calibration): Calibration {
  const all = [{ ...model, sample: PRIOR }];
  for (const { calibration } of builds) if (calibration) all.push(calibration);
  const weights = all.map(({ sample }) => Math.min(sample, MAX_WEIGHT));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const mean = (field: 'mean' | 'deviation' | 'nearest') =>
    all.reduce((sum, one, i) => sum + weights[i]! * one[field], 0) / total;
  return { sample: total, mean: mean('mean'), deviation: mean('deviation'), nearest: mean('nearest') };
}

/** See `Features.similarity`. */
export const similarityLevel = ({ mean, nearest }: Calibration) => {
  const span = Math.max(0.05, nearest - mean);
  return (cosine: number): number => (cosine - mean) / span;
};

/**
 * Undefined for fewer than two chunks.
 *
 * @param chunks unit vectors; all pairs are compared.
 * @param foreign unit vectors of `FOREIGN_QUESTIONS`, by the same model.
 */
export function calibrationOf(
  chunks: readonly Float32Array[],
  foreign: readonly Float32Array[],
): Calibration | undefined {
  if (chunks.length < 2 || foreign.length === 0) return undefined;
  const cosines = foreign.flatMap((question) => chunks.map((chunk) => dot(question, chunk)));
  const mean = meanOf(cosines);
  const deviation = Math.sqrt(meanOf(cosines.map((cosine) => (cosine - mean) ** 2)));
  return { sample: chunks.length, mean, deviation, nearest: meanOf(nearestOf(chunks)) };
}

/** Each chunk's highest cosine with another one. */
function nearestOf(chunks: readonly Float32Array[]): Float64Array {
  const nearest = new Float64Array(chunks.length).fill(-1);
  for (let i = 0; i < chunks.length; i++)
    for (let j = i + 1; j < chunks.length; j++) {
      const cosine = dot(chunks[i]!, chunks[j]!);
      nearest[i] = Math.max(nearest[i]!, cosine);
      nearest[j] = Math.max(nearest[j]!, cosine);
    }
  return nearest;
}

const meanOf = (numbers: Float64Array | number[]): number =>
  [...numbers].reduce((sum, each) => sum + each, 0) / numbers.length;

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}
