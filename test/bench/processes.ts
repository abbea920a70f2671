import { readdirSync, readFileSync } from 'node:fs';

/** Of `/proc/PID/stat`, on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4_096;
const MIB = 1024 * 1024;

/** A process and those that it started and that still run; empty if it has ended. */
function tree(pid: number): number[] {
  try {
    const children = readdirSync(`/proc/${pid}/task`).flatMap((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
    );
    return [pid, ...children.flatMap(tree)];
  } catch {
    return [];
  }
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** Processor time of a process and all that it has started, in seconds. */
export function processorSeconds(pid: number): number {
  let ticks = 0;
  for (const each of tree(pid)) {
    // After the name, which may have blanks; its own time and that of children that have ended, by user and system.
    const fields = read(each, 'stat').split(') ').at(-1)!.split(' ');
    for (const field of fields.slice(11, 15)) ticks += Number(field);
  }
  return ticks / TICKS_PER_SECOND;
}

/** Resident memory of a process and those that it started, in MiB. */
export const residentMib = (pid: number): number =>
  tree(pid).reduce((sum, each) => sum + Number(read(each, 'statm').split(' ')[1] ?? 0) * (PAGE_BYTES / MIB), 0);
