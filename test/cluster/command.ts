import { spawn } from 'node:child_process';

export interface CommandOptions {
  timeoutMs: number;
  /** Written to its standard input. */
  input?: string;
  /** Gets what it writes, as it comes. */
  onOutput?: (text: string) => void;
}

/** A program that runs until it is told to stop. */
export interface RunningCommand {
  /** Resolves to its standard output; rejects with its words where it fails or takes too long. */
  done: Promise<string>;
  /** Closes its standard input, which asks it to end. */
  end(): Promise<string>;
}

/** Enough of what a program wrote to tell why it failed. */
const TOLD_CHARACTERS = 6_000;

/** Runs a program to its end and gives its standard output. */
export const run = (command: string, args: string[], options: CommandOptions): Promise<string> => {
  const running = start(command, args, options);
  return options.input === undefined ? running.end() : running.done;
};

export function start(command: string, args: string[], { timeoutMs, input, onOutput }: CommandOptions): RunningCommand {
  const child = spawn(command, args, { stdio: 'pipe' });
  const late = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  let output = '';
  let told = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      told = (told + text).slice(-TOLD_CHARACTERS);
      onOutput?.(text);
    });
  child.stdin.on('error', () => {}); // It may end before it has read all.
  if (input !== undefined) child.stdin.end(input);
  const done = new Promise<string>((resolve, reject) => {
    child.on('error', (error) => reject(new Error(`${command} can't be run: ${error.message}`)));
    child.on('close', (code, signal) => {
      clearTimeout(late);
      if (code === 0) return resolve(output);
      const how = signal ? `was ended by ${signal}, after ${timeoutMs / 1000} s at most` : `failed with ${code}`;
      reject(new Error(`${command} ${args.slice(0, 6).join(' ')} … ${how}:\n${told.trim()}`));
    });
  });
  done.catch(() => {}); // Whoever waits for it hears of it.
  const end = () => {
    child.stdin.end();
    return done;
  };
  return { done, end };
}
