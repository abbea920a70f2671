import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { median, quantile } from '../measure.ts';
import { startProgram } from '../program.ts';
import { type Bench, type Table, UsageError } from '../table.ts';
import type { Size } from './corpus.ts';
import { measuredOnRealTexts } from './real.ts';
import type { Job, Searched } from './searcher.ts';
import type { WritingJob, Written } from './writer.ts';

/** How long a question takes in many passages, and what it needs; embedding is left out. */
export const search: Bench = { name: 'search', run };

const MIB = 1024 * 1024;
const USAGE =
  'Options of search: --passages, --items, --dimension, --questions, --memory-mib; each takes a whole number from 1.';

interface Measure extends Size {
  readonly 'memory-mib': number;
}

const ONE: Measure = { passages: 100_000, items: 50, dimension: 384, questions: 200, 'memory-mib': 384 };
const ALL: readonly Measure[] = [ONE, { ...ONE, dimension: 1_536 }, { ...ONE, passages: 1_000_000, questions: 100 }];
const WRITERS = 2;
const WITHIN_MS = 3 * 3_600_000;

/** One of the size that is asked for, or all that have bounds. @throws UsageError */
function measuresOf(args: readonly string[]): readonly Measure[] {
  if (args.length === 0) return ALL;
  const options = Object.fromEntries(Object.keys(ONE).map((name) => [name, { type: 'string' as const }]));
  try {
    const { values } = parseArgs({ args: [...args], options });
    const entries = Object.entries({ ...ONE, ...values }).map(([name, value]) => [name, Number(value)] as const);
    if (entries.some(([, value]) => !Number.isSafeInteger(value) || value < 1)) throw new UsageError(USAGE);
    return [Object.fromEntries(entries) as unknown as Measure];
  } catch {
    throw new UsageError(USAGE);
  }
}

async function run(args: readonly string[]): Promise<Table> {
  const measures = measuresOf(args);
  const bandwidth = memoryBandwidth();
  const rows: Row[] = [];
  for (const measure of measures) rows.push(...(await rowsOf(measure, bandwidth)));
  if (measures === ALL) rows.push(...(await rowsOfRealTexts()));
  return tableOf(rows, bandwidth);
}

/** Bytes per millisecond of CPU that one core copies: the speed of this machine at this time. */
function memoryBandwidth(): number {
  const from = new Uint8Array(128 * MIB).fill(1);
  const to = new Uint8Array(from.length);
  const times = Array.from({ length: 9 }, () => {
    const before = process.threadCpuUsage();
    to.set(from);
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1000;
  });
  return from.length / median(times);
}

interface Row {
  of: string;
  what: string;
  value: number;
  unit: string;
  /** Absent if none is set for this size. */
  most?: number | undefined;
  least?: number;
  /** Time for the vectors alone, to which times are compared. */
  scan?: number;
}

async function rowsOf({ 'memory-mib': memoryMib, ...size }: Measure, bandwidth: number): Promise<Row[]> {
  const root = await mkdtemp(path.join(tmpdir(), 'parley-bench-search-'));
  try {
    const [objectsDir, indexDir] = [path.join(root, 'objects'), path.join(root, 'index')];
    const { builds } = await written(size, objectsDir);
    const isCompared = size.passages <= ONE.passages;
    const job: Job = { size, objectsDir, indexDir, builds, memoryBytes: memoryMib * MIB, isCompared };
    await using searcher = await startProgram<Searched>(new URL('./searcher.ts', import.meta.url), {
      args: [JSON.stringify(job)],
      readyWithinMs: WITHIN_MS,
    });
    const bytes = builds.reduce((sum, build) => sum + build.bytes, 0);
    return searchedRows(size, { ...searcher.ready, bytes }, (size.passages * size.dimension) / bandwidth);
  } finally {
    await rm(root, { recursive: true });
  }
}

