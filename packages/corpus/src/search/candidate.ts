import type { NumberedPassage } from '../build/open-build.ts';

/** A passage that may answer. */
export interface Candidate {
  /** The place of its build among those searched. */
  readonly build: number;
  readonly passage: Omit<NumberedPassage, 'terms'>;
  /** How often it holds each word of the question. */
  readonly counts: readonly number[];
  /** In terms. */
  readonly length: number;
  /** Absent if it was not compared. */
  readonly cosine?: number;
}
