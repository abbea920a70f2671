import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs a program of this folder in a separate process, on the data directory. */
export function runProgram(
  name: 'main.ts' | 'account.ts' | 'dead-letters.ts' | 'seed.ts' | 'trainings.ts' | 'usage.ts',
  args: string[],
  variables: Record<string, string>,
  input = '',
) {
  const child = spawn(process.execPath, [program(name), ...args], {
    env: { ...process.env, MONGODB_URI: '', LOG_LEVEL: 'silent', PORT: '0', ...variables },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const lines: string[] = [];
  const errors: string[] = [];
  const printed = createInterface(child.stdout).on('line', (line) => lines.push(line));
  createInterface(child.stderr).on('line', (line) => errors.push(line));
  const ended: Promise<Ended> = once(child, 'close').then(([code]) => ({
    code: code as number | null,
    stdout: lines.join('\n'),
    stderr: errors.join('\n'),
  }));
  return { child, lines, printed, ended };
}

export type Running = Awaited<ReturnType<typeof startMain>>;

/** Starts all of Parley, and waits for the line with the example request. */
export async function startMain(dataDir: string, variables: Record<string, string> = {}) {
  const { child, lines, printed, ended } = runProgram('main.ts', [], { PARLEY_DATA: dataDir, ...variables });
  const isReady = () => lines.some((line) => line.startsWith('curl '));
  const failure = ended.then(({ stdout, stderr }) => {
    if (!isReady()) throw new Error(`Parley did not start:\n${stdout}\n${stderr}`);
  });
  while (!isReady()) await Promise.race([once(printed, 'line'), failure]);

  const kill = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return { output: lines.join('\n'), curl: lines.find((line) => line.startsWith('curl '))!, ended, kill };
}

/** Kills the engine's process, whose id is where MongoDB stores it. */
export async function killEngine(dataDir: string): Promise<void> {
  process.kill(Number(await readFile(join(dataDir, 'mongodb/mongod.lock'), 'utf8')), 'SIGKILL');
}

/** Does what the printed command line does: a shell parses it, but the request is sent from here. */
export async function paste(curl: string): Promise<{ status: number; body: Record<string, unknown> }> {
  const shell = spawn('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${curl}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let words = '';
  for await (const chunk of shell.stdout) words += chunk;
  const [, url, , authorization, , contentType, , body] = words.split('\0');
  const headers = Object.fromEntries([authorization, contentType].map((header) => header!.split(': ')));
  return request(url!, { method: 'POST', headers, body: body! });
}

/** Sends a request to the REST API and returns the JSON of the response. */
export async function request(url: string, options: RequestInit) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(15_000) });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}
