import type { Section } from '../table.ts';
import { rightAndCited } from './measures.ts';
import type { Column, Result } from './result.ts';

/** Questions on the owner's subject, with and without an answer. */
const isAsked = ({ question: { kind } }: Result): boolean => kind === 'answerable' || kind === 'near';

const DECILES = Array.from({ length: 10 }, (_, i) => (i + 1) / 10);

/**
 * Of the questions on the owner's subject: how many are answered, and how many of these are not answered rightly; the same
 * if those were answered whose best passage has the most evidence, with its section.
 */
export function curve(columns: readonly Column[]): Section {
  const asked = columns.map(({ results }) => results.filter(isAsked));
  const row = (name: string, of: (results: readonly Result[]) => string) => [name, ...asked.map(of)];
  return {
    title: 'Risk and coverage: share that is answered, and share of these that is not answered rightly',
    head: ['', ...columns.map(({ name }) => name)],
    rows: [
      row('answered with high', (results) =>
        point(
          results.filter(({ reply }) => reply.confidence === 'high'),
          results,
        ),
      ),
      row('answered at all', (results) =>
        point(
          results.filter(({ score }) => score.outcome !== 'refused'),
          results,
        ),
      ),
      ...DECILES.map((share) =>
        row(`the ${share * 100} % with the most evidence`, (results) => atShare(results, share)),
      ),
      [
        'AUC of evidence: right section against same field',
        ...columns.map(({ results }) => separates(results, 'near')),
      ],
      [
        'AUC of evidence: right section against another field',
        ...columns.map(({ results }) => separates(results, 'foreign')),
      ],
    ],
  };
}

function point(answered: readonly Result[], all: readonly Result[]): string {
  if (answered.length === 0) return '';
  return `${(answered.length / all.length).toFixed(2)}, ${share(answered, (result) => !rightAndCited(result))}`;
}

function atShare(results: readonly Result[], part: number): string {
  const count = Math.round(results.length * part);
  if (count === 0) return '';
  const best = results.toSorted((a, b) => evidenceOf(b) - evidenceOf(a)).slice(0, count);
  return `${part.toFixed(2)}, ${share(best, ({ best }) => !best?.isRight)}`;
}

const share = (results: readonly Result[], is: (result: Result) => boolean): string =>
  (results.filter(is).length / results.length).toFixed(2);

const evidenceOf = ({ best }: Result): number => best?.evidence ?? 0;

/** How often the best passage of a question that it answers has more evidence than that of a question of the other kind. */
function separates(results: readonly Result[], kind: 'near' | 'foreign'): string {
  const right = results.filter(({ question, best }) => question.kind === 'answerable' && best?.isRight).map(evidenceOf);
  const other = results.filter(({ question }) => question.kind === kind).map(evidenceOf);
  if (right.length === 0 || other.length === 0) return '';
  return auc(right, other).toFixed(2);
}

/** The chance that a value of the first is larger than one of the second; equal ones count half. */
export function auc(positive: readonly number[], negative: readonly number[]): number {
  let larger = 0;
  for (const one of positive) for (const other of negative) larger += one > other ? 1 : one === other ? 0.5 : 0;
  return larger / (positive.length * negative.length);
}
