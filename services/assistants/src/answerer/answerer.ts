import type { CitedAnswer, Passage } from '../domain/cite.ts';

export interface Said {
  by: 'user' | 'assistant';
  message: string;
}

export interface Question {
  question: string;
  /** What was said before, oldest first. */
  history: readonly Said[];
  /** Those with evidence, best first; at least one. */
  passages: readonly Passage[];
}

/** What turns passages into an answer. */
export interface Answerer {
  /**
   * Every source of the answer is one of the passages. Rejects with the signal's reason once it aborts, and with an
   * error whose message an operator may read, without secrets, where the answer can't be had.
   */
  answer(question: Question, signal: AbortSignal): Promise<CitedAnswer>;
}
