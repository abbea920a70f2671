import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const childProgram = fileURLToPath(new URL('./contract-child.ts', import.meta.url));

/** Waits for a condition, at most 15 seconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 15_000; !(await condition()); await sleep(10)) {
    if (performance.now() > end) throw new Error(`never came true: ${condition}`);
  }
}

/** A real process of `contract-child.ts`, and the lines that it has printed. It lives for 25 seconds at most. */
export function startChild(args: string[]): { child: ChildProcess; lines: string[]; ended: Promise<unknown> } {
  const child = spawn(process.execPath, ['--import', 'tsx', childProgram, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 25_000,
    killSignal: 'SIGKILL',
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { child, lines, ended: once(child, 'close') };
}

/** All that a child has printed that was killed when it had printed so many lines. */
export async function linesOfKilled(args: string[], count: number): Promise<string[]> {
  const { child, lines, ended } = startChild(args);
  await until(() => lines.length >= count);
  child.kill('SIGKILL');
  await ended;
  return lines;
}
