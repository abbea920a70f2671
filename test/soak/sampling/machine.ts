import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { seeded } from '../../bench/answers/bootstrap.ts';
import { median } from '../../bench/measure.ts';

/** How much of a machine there was during a minute: its neighbours slow a virtual one down. */
export interface MachineSample {
  /** Share of its processor time that its host gave to others. */
  stolen: number;
  /** Milliseconds of processor time for the same piece of work in every minute. */
  workMs: number;
}

const TIMES = 9;
const WORDS = 30_000;

/** Times some work, and looks at what was stolen since the last call. */
export function watchMachine(): () => MachineSample {
  const random = seeded(1);
  const text = Array.from({ length: WORDS }, () => Math.floor(random() * WORDS).toString(36)).join(' ');
  let before = processorTicks();
  return () => {
    const now = processorTicks();
    const stolen = (now.stolen - before.stolen) / Math.max(1, now.all - before.all);
    before = now;
    return { stolen, workMs: median(Array.from({ length: TIMES }, () => processorMs(() => deflateSync(text)))) };
  };
}

function processorMs(work: () => void): number {
  const began = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(began);
  return (user + system) / 1_000;
}

/** Returns the ticks of all processors since the machine started: user, nice, system, idle, iowait, irq, softirq, steal. */
function processorTicks() {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { stolen: ticks[7] ?? 0, all: ticks.reduce((sum, each) => sum + each, 0) };
}
