import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** A program of Parley in a separate process, to which tests can send signals. */
export interface Child {
  readonly pid: number;
  /** Waits for a line of its standard output that contains this text, and returns the first. */
  line(text: string): Promise<string>;
  signal(name: NodeJS.Signals): void;
  /** Sends the signal and waits for the process to exit. */
  end(name: NodeJS.Signals): Promise<void>;
}

const ROOT = new URL('../../', import.meta.url);

/** @param through a command that runs the one after it in its own process */
export function startProgram(path: string, variables: Record<string, string>, through: readonly string[] = []): Child {
  const [command = '', ...args] = [...through, process.execPath, fileURLToPath(new URL(path, ROOT))];
  const child = spawn(command, args, {
    cwd: fileURLToPath(ROOT),
    env: { ...process.env, ...variables },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const lines: string[] = [];
  const output = createInterface(child.stdout).on('line', (line) => lines.push(line));
  return {
    pid: child.pid!,
    async line(text) {
      for (;;) {
        const found = lines.find((line) => line.includes(text));
        if (found !== undefined) return found;
        if (child.exitCode !== null) throw new Error(`${path} ended with ${child.exitCode}: ${lines.join('\n')}`);
        await Promise.race([once(output, 'line'), ended]);
      }
    },
    signal: (name) => child.kill(name),
    async end(name) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(name);
      await ended;
    },
  };
}
