import { readdirSync } from 'node:fs';
import { openFiles, processorSeconds, residentMib, threads } from '@parley/runtime/testing';
import { median } from '../../bench/measure.ts';

/** A process that is sampled. */
export interface Sampled {
  readonly name: string;
  readonly pid: number;
  /** The URL of its operations port, without a path; absent if it has none. */
  readonly ops?: string;
}

/** A process during a minute, with those that it started. */
export interface ProcessSample {
  name: string;
  pid: number;
  /** Minutes since it was first seen with this pid. */
  age: number;
  /** The median. */
  residentMib: number;
  /** The lowest size of its JavaScript heap, which is close to what was reachable; absent if it does not tell. */
  heapMib?: number;
  openFiles: number;
  threads: number;
  /** Processor time for each second. */
  cores: number;
  /** Handles that Node keeps open: sockets, timers, pipes; absent if it does not tell. */
  handles?: number;
}

interface Looked {
  at: number;
  processorSeconds: number;
  residentMib: number;
  openFiles: number;
  threads: number;
  heapMib?: number;
  handles?: number;
}

const LOOK_EVERY_MS = 5_000;
const ASK_WITHIN_MS = 2_000;
const MIB = 1024 * 1024;

/** Looks at processes every five seconds. */
export function watchProcesses(processes: readonly Sampled[]) {
  const watches = processes.map(watch);
  let looking = Promise.resolve();
  const look = () => {
    looking = looking.then(async () => void (await Promise.all(watches.map((each) => each.look()))));
  };
  look();
  const timer = setInterval(look, LOOK_EVERY_MS);
  return {
    /** Returns the samples since the last call; a process that was just restarted may be missing. */
    take: (): ProcessSample[] => watches.flatMap((each) => each.take()),
    /** Every process that was seen. */
    pids: (): Set<number> => new Set(watches.flatMap((each) => [...each.pids])),
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

function watch(sampled: Sampled) {
  const pids = new Set<number>();
  let seen: Looked[] = [];
  let current = { pid: 0, since: 0 };
  return {
    pids,
    async look() {
      const { pid, ops } = sampled;
      const looked = pid === process.pid ? self() : { ...outside(pid), ...(ops && (await inside(ops))) };
      if (sampled.pid !== pid || looked.residentMib === 0) return;
      if (current.pid !== pid) {
        current = { pid, since: performance.now() };
        pids.add(pid);
        seen = [];
      }
      seen.push(looked);
    },
    take(): ProcessSample[] {
      const of = seen;
      seen = [];
      if (of.length === 0) return [];
      const heaps = of.flatMap(({ heapMib }) => heapMib ?? []);
      const handles = of.flatMap((each) => each.handles ?? []);
      return [
        {
          name: sampled.name,
          pid: current.pid,
          age: (performance.now() - current.since) / 60_000,
          residentMib: median(of.map((each) => each.residentMib)),
          openFiles: median(of.map((each) => each.openFiles)),
          threads: median(of.map((each) => each.threads)),
          cores: coresOf(of),
          ...(heaps.length > 0 && { heapMib: Math.min(...heaps) }),
          ...(handles.length > 0 && { handles: median(handles) }),
        },
      ];
    },
  };
}

/** From the first look to the last. */
function coresOf(of: readonly Looked[]): number {
  const [first, last] = [of[0]!, of.at(-1)!];
  return last === first ? 0 : (1_000 * (last.processorSeconds - first.processorSeconds)) / (last.at - first.at);
}

const outside = (pid: number): Looked => ({
  at: performance.now(),
  processorSeconds: processorSeconds(pid),
  residentMib: residentMib(pid),
  openFiles: openFiles(pid),
  threads: threads(pid),
});

/** This process without those that it has started. */
function self(): Looked {
  const { rss, heapUsed } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    at: performance.now(),
    processorSeconds: (user + system) / 1_000_000,
    residentMib: rss / MIB,
    heapMib: heapUsed / MIB,
    openFiles: readdirSync('/proc/self/fd').length,
    threads: readdirSync('/proc/self/task').length,
  };
}

/** Reads a service's own metrics. */
async function inside(ops: string): Promise<Partial<Looked>> {
  try {
    const text = await (await fetch(`${ops}/metrics`, { signal: AbortSignal.timeout(ASK_WITHIN_MS) })).text();
    const metric = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
    return {
      heapMib: metric('parley_nodejs_heap_size_used_bytes') / MIB,
      handles: metric('parley_nodejs_active_resources_total'),
    };
  } catch {
    return {}; // It is being restarted.
  }
}
