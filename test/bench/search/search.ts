import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { buildFileKey, createBuildWriter, type RemoteBuild } from '@parley/corpus';
import { createDirectoryStore } from '@parley/runtime/objects';
import { median, quantile } from '../measure.ts';
import { startProgram } from '../program.ts';
import { type Bench, type Table, UsageError } from '../table.ts';
import { chunksOf, type Size } from './corpus.ts';
import type { Job, Searched } from './searcher.ts';

/** How long a question takes in many passages, and what it needs; embedding is left out. */
export const search: Bench = { name: 'search', run };

const MIB = 1024 * 1024;
const MEMORY_MIB = 256;
const MODEL = 'bench';
const USAGE =
  'Options of search: --passages, --items, --dimension, --questions, --memory-mib; each takes a whole number from 1.';

const SIZES = { passages: '10000', items: '50', dimension: '384', questions: '200', 'memory-mib': `${MEMORY_MIB}` };

/** @throws UsageError */
function sizesOf(args: readonly string[]): Record<keyof typeof SIZES, number> {
  const options = Object.fromEntries(Object.keys(SIZES).map((name) => [name, { type: 'string' as const }]));
  try {
    const { values } = parseArgs({ args: [...args], options });
    const entries = Object.entries({ ...SIZES, ...values }).map(([name, value]) => [name, Number(value)] as const);
    if (entries.some(([, value]) => !Number.isSafeInteger(value) || value < 1)) throw new UsageError(USAGE);
    return Object.fromEntries(entries) as Record<keyof typeof SIZES, number>;
  } catch {
    throw new UsageError(USAGE);
  }
}

async function run(args: readonly string[]): Promise<Table> {
  const { 'memory-mib': memoryMib, ...size } = sizesOf(args);
  const root = await mkdtemp(path.join(tmpdir(), 'parley-bench-search-'));
  try {
    const [objectsDir, indexDir] = [path.join(root, 'objects'), path.join(root, 'index')];
    const began = performance.now();
    const builds = await written(size, root, objectsDir);
    const writing = (performance.now() - began) / size.passages;
    const bandwidth = memoryBandwidth();
    const job: Job = { size, objectsDir, indexDir, builds, memoryBytes: memoryMib * MIB };
    await using searcher = await startProgram<Searched>(new URL('./searcher.ts', import.meta.url), {
      args: [JSON.stringify(job)],
      readyWithinMs: 30 * 60_000,
    });
    return tableOf(size, searcher.ready, {
      writing,
      bandwidth,
      bytes: builds.reduce((sum, { bytes }) => sum + bytes, 0),
    });
  } finally {
    await rm(root, { recursive: true });
  }
}

/** Writes and uploads the builds. */
async function written(size: Size, root: string, objectsDir: string): Promise<RemoteBuild[]> {
  const objects = createDirectoryStore({ dir: objectsDir });
  await objects.start?.(new AbortController().signal);
  const builds: RemoteBuild[] = [];
  for (let item = 0; item < size.items; item++) {
    const file = path.join(root, 'build.sqlite');
    const writer = createBuildWriter(file);
    for (const chunk of chunksOf(item, size)) writer.add([chunk]);
    writer.finish({ model: MODEL });
    writer.db.close();
    const [account, build] = ['bench', `item${item}:1`];
    const { sha256, size: bytes } = await objects.put(buildFileKey(account, build), createReadStream(file));
    builds.push({ account, build, sha256, bytes });
    await rm(file);
  }
  return builds;
}

/** Bytes per millisecond that one core copies: the speed of this machine at this time. */
function memoryBandwidth(): number {
  const from = new Uint8Array(128 * MIB).fill(1);
  const to = new Uint8Array(from.length);
  const times = Array.from({ length: 9 }, () => {
    const began = performance.now();
    to.set(from);
    return performance.now() - began;
  });
  return from.length / median(times);
}

interface Around {
  /** Milliseconds to write a passage. */
  writing: number;
  bandwidth: number;
  /** Of all builds. */
  bytes: number;
}

interface Row {
  what: string;
  value: number;
  unit: string;
  /** Absent if none is set for this size. */
  most?: number | undefined;
  least?: number;
}

function tableOf(size: Size, found: Searched, { writing, bandwidth, bytes }: Around): Table {
  const { passages, dimension } = size;
  const isTimed = passages <= 100_000;
  const scan = (passages * dimension) / bandwidth;
  const rows: Row[] = [
    {
      what: 'question, p50, CPU',
      value: median(found.cpu),
      unit: 'ms',
      most: isTimed ? (dimension > 384 ? 30 : 12) : 160,
    },
    {
      what: 'question, p95, CPU',
      value: quantile(found.cpu, 0.95),
      unit: 'ms',
      most: isTimed ? (dimension > 384 ? undefined : 25) : 300,
    },
    { what: 'question, p50, elapsed', value: median(found.wall), unit: 'ms' },
    { what: 'question, p95, elapsed', value: quantile(found.wall, 0.95), unit: 'ms' },
    {
      what: 'first question of builds that are not local',
      value: found.first,
      unit: 'ms',
      most: isTimed ? 2_000 : undefined,
    },
    { what: 'event-loop delay, p99', value: found.loopDelayP99, unit: 'ms', most: 20 },
    {
      what: 'resident above idle',
      value: found.residentAboveIdle / MIB,
      unit: 'MiB',
      most: isTimed ? (dimension > 384 ? undefined : 120) : 600,
    },
    { what: 'recall@10 beside scoring everything', value: found.recall, unit: '', least: 0.98 },
    { what: 'writing 1,000 passages', value: writing * 1000, unit: 'ms' },
    { what: 'builds on disk', value: bytes / MIB, unit: 'MiB' },
  ];
  const missed = rows.filter(({ value, most = Infinity, least = -Infinity }) => !(value <= most && value >= least));
  return {
    about: `${passages.toLocaleString('en')} made-up passages in ${size.items} items, ${dimension} dimensions, ${size.questions} questions, one at a time. Memory is copied at ${(bandwidth / 1e6).toFixed(1)} GB/s in the same run, so that the vectors alone take ${scan.toFixed(2)} ms; ratios of times are to that.`,
    head: ['', 'measured', 'bound', 'ratio'],
    rows: rows.map(({ what, value, unit, most, least }) => [
      what,
      `${value.toFixed(unit ? 1 : 3)} ${unit}`.trim(),
      most === undefined ? (least === undefined ? '' : `at least ${least}`) : `${most} ${unit}`,
      unit === 'ms' ? (value / scan).toFixed(1) : '',
    ]),
    bound: {
      says:
        missed.length > 0 ? `beyond its bound: ${missed.map(({ what }) => what).join('; ')}.` : 'all bounds are kept.',
      met: missed.length === 0,
    },
  };
}
