import { quantile } from '../measure.ts';
import type { Table } from '../table.ts';
import { shareOf } from './bootstrap.ts';
import type { Kind, Question } from './questions.ts';
import type { Reply, Score } from './score.ts';

export interface Result {
  question: Question;
  reply: Reply;
  score: Score;
  /** The column of the table: the set, and the language where it isn't English. */
  column: string;
}

interface Measure {
  name: string;
  kinds: Kind[];
  of: (score: Score) => boolean;
  floor?: number;
  goal?: number;
  /** Whether less is better. */
  atMost?: true;
}

const correct = ({ outcome }: Score) => outcome === 'correct';
const refused = ({ outcome }: Score) => outcome === 'refused';
const answered = ({ outcome }: Score) => outcome === 'answered';

const MEASURES: readonly Measure[] = [
  {
    name: 'answerable: correct and cited',
    kinds: ['answerable'],
    of: (s) => correct(s) && s.cited,
    floor: 0.72,
    goal: 0.85,
  },
  { name: 'answerable: correct', kinds: ['answerable'], of: correct },
  { name: 'answerable: a cited page or section holds the facts', kinds: ['answerable'], of: (s) => s.cited },
  { name: 'answerable: cited by section', kinds: ['answerable'], of: (s) => s.citedSection },
  { name: 'answerable: partial', kinds: ['answerable'], of: (s) => s.outcome === 'partial' },
  { name: 'answerable: wrong', kinds: ['answerable'], of: (s) => s.outcome === 'wrong' },
  { name: 'answerable: false refusals', kinds: ['answerable'], of: refused, floor: 0.1, goal: 0.05, atMost: true },
  { name: 'same field: false answers', kinds: ['near'], of: answered, floor: 0.35, goal: 0.15, atMost: true },
  { name: 'foreign field: false answers', kinds: ['foreign'], of: answered, floor: 0.02, goal: 0, atMost: true },
  { name: 'follow-ups: correct', kinds: ['followUp'], of: correct, floor: 0.5, goal: 0.7 },
  { name: 'follow-ups: refused', kinds: ['followUp'], of: refused },
  { name: 'two sections: correct', kinds: ['two'], of: correct, floor: 0.35, goal: 0.6 },
  { name: 'two sections: partial', kinds: ['two'], of: (s) => s.outcome === 'partial' },
  { name: 'small talk: answered as such', kinds: ['talk'], of: correct },
];

/** The column whose figures count. */
const JUDGED = 'held out';

/** By how much German may be behind English. The figure means something if German is embedded by the multilingual model. */
const GERMAN = { column: 'de, held out', behind: 0.15 };

export function report(results: readonly Result[]): Table {
  const columns = [...new Set(results.map(({ column }) => column))];
  const of = (column: string, kinds?: readonly Kind[]) =>
    results.filter((result) => result.column === column && (!kinds || kinds.includes(result.question.kind)));
  const rows = MEASURES.map((measure) => [
    measure.name,
    ...columns.map((column) => share(of(column, measure.kinds).map(({ score }) => measure.of(score)))),
    ...[measure.floor, measure.goal].map((bound) => bound?.toFixed(2) ?? ''),
  ]);
  const colons = columns.map((column) => String(of(column).filter(({ score }) => score.colon).length));
  const spread = (values: number[]) => `${quantile(values, 0.5).toFixed(0)}, ${quantile(values, 0.95).toFixed(0)}`;
  const lengths = columns.map((column) => spread(of(column).map(({ score }) => score.length)));
  const times = columns.map((column) => spread(of(column).map(({ score }) => score.millis)));
  const bound = boundOf(results);
  return {
    about: `${results.length} questions through POST /v1/chatbot/:id/reply, with the share and its bootstrap interval (95 %), and how many questions it is of. Sources held out say how good it is; the others are for tuning.`,
    head: ['', ...columns, 'floor', 'goal'],
    rows: [
      ...rows,
      ['a statement ends with ":"', ...colons, '0', '0'],
      ['characters, median and p95', ...lengths, '', ''],
      ['milliseconds, median and p95', ...times, '', ''],
    ],
    ...(bound && { bound }),
  };
}

/** A share with its interval and the number of values, to be read. */
export function share(values: readonly boolean[]): string {
  if (values.length === 0) return '';
  const { share: mean, low, high } = shareOf(values);
  return `${mean.toFixed(2)} (${low.toFixed(2)}-${high.toFixed(2)}) of ${values.length}`;
}

function boundOf(all: readonly Result[]) {
  const results = all.filter(({ column }) => column === JUDGED);
  if (results.length === 0) return undefined;
  const missed = MEASURES.filter((measure) => {
    const mean = meanOf(measure, results);
    if (measure.floor === undefined || Number.isNaN(mean)) return false;
    return measure.atMost ? mean > measure.floor : mean < measure.floor;
  }).map(({ name }) => name);
  if (results.some(({ score }) => score.colon)) missed.push('ends with ":"');
  const behind =
    meanOf(MEASURES[0]!, results) -
    meanOf(
      MEASURES[0]!,
      all.filter(({ column }) => column === GERMAN.column),
    );
  if (behind > GERMAN.behind) missed.push(`German is behind by ${behind.toFixed(2)}, more than ${GERMAN.behind}`);
  const misses = missed.length === 0 ? 'all do' : `not yet: ${missed.join('; ')}`;
  return { says: `on sources held out, every share must reach its floor; ${misses}.`, met: missed.length === 0 };
}

/** NaN if none of its questions was asked. */
function meanOf({ kinds, of }: Measure, results: readonly Result[]): number {
  const values = results.filter(({ question }) => kinds.includes(question.kind)).map(({ score }) => of(score));
  return values.filter(Boolean).length / values.length;
}

/** Whether a question was answered as it should be. */
export const isRight = ({ question: { kind }, score: { outcome, cited } }: Result): boolean =>
  kind === 'near' || kind === 'foreign' ? outcome === 'refused' : outcome === 'correct' && (cited || kind === 'talk');

/** A question with its answer, to be read. */
export function printed(result: Result): string {
  const { question, reply, score } = result;
  const { id, before, ask, sections, facts } = question;
  const verdict = [
    score.outcome,
    score.cited && 'cited',
    score.citedSection && 'by section',
    score.colon && 'ENDS WITH ":"',
  ];
  return [
    `=== ${id}: ${verdict.filter(Boolean).join(', ')}; ${score.millis.toFixed(0)} ms`,
    ...before.map((earlier) => `    before: ${earlier}`),
    `  asked: ${ask}`,
    ...sections.map((section) => `  stands in: ${section}`),
    ...facts.map((fact) => `  fact: ${fact.join(' | ')}`),
    ...reply.message.split('\n').map((line) => `  > ${line}`),
    '',
  ].join('\n');
}
