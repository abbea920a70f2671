import type { Kind } from './questions.ts';
import type { Result } from './result.ts';

/** A mean over questions of some kinds, or over those among them that have a value. */
export interface Measure {
  name: string;
  kinds: Kind[];
  /** Undefined where it doesn't apply. */
  of(result: Result): number | boolean | undefined;
  floor?: number;
  goal?: number;
  /** True if less is better. */
  atMost?: true;
  /** True if it means nothing unless replies say how sure they are. */
  needsConfidence?: true;
}

const right = ({ score }: Result) => score.outcome === 'right';
const answered = ({ score }: Result) => score.outcome !== 'refused';
const high = ({ reply }: Result) => reply.confidence === 'high';

export const rightAndCited = (result: Result): boolean => right(result) && result.score.cited;

const answerable = ['answerable'] satisfies Kind[];
const [needsConfidence, atMost] = [true, true] as const;

export const MEASURES: readonly Measure[] = [
  { name: 'right and cited', kinds: answerable, of: rightAndCited, floor: 0.65, goal: 0.8 },
  { name: 'right and cited by section', kinds: answerable, of: (r) => right(r) && r.score.citedSection },
  { name: 'right in part', kinds: answerable, of: ({ score }) => score.outcome === 'partial' },
  { name: 'answerable, refused', kinds: answerable, of: (r) => !answered(r), floor: 0.08, goal: 0.04, atMost },
  {
    ...{ name: 'rightly answered, with high', kinds: answerable, needsConfidence },
    of: (r) => (rightAndCited(r) ? high(r) : undefined),
    ...{ floor: 0.6, goal: 0.7 },
  },
  { name: 'wrong or in part, with high', kinds: answerable, of: (r) => high(r) && !rightAndCited(r), needsConfidence },
  { name: 'same field: with high', kinds: ['near'], of: high, floor: 0.2, goal: 0.12, atMost, needsConfidence },
  { name: 'same field: at all', kinds: ['near'], of: answered },
  { name: 'another field: with high', kinds: ['foreign'], of: high, floor: 0.05, goal: 0, atMost, needsConfidence },
  { name: 'another field: at all', kinds: ['foreign'], of: answered, floor: 0.15, goal: 0.05, atMost },
  { name: 'follow-ups: right', kinds: ['followUp'], of: right, floor: 0.55, goal: 0.75 },
  { name: 'follow-ups: right and cited', kinds: ['followUp'], of: rightAndCited },
  { name: 'first turns: right and cited', kinds: ['opening'], of: rightAndCited },
  { name: 'asked in another language: right and cited', kinds: ['otherLanguage'], of: rightAndCited },
  { name: 'share of the answer that is needed', kinds: answerable, of: ({ score }) => score.quoted?.needed },
  { name: 'share of what is needed that it says', kinds: answerable, of: ({ score }) => score.quoted?.said },
];

/** The values of a measure by site. */
export function valuesOf(measure: Measure, results: readonly Result[]): number[][] {
  if (measure.needsConfidence && !results.some(({ reply }) => reply.confidence !== null)) return [];
  const sites = new Map<string, number[]>();
  for (const result of results) {
    const value = measure.kinds.includes(result.question.kind) ? measure.of(result) : undefined;
    if (value === undefined) continue;
    const { name } = result.site;
    sites.set(name, [...(sites.get(name) ?? []), Number(value)]);
  }
  return [...sites.values()];
}

/** NaN where it has no values. */
export function mean(measure: Measure, results: readonly Result[]): number {
  const values = valuesOf(measure, results).flat();
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
