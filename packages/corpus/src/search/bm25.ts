import type { Candidate } from './candidate.ts';

const K1 = 1.2;
export const B = 0.75;

/** BM25 statistics over all searched passages. */
export interface Statistics {
  readonly averageLength: number;
  /** The inverse frequency of each word of the question; highest for one that no passage holds. */
  readonly idf: readonly number[];
}

/** @param held how many passages hold the word. */
export const idfOf = (passages: number, held: number): number =>
  Math.log(1 + (Math.max(0, passages - held) + 0.5) / (held + 0.5));

/** Returns what the length of a passage takes from each of its words. */
export const lengthNorm = (length: number, averageLength: number): number =>
  K1 * (1 - B + (B * length) / averageLength);

/** The BM25 score of a passage. */
export function wordScore(
  { counts, length }: Pick<Candidate, 'counts' | 'length'>,
  { averageLength, idf }: Statistics,
) {
  const norm = lengthNorm(length, averageLength);
  return counts.reduce((sum, count, i) => sum + (idf[i]! * count * (K1 + 1)) / (count + norm), 0);
}

/** The score that no passage can reach: every word of the question, as often as can be. */
export const highestScore = ({ idf }: Statistics): number => idf.reduce((sum, weight) => sum + weight * (K1 + 1), 0);
