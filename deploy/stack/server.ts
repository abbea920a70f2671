import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

/** A server in a child process, which ends with this process, even if this one is killed. */
export interface Server {
  readonly pid: number;
  readonly exited: Promise<void>;
  kill(signal: NodeJS.Signals): void;
  /** Sends SIGTERM, and SIGKILL after 15 seconds. */
  stop(): Promise<void>;
}

/** A server that keeps its address and its data when it is restarted. */
export interface LastingServer extends Pick<Server, 'pid' | 'kill' | 'stop'> {
  /** Stops it if it is running, and starts it again on its data. */
  restart(): Promise<void>;
}

export interface LastingServerOptions {
  /** Holds its configuration, its data and its log. */
  dataDir: string;
  /** Where to cache the program; `config.ts` has the default. */
  cacheDir?: string;
  /** Any free port by default. */
  port?: number;
}

export interface ServerOptions {
  /** Its name in errors. */
  name: string;
  command: string;
  args: string[];
  /** Added to the environment of this process. */
  env?: Record<string, string>;
  /** The server's output is appended to it. */
  logFile: string;
  /** Returns whether it is ready; called until it is. */
  answers(): Promise<boolean>;
}

const START_WITHIN_MS = 90_000;
const STOP_WITHIN_MS = 15_000;
const LOG_LINES = 15;

/** Resolves when the server is ready; rejects with the end of its log if it exits or is not ready in 90 seconds. */
export async function startServer({ name, command, args, env, logFile, answers }: ServerOptions): Promise<Server> {
  const log = await open(logFile, 'a');
  const child = spawn(command, args, {
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  let failure: string | undefined;
  const exited = howItEnds(child).then((how) => {
    failure = how;
  });
  endWithThisProcess(child, exited);
  await log.close();

  const stop = async () => {
    const force = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
    child.kill('SIGTERM');
    child.kill('SIGCONT'); // A process stopped by SIGSTOP does not receive SIGTERM.
    await exited;
    clearTimeout(force);
  };
  for (const end = performance.now() + START_WITHIN_MS; !failure && !(await answers()); await sleep(100)) {
    if (performance.now() > end) failure = `it did not answer within ${START_WITHIN_MS / 1000} seconds`;
  }
  if (failure === undefined) return { pid: child.pid!, exited, kill: (signal) => child.kill(signal), stop };
  const reason = failure;
  await stop();
  throw new Error(`${name} could not start: ${reason}.\n${await endOf(logFile)}`);
}

/** Starts a server that can be restarted. */
export async function startLasting(start: () => Promise<Server>): Promise<LastingServer> {
  let server = await start();
  return {
    get pid() {
      return server.pid;
    },
    kill: (signal) => server.kill(signal),
    stop: () => server.stop(),
    async restart() {
      await server.stop();
      server = await start();
    },
  };
}

const howItEnds = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(`it can't be run (${error.message})`));
    child.once('exit', (code, signal) => resolve(`it ended with ${signal ?? `code ${code}`}`));
  });

/** A shell waits for the end of its standard input, which comes when this process ends, and kills the server. */
function endWithThisProcess(child: ChildProcess, exited: Promise<void>) {
  if (child.pid === undefined) return;
  const guard = spawn('sh', ['-c', 'read _; kill -9 "$0"', String(child.pid)], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  exited.then(() => {
    guard.kill('SIGKILL');
    guard.stdin.destroy();
  });
}

/** The last lines of a log, preceded by the name of its file. */
export async function endOf(logFile: string): Promise<string> {
  const lines = (await readFile(logFile, 'utf8')).trimEnd().split('\n');
  return [`The end of ${logFile}:`, ...lines.slice(-LOG_LINES)].join('\n');
}

/** Below those that systems give to outgoing connections, one of which could take a port before it is used. */
const PORTS = [10_000, 30_000] as const;
const TRIES = 100;
const given = new Set<number>();

/** Finds a free port on the loopback address that was not given before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = randomInt(...PORTS);
    if (given.has(port) || !(await isFree(port))) continue;
    given.add(port);
    return port;
  }
  throw new Error('no port is free');
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
    return true;
  } catch {
    return false;
  } finally {
    await new Promise((closed) => server.close(closed));
  }
}
