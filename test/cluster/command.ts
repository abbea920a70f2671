import { spawn } from 'node:child_process';

export interface CommandOptions {
  timeoutMs: number;
  /** Written to its standard input. */
  input?: string;
  /** Receives its output as it arrives. */
  onOutput?: (text: string) => void;
}

/** A program that runs until `end` is called. */
export interface RunningCommand {
  /** Resolves to its standard output; rejects with the end of its output if it fails or takes too long. */
  done: Promise<string>;
  /** Closes its standard input, which asks it to exit. */
  end(): Promise<string>;
}

/** Enough of a program's output to see why it failed. */
const KEPT_CHARACTERS = 6_000;

/** Runs a program to completion and returns its standard output. */
export const run = (command: string, args: string[], options: CommandOptions): Promise<string> => {
  const running = start(command, args, options);
  return options.input === undefined ? running.end() : running.done;
};

export function start(command: string, args: string[], { timeoutMs, input, onOutput }: CommandOptions): RunningCommand {
  const child = spawn(command, args, { stdio: 'pipe' });
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  let output = '';
  let tail = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      tail = (tail + text).slice(-KEPT_CHARACTERS);
      onOutput?.(text);
    });
  child.stdin.on('error', () => {}); // It may exit before it has read everything.
  if (input !== undefined) child.stdin.end(input);
  const done = new Promise<string>((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`${command} can't be run: ${error.message}`)));
    child.on('close', (code, signal) => {
      clearTimeout(late);
      if (code === 0) return resolve(output);
      const how = signal ? `was killed by ${signal} within ${timeoutMs / 1000} s` : `failed with ${code}`;
      reject(new Error(`${command} ${args.slice(0, 6).join(' ')} … ${how}:\n${tail.trim()}`));
    });
  });
  done.catch(() => {}); // Prevents an unhandled rejection before anyone awaits it.
  const end = () => {
    child.stdin.end();
    return done;
  };
  return { done, end };
}
