import type { NumberedPassage } from '../build/open-build.ts';

/** A passage that may answer, by its number, and what it is judged by. */
export interface Nominee {
  /** The place of its build among those searched. */
  readonly build: number;
  readonly n: number;
  /** How often it holds each word of the question. */
  readonly counts: readonly number[];
  /** In terms. */
  readonly length: number;
  /** Absent if it was not compared. */
  readonly cosine?: number;
}

export interface Candidate extends Nominee {
  readonly passage: Omit<NumberedPassage, 'terms'>;
}