/** Writes and uploads the builds, in several processes. */
async function written(size: Size, objectsDir: string): Promise<Written> {
  const parts = Array.from({ length: WRITERS }, async (_, from) => {
    const job: WritingJob = { size, from, step: WRITERS, objectsDir };
    const options = { args: [JSON.stringify(job), `${from}`], readyWithinMs: WITHIN_MS };
    await using writer = await startProgram<Written>(new URL('./writer.ts', import.meta.url), options);
    return writer.ready;
  });
  const all = await Promise.all(parts);
  const sum = (field: 'passages' | 'cpu') => all.reduce((total, each) => total + each[field], 0);
  return { builds: all.flatMap(({ builds }) => builds), passages: sum('passages'), cpu: sum('cpu') };
}

/** Bounds are set for two sizes, and for the first with vectors of two dimensions. */
function searchedRows(size: Size, found: Searched & { bytes: number }, scan: number): Row[] {
  const { passages, dimension } = size;
  const of = `${passages.toLocaleString('en')} × ${dimension.toLocaleString('en')}`;
  const isMillion = passages > ONE.passages;
  const ifShort = (most: number) => (dimension > ONE.dimension ? undefined : most);
  const ms = (what: string, value: number, most?: number): Row => ({ of, what, value, unit: 'ms', most, scan });
  const mib = (what: string, bytes: number, most?: number): Row => ({
    of,
    what,
    value: bytes / MIB,
    unit: 'MiB',
    most,
  });
  return [
    // Two cores share a million.
    ms('question, p50, CPU', median(found.cpu), isMillion ? 2 * 80 : (ifShort(12) ?? 30)),
    ms('question, p95, CPU', quantile(found.cpu, 0.95), isMillion ? 2 * 150 : ifShort(25)),
    ms('question, p50, elapsed', median(found.wall)),
    ms('question, p95, elapsed', quantile(found.wall, 0.95)),
    ms('first question of builds that are not local', found.first, isMillion ? undefined : 2_000),
    ms('event-loop delay, p99', found.loopDelayP99, 20),
    mib('resident above idle', found.residentAboveIdle, isMillion ? 600 : ifShort(120)),
    mib('builds on disk', found.bytes),
    ...(found.recall === undefined
      ? []
      : [{ of, what: 'recall@10 of made-up questions, beside scoring everything', value: found.recall, unit: '' }]),
  ];
}

async function rowsOfRealTexts(): Promise<Row[]> {
  const { recall, recallOfInt8, passages, questions, embeddingCpu, writingCpu } = await measuredOnRealTexts();
  const of = `${questions} real questions, ${passages.toLocaleString('en')} passages`;
  return [
    { of, what: 'recall@10 beside scoring everything', value: recall, unit: '', least: 0.98 },
    { of, what: 'recall@10 of int8 beside float32 vectors', value: recallOfInt8, unit: '' },
    { of, what: 'a training beside embedding alone, CPU', value: 1 + writingCpu / embeddingCpu, unit: '', most: 1.1 },
  ];
}

function tableOf(rows: readonly Row[], bandwidth: number): Table {
  const missed = rows.filter(({ value, most = Infinity, least = -Infinity }) => !(value <= most && value >= least));
  return {
    about: `Made-up passages in ${ONE.items} items, passages × numbers of a vector, asked one question at a time; then real ones. In the same run one core copies ${(bandwidth / 1e6).toFixed(1)} GB of memory in a second of CPU; ratios are to what reading the vectors takes at that speed.`,
    head: ['', '', 'measured', 'bound', 'ratio'],
    rows: rows.map(({ of, what, value, unit, most, least, scan }) => [
      of,
      what,
      `${value.toFixed(unit ? 1 : 3)} ${unit}`.trim(),
      most === undefined ? (least === undefined ? '' : `at least ${least}`) : `${most} ${unit}`.trim(),
      scan === undefined ? '' : (value / scan).toFixed(1),
    ]),
    bound: {
      says:
        missed.length > 0
          ? `beyond its bound: ${missed.map(({ of, what }) => `${what} (${of})`).join('; ')}.`
          : 'all bounds are kept.',
      met: missed.length === 0,
    },
  };
}
