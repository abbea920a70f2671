import { readdirSync, readFileSync } from 'node:fs';

/** The unit of `/proc/PID/stat`, on every Linux that Node runs on. */
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

const numberIn = (text: string, pattern: RegExp): number => Number(pattern.exec(text)?.[1] ?? 0);

/** Threads of a process and those that it started. */
export const threads = (pid: number): number =>
  tree(pid).reduce((sum, each) => sum + numberIn(read(each, 'status'), /^Threads:\s*(\d+)/m), 0);

/** Open file descriptors of a process and those that it started: files, sockets, pipes. */
export const openFiles = (pid: number): number =>
  tree(pid).reduce((sum, each) => sum + list(`/proc/${each}/fd`).length, 0);

/** Processes of the sessions that these processes lead or led. */
export function ofSessions(leaders: ReadonlySet<number>): number[] {
  const all = list('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  // After the name: the state, the parent, the group, the session.
  return all.filter((pid) => leaders.has(Number(read(pid, 'stat').split(') ').at(-1)!.split(' ')[3])));
}

function list(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}
