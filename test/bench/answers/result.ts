import type { Question } from './questions.ts';
import type { Reply, Score } from './score.ts';
import type { Ground } from './sites.ts';

/** The result of a question. */
export interface Result {
  site: Ground;
  question: Question;
  reply: Reply;
  score: Score;
  /** The first passage of a search; undefined if it finds nothing. */
  best: { evidence: number; isRight: boolean } | undefined;
}

/** Results of one set, in a column. */
export interface Column {
  name: string;
  results: readonly Result[];
}

/** Returns whether the question was answered as it should be. */
export const isRight = ({ question: { facts }, score: { outcome, cited } }: Result): boolean =>
  facts.length === 0 ? outcome === 'refused' : outcome === 'right' && cited;
