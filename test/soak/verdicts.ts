import type { Minute } from './minute.ts';
import { KINDS } from './requests.ts';
import type { ProcessSample } from './sampling/processes.ts';
import { commonSlope, type Point, type Slope } from './trend.ts';

export interface Verdict {
  criterion: string;
  /** Undefined if the run was too short to tell. */
  met: boolean | undefined;
  says: string;
}

/** How something develops; undefined if there is too little to tell. */
export interface Trend {
  name: string;
  slope: Slope | undefined;
}

/** Growth in an hour that is taken for flat, as a share; errors of the estimate are allowed for besides. */
const MEMORY_GROWTH = 0.1;
const LATENCY_GROWTH = 0.25;
/** Milliseconds an hour, and open files: less is no growth, however small the value is. */
const LEAST_LATENCY = 1;
const LEAST_FILES = 5;
/** Share of the run during which a process warms up. */
const WARM_UP = 1 / 6;
/** How far the truth may be from an estimate, in standard errors. */
const ERRORS = 2;
const HOUR = 60;

type Measure = (sample: ProcessSample) => number | undefined;

export const resident: Measure = ({ residentMib }) => residentMib;
export const heap: Measure = ({ heapMib }) => heapMib;
export const files: Measure = ({ openFiles }) => openFiles;
export const handles: Measure = (sample) => sample.handles;
export const processor: Measure = ({ cores }) => 100 * cores;

/** The development within lifetimes of a process, once it is warm. */
export function withinLifetimes(minutes: readonly Minute[], name: string, measure: Measure): Trend {
  const warm = minutes.length * WARM_UP;
  const samples = samplesOf(minutes, name).filter(({ sample }) => sample.age >= warm);
  const points = (of: Sampled[]) => of.flatMap(({ sample }) => pointOf(sample.age, measure(sample)));
  return { name, slope: commonSlope(grouped(samples, ({ sample }) => sample.pid).map(points)) };
}

/** The development from one lifetime to the next, at equal ages. */
export function atEqualAges(minutes: readonly Minute[], name: string, measure: Measure): Trend {
  const samples = samplesOf(minutes, name).filter(({ sample }) => sample.age >= 1);
  const points = (of: Sampled[]) => of.flatMap(({ minute, sample }) => pointOf(minute, measure(sample)));
  return { name, slope: commonSlope(grouped(samples, ({ sample }) => Math.round(sample.age)).map(points)) };
}

function grouped<T>(all: readonly T[], key: (each: T) => number): T[][] {
  const groups = new Map<number, T[]>();
  for (const each of all) groups.set(key(each), [...(groups.get(key(each)) ?? []), each]);
  return [...groups.values()];
}

type Sampled = { minute: number; sample: ProcessSample };

const samplesOf = (minutes: readonly Minute[], name: string): Sampled[] =>
  minutes.flatMap(({ minute, processes }) =>
    processes.filter((sample) => sample.name === name).map((sample) => ({ minute, sample })),
  );

const pointOf = (x: number, y: number | undefined): Point[] => (y === undefined ? [] : [{ x, y }]);

/** The development of the p50 of each kind of request, after the last restart. */
export function latencies(minutes: readonly Minute[]): Trend[] {
  const last = minutes.findLastIndex(({ restarts }) => restarts.length > 0);
  const quiet = minutes.slice(last + 2);
  return KINDS.map((name) => ({
    name,
    slope: commonSlope([quiet.flatMap(({ minute, kinds }) => pointOf(minute, kinds[name]?.p50))]),
  }));
}

/** @param names of the processes that are judged */
export function judge(minutes: readonly Minute[], names: readonly string[]): Verdict[] {
  const of = (measure: Measure) => names.map((name) => withinLifetimes(minutes, name, measure));
  return [
    flat('resident memory flat', 'MiB', of(resident), { share: MEMORY_GROWTH, least: 0 }),
    flat('JavaScript heap flat', 'MiB', of(heap), { share: MEMORY_GROWTH, least: 0 }),
    flat('open files flat', '', of(files), { share: MEMORY_GROWTH, least: LEAST_FILES }),
    flat('latency flat', 'ms', latencies(minutes), { share: LATENCY_GROWTH, least: LEAST_LATENCY }),
  ];
}

interface Allowed {
  /** Share of the mean, in an hour. */
  share: number;
  /** In an hour, in any case. */
  least: number;
}

/** Flat is what grows in an hour by no more than is allowed, or may well do so, given the error of the estimate. */
export function flat(criterion: string, unit: string, trends: readonly Trend[], { share, least }: Allowed): Verdict {
  const told = trends.filter((trend): trend is Trend & { slope: Slope } => trend.slope !== undefined);
  const grown = told.filter(({ slope: { perX, error, mean } }) => {
    return (perX - ERRORS * error) * HOUR > Math.max(least, share * mean);
  });
  const few = told.length < trends.length;
  const says = trends.map(({ name, slope }) => `${name} ${slope ? growth(slope, unit) : 'too short to tell'}`);
  return { criterion, met: grown.length > 0 ? false : few ? undefined : true, says: says.join('; ') };
}

/** `+1.2 ± 0.8 MiB/h of 90` */
export function growth({ perX, error, mean }: Slope, unit = ''): string {
  const sign = perX < 0 ? '' : '+';
  const perHour = `${sign}${(perX * HOUR).toFixed(1)} ± ${(ERRORS * error * HOUR).toFixed(1)}`;
  return `${perHour}${unit && ` ${unit}`}/h of ${mean.toFixed(1)}`;
}
