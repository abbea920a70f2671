import { median } from '../bench/measure.ts';
import { lines } from '../bench/table.ts';
import type { Minute } from './minute.ts';
import { KINDS, type Kind } from './requests.ts';
import {
  atEqualAges,
  files,
  growth,
  handles,
  heap,
  processor,
  resident,
  type Trend,
  type Verdict,
  withinLifetimes,
} from './verdicts.ts';

/** Rows of a table over time. */
const ROWS = 6;
const SECONDS = 60;
const MIB = 1024 * 1024;
const NONE = '-';

/** Documents that stay for a while after they were needed, as docs/operations.md says. */
const KEPT: Record<string, string> = {
  messages: 'events, for seven days',
  idempotency: 'responses, for a day',
  rate_limits: 'counters, for two minutes',
  deleted_accounts: 'marks, for a day',
  gone: 'marks, for a day',
  aliases: 'reserved for 30 days',
  personas: 'deleted ones, for a day',
  faq_items: 'deleted ones, for a day',
  builds: 'old ones, for 20 minutes',
};

/** One line about a minute, while the load runs. */
export function lineOf({ minute, requests, retried, errors, kinds, processes, restarts }: Minute): string {
  const memory = processes.map(({ name, residentMib }) => `${name} ${residentMib.toFixed(0)}`).join(' ');
  const reply = kinds.reply ? `reply ${timesOf(kinds.reply)} ms` : 'no reply';
  const put = retried > 0 ? `, ${retried} sent again` : '';
  const failed = errors > 0 ? `, ${errors} ERRORS` : '';
  const restarted = restarts.length > 0 ? ` | restarted: ${restarts.join(', ')}` : '';
  return `${`${minute}`.padStart(3)} min  ${(requests / SECONDS).toFixed(1)} requests/s${put}${failed} | ${reply} | MiB: ${memory}${restarted}`;
}

/** All tables of a run, in Markdown. */
export function report(minutes: readonly Minute[], verdicts: readonly Verdict[], names: readonly string[]): string {
  const parts = periods(minutes);
  const processes = [...names, ...othersThan(names, minutes)];
  return [
    '## Requests',
    '',
    'Times are p50/p99 in ms, of requests that no restart disturbed.',
    '',
    ...requestTable(parts),
    ...processTable('Resident memory, MiB', minutes, parts, processes, resident),
    ...processTable('JavaScript heap (the lowest in each minute), MiB', minutes, parts, processes, heap),
    ...processTable('Open files', minutes, parts, processes, files),
    ...processTable('Open handles, as Node counts them', minutes, parts, processes, handles),
    ...processTable('Processor, % of a core', minutes, parts, processes, processor),
    ...machineTable(parts),
    ...storedTable(parts),
    '',
    '## Verdict',
    '',
    ...verdicts.map(({ criterion, met, says }) => `- ${OUTCOME[String(met)]}: ${criterion}. ${says}`),
    '',
  ].join('\n');
}

const OUTCOME: Record<string, string> = { true: 'Met', false: 'NOT MET', undefined: 'Not told' };

/** Parts of the run of the same length, the last one perhaps shorter. */
export function periods(minutes: readonly Minute[]): Minute[][] {
  const length = Math.ceil(minutes.length / ROWS);
  const starts = Array.from({ length: Math.ceil(minutes.length / length) }, (_, i) => i * length);
  return starts.map((start) => minutes.slice(start, start + length));
}

const labelOf = (part: readonly Minute[]) => `${part[0]!.minute - 1} to ${part.at(-1)!.minute} min`;
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
const timesOf = ({ p50, p99 }: { p50: number; p99: number }) => `${p50.toFixed(0)}/${p99.toFixed(0)}`;
const othersThan = (names: readonly string[], minutes: readonly Minute[]) =>
  [...new Set(minutes.flatMap(({ processes }) => processes.map(({ name }) => name)))].filter(
    (name) => !names.includes(name),
  );

function requestTable(parts: readonly Minute[][]): string[] {
  const times = (part: readonly Minute[], kind: Kind) => {
    const served = part.flatMap(({ kinds }) => kinds[kind] ?? []);
    if (served.length === 0) return NONE;
    return timesOf({ p50: median(served.map(({ p50 }) => p50)), p99: median(served.map(({ p99 }) => p99)) });
  };
  const rows = parts.map((part) => [
    labelOf(part),
    (sum(part.map(({ requests }) => requests)) / part.length / SECONDS).toFixed(1),
    `${sum(part.map(({ retried }) => retried))}`,
    `${sum(part.map(({ errors }) => errors))}`,
    `${sum(part.map(({ restarts }) => restarts.length))}`,
    ...KINDS.map((kind) => times(part, kind)),
  ]);
  return lines({ head: ['', 'requests/s', 'sent again', 'errors', 'restarts', ...KINDS], rows });
}

type Measure = typeof resident;

function processTable(
  title: string,
  minutes: readonly Minute[],
  parts: readonly Minute[][],
  names: readonly string[],
  measure: Measure,
): string[] {
  const value = (part: readonly Minute[], name: string) => {
    const samples = part.flatMap(({ processes }) => processes.filter((sample) => sample.name === name));
    const values = samples.flatMap((sample) => measure(sample) ?? []);
    return values.length > 0 ? median(values).toFixed(0) : NONE;
  };
  const slope = (trend: (minutes: readonly Minute[], name: string, measure: Measure) => Trend) =>
    names.map((name) => {
      const { slope } = trend(minutes, name, measure);
      return slope ? growth(slope) : NONE;
    });
  const rows = [
    ...parts.map((part) => [labelOf(part), ...names.map((name) => value(part, name))]),
    ['within lifetimes', ...slope(withinLifetimes)],
    ['at equal ages', ...slope(atEqualAges)],
  ];
  return ['', `## ${title}`, '', ...lines({ head: ['', ...names], rows })];
}

/** Returns whether times can be compared with each other at all. */
function machineTable(parts: readonly Minute[][]): string[] {
  const rows = parts.map((part) => [
    labelOf(part),
    (100 * median(part.map(({ machine }) => machine.stolen))).toFixed(1),
    median(part.map(({ machine }) => machine.workMs)).toFixed(1),
  ]);
  const head = ['', 'processor time that its host took, %', 'the same piece of work, ms of processor time'];
  return ['', '## Machine', '', ...lines({ head, rows })];
}

/** At the end of each part. */
function storedTable(parts: readonly Minute[][]): string[] {
  const ends = parts.map((part) => part.at(-1)!);
  const places = [...new Set(ends.flatMap(({ collections }) => Object.keys(collections)))].sort();
  const mib = (bytes: number) => (bytes / MIB).toFixed(1);
  const rows = places.map((place) => [
    place,
    ...ends.map(({ collections }) => `${collections[place]?.count ?? 0}`),
    mib(ends.at(-1)!.collections[place]?.bytes ?? 0),
    KEPT[place.split('.')[1]!] ?? '',
  ]);
  const files = ['files', ...ends.map(({ files }) => `${files.count}`), mib(ends.at(-1)!.files.bytes), ''];
  const head = ['', ...ends.map(({ minute }) => `${minute} min`), 'MiB', 'stays'];
  return ['', '## Stored', '', ...lines({ head, rows: [...rows, files] })];
}
