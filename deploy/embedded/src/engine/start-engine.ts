import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { nativeLibrary } from './native-library.ts';
import { planByTrial } from './plan-by-trial.ts';
import { keepRemovingExpired } from './remove-expired.ts';

const PROGRAM = fileURLToPath(new URL('./engine-process.mjs', import.meta.url));
/** Recovery after a crash replays at most the journal of the last minute; a large one takes seconds. */
const START_WITHIN_MS = 120_000;
const STOP_WITHIN_MS = 15_000;
/** A Unix socket's path has at most 103 bytes on macOS and 107 on Linux. */
const LONGEST_SOCKET_PATH = 103;
const SOCKET = '/embedded-mongodb-XXXXXX/mongodb.sock';
/**
 * Measured: with `w: 'majority'` the engine, a single node, acknowledges before the journal is written, and a kill loses
 * those writes; with `w: 1` it waits. A client must not override this.
 */
const DURABLE = '&w=1&journal=true';

export interface Engine {
  /** The address for any MongoDB driver in any process of this user, with the required write concern. */
  readonly uri: string;
  readonly pid: number;
  /** Resolves to the exit code when the process has ended, or to null if a signal ended it. */
  readonly exited: Promise<number | null>;
  /** Closes the database and ends the process, forcibly after 15 s. */
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** Contains `mongodb/`, the documents; `native/`, the library if it had to be rewritten; `run/`, the socket. */
  dataDir: string;
  /** Receives each line that the engine writes to standard error, which it does when it crashes. */
  log?: (line: string) => void;
}

type EngineProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/**
 * Starts the MongoDB engine in a child process that ends with this one, even if this one is killed. If it can't start (platform,
 * data directory in use), the error's message is for the user.
 */
export async function startEngine({ dataDir, log = writeLine }: EngineOptions): Promise<Engine> {
  const directory = join(resolve(dataDir), 'mongodb');
  const sockets = join(resolve(dataDir), 'run');
  await makeDirectory(directory);
  await makeDirectory(sockets);
  const library = await nativeLibrary(join(resolve(dataDir), 'native'));

  // Detached, so that Ctrl-C in the terminal reaches only the parent, which stops the engine last.
  const child = spawn(process.execPath, fits(sockets) ? [PROGRAM, directory, sockets] : [PROGRAM, directory], {
    detached: true,
    env: { ...process.env, NODE_OPTIONS: '', NAPI_RS_NATIVE_LIBRARY_PATH: library },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const exited = once(child, 'exit').then(([code]: (number | null)[]) => code ?? null);
  createInterface(child.stderr).on('line', log);
  child.stdin.on('error', () => {}); // It is already closed if the child died first.

  const end = async () => {
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    child.stdin.end();
    await exited;
    clearTimeout(force);
  };
  const started = await firstLine(child, exited);
  if ('error' in started) {
    await end();
    throw new Error(explain(started.error, dataDir));
  }
  const uri = started.uri + DURABLE;
  await planByTrial(uri);
  const stopRemovingExpired = keepRemovingExpired(uri, log);
  exited.then(stopRemovingExpired);
  const stop = async () => {
    await stopRemovingExpired();
    await end();
  };
  return { uri, pid: child.pid!, exited, stop };
}

async function makeDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`${path} can't be created (${error.code}). Set PARLEY_DATA to a directory that can be written.`);
  });
}

/** If the path would be too long, the socket goes to the system's temporary directory. */
function fits(sockets: string): boolean {
  return Buffer.byteLength(sockets + SOCKET) <= LONGEST_SOCKET_PATH;
}

type Started = { uri: string } | { error: string };

async function firstLine(child: EngineProcess, exited: Promise<number | null>): Promise<Started> {
  const timeout = AbortSignal.timeout(START_WITHIN_MS);
  const line = once(createInterface(child.stdout), 'line', { signal: timeout }).then(
    ([text]: string[]) => JSON.parse(text!) as Started,
    () => ({ error: `it was not ready after ${START_WITHIN_MS / 1000} seconds` }),
  );
  const ended = exited.then((code) => ({ error: `its process ended with ${code ?? 'a signal'}` }));
  return Promise.race([line, ended]);
}

function explain(error: string, dataDir: string): string {
  if (error.includes('DBPathInUse')) {
    return `The data directory ${dataDir} is in use by another running Parley. Stop that one, or set PARLEY_DATA to another directory.`;
  }
  return `The embedded database could not start: ${error}. Set MONGODB_URI to use a MongoDB server instead.`;
}

function writeLine(line: string): void {
  process.stderr.write(`${line}\n`);
}
