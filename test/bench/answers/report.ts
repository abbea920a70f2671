import { primaryTag } from '@parley/language';
import { quantile } from '../measure.ts';
import type { Section, Table } from '../table.ts';
import { meanOf } from './bootstrap.ts';
import { curve } from './curve.ts';
import { MEASURES, type Measure, mean, rightAndCited, valuesOf } from './measures.ts';
import type { GroundSet } from './questions.ts';
import type { Column, Result } from './result.ts';

/** A row of the table that is no mean over questions. */
interface Figure {
  name: string;
  of(results: readonly Result[]): number;
  digits: number;
  floor?: number;
  goal?: number;
}

const answers = (results: readonly Result[]) =>
  results.filter(({ question, score }) => question.kind === 'answerable' && score.outcome !== 'refused');
const length = (share: number) => (results: readonly Result[]) =>
  quantile(
    answers(results).map(({ score }) => score.length),
    share,
  );
const millis = (share: number) => (results: readonly Result[]) =>
  quantile(
    results.map(({ reply }) => reply.millis),
    share,
  );

const FIGURES: readonly Figure[] = [
  { name: 'other languages behind English', of: behindEnglish, digits: 2, floor: 0.15, goal: 0.08 },
  { name: 'characters, median', of: length(0.5), digits: 0, floor: 600 },
  { name: 'characters, p95', of: length(0.95), digits: 0, floor: 1_200 },
  { name: 'milliseconds, median', of: millis(0.5), digits: 0 },
  { name: 'milliseconds, p95', of: millis(0.95), digits: 0 },
];

const RIGHT_AND_CITED = MEASURES.find(({ of }) => of === rightAndCited)!;

/** How much fewer questions are answered rightly about sites in other languages. */
function behindEnglish(results: readonly Result[]): number {
  const isEnglish = ({ site }: Result) => primaryTag(site.language) === 'en';
  const others = results.filter((result) => !isEnglish(result));
  return mean(RIGHT_AND_CITED, results.filter(isEnglish)) - mean(RIGHT_AND_CITED, others);
}

const SETS: readonly GroundSet[] = ['tune', 'held-out', 'manuals'];
const NAMES: Readonly<Record<GroundSet, string>> = { tune: 'tune', 'held-out': 'held out', manuals: 'manuals' };

export function report(results: readonly Result[]): Table {
  const sets = setsOf(results);
  const rows = MEASURES.map((measure) => [
    measure.name,
    ...sets.map(({ results }) => share(measure, results)),
    ...[measure.floor, measure.goal].map((bound) => bound?.toFixed(2) ?? ''),
  ]);
  const figures = FIGURES.map(({ name, of, digits, floor, goal }) => [
    name,
    ...sets.map(({ results }) => shown(of(results), digits)),
    ...[floor, goal].map((bound) => bound?.toFixed(digits) ?? ''),
  ]);
  const bound = boundOf(results);
  return {
    about: `${results.length} questions through POST /v1/chatbot/:id/reply. Shares have an interval (95 %, bootstrapped by site) and how many questions they are of. Sites held out say how good it is; the others are for tuning.`,
    head: ['', ...sets.map(({ name }) => name), 'floor', 'goal'],
    rows: [...rows, ...figures],
    further: [byLanguage(results), curve(sets)],
    ...(bound && { bound }),
  };
}

function setsOf(results: readonly Result[]): Column[] {
  return SETS.map((set) => ({ name: NAMES[set], results: results.filter(({ site }) => site.set === set) })).filter(
    ({ results }) => results.length > 0,
  );
}

/** Fewer sites than this can't tell how much sites differ. */
const SITES_FOR_INTERVAL = 3;

function share(measure: Measure, results: readonly Result[]): string {
  const groups = valuesOf(measure, results);
  const count = groups.flat().length;
  if (count === 0) return '';
  const { mean, low, high } = meanOf(groups);
  const interval = groups.length < SITES_FOR_INTERVAL ? '' : ` (${low.toFixed(2)}-${high.toFixed(2)})`;
  return `${mean.toFixed(2)}${interval} of ${count}`;
}

const shown = (value: number, digits: number): string => (Number.isNaN(value) ? '' : value.toFixed(digits));

function byLanguage(results: readonly Result[]): Section {
  const columns = MEASURES.filter(({ floor }) => floor !== undefined);
  const rows = setsOf(results).flatMap(({ name, results }) =>
    [...new Set(results.map(({ site }) => primaryTag(site.language)))].sort().map((language) => {
      const some = results.filter(({ site }) => primaryTag(site.language) === language);
      return [
        `${language}, ${name}`,
        ...columns.map((measure) => shown(mean(measure, some), 2)),
        shown(length(0.5)(some), 0),
      ];
    }),
  );
  return { title: 'By language', head: ['', ...columns.map(({ name }) => name), 'characters, median'], rows };
}

function boundOf(all: readonly Result[]) {
  const results = all.filter(({ site }) => site.set === 'held-out');
  if (results.length === 0) return undefined;
  const isMissed = ({ floor, atMost }: Pick<Measure, 'floor' | 'atMost'>, value: number) =>
    floor !== undefined && (atMost ? value > floor : value < floor);
  const missed = [
    ...MEASURES.filter((measure) => isMissed(measure, mean(measure, results))),
    ...FIGURES.filter(({ of, floor }) => isMissed({ floor, atMost: true }, of(results))),
  ].map(({ name }) => name);
  const misses = missed.length === 0 ? 'all do' : `not yet: ${missed.join('; ')}`;
  return { says: `on sites held out, everything must reach its floor; ${misses}.`, met: missed.length === 0 };
}
