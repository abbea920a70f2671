import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect } from '@jest/globals';
import type { Bus, BusMessage, Received } from '../bus.ts';

const childProgram = fileURLToPath(new URL('./child.ts', import.meta.url));

/** How a process opens and starts a bus: a module that exports `openBus(argument)`, and the argument. */
export interface Opener {
  module: string;
  argument: string;
}

/**
 * A real process that publishes to a topic or consumes it for a group, and gets a signal right after this many
 * messages. `lines` are the ids that it has printed. Lives for a minute at most.
 */
export function startChild(
  { module, argument }: Opener,
  signal: { name: 'SIGKILL' | 'SIGSTOP'; after: number },
  task: ['publish', topic: string] | ['consume', topic: string, group: string],
) {
  const args = [childProgram, module, argument, signal.name, String(signal.after), ...task];
  const child = spawn(process.execPath, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: 60_000,
    killSignal: 'SIGKILL',
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return { child, lines, ended: once(child, 'close') };
}

export const message = (key: string, i: number): BusMessage => ({
  key,
  id: String(i),
  value: Buffer.from(`value ${i}`),
  headers: { 'content-type': 'text/plain' },
});

export const idOf = ({ id }: BusMessage) => id;

export const chunks = <T>(all: T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(all.length / size) }, (_, i) => all.slice(i * size, (i + 1) * size));

/** The messages that a group receives, as they arrive. */
export function collect(bus: Bus, topic: string, group: string): Received[] {
  const got: Received[] = [];
  bus.subscribe({ topic, group, handle: async (received) => void got.push(received) });
  return got;
}

/** All were handled, and each key's in publishing order, apart from repeats. */
export function expectInOrder(got: BusMessage[], published: BusMessage[]) {
  const first = [...new Map(got.map((m) => [m.id, m])).values()];
  for (const key of new Set(published.map((m) => m.key))) {
    const ofKey = (m: BusMessage) => m.key === key;
    expect(first.filter(ofKey).map(idOf)).toEqual(published.filter(ofKey).map(idOf));
  }
}
