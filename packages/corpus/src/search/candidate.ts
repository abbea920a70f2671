import type { NumberedPassage } from '../build/open-build.ts';

/** A passage that may answer, by its number: all that is known of it before it is read. */
export interface Nominee {
  /** The place of its build among those searched. */
  readonly build: number;
  readonly n: number;
  /** Of the words that nominate, each counted once; 0 if only its vector named it. */
  readonly score: number;
  /** Absent if it was not compared. */
  readonly cosine?: number;
}

/** One that was read, and what it is judged by. */
export interface Candidate extends Omit<Nominee, 'score'> {
  /** How often it holds each word of the question. */
  readonly counts: readonly number[];
  /** In terms. */
  readonly length: number;
  readonly passage: Omit<NumberedPassage, 'terms'>;
}
