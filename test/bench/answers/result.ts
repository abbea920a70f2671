import type { Question } from './questions.ts';
import type { Reply, Score } from './score.ts';
import type { Ground } from './sites.ts';

/** What became of a question. */
export interface Result {
  site: Ground;
  question: Question;
  reply: Reply;
  score: Score;
  /** What a search puts first; undefined if it finds nothing. */
  best: { evidence: number; isRight: boolean } | undefined;
}

/** Results of one set, in a column. */
export interface Column {
  name: string;
  results: readonly Result[];
}

/** Whether the question was answered as it should be. */
export const isRight = ({ question: { facts }, score: { outcome, cited } }: Result): boolean =>
  facts.length === 0 ? outcome === 'refused' : outcome === 'right' && cited;
