import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { constants, getPriority, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { linkedSignal } from '../linked-signal.ts';
import type { JobMessage, ReaderMessage, ReaderSettings } from './jobs.ts';
import { ReadingFailed } from './reading-failed.ts';

/** For a process to start, or to load the code of a job. */
const LOAD_TIMEOUT_MS = 60_000;

export interface ReaderProcess {
  /**
   * Throws a ReadingFailed, or the signal's reason if it is aborted. One job at a time; a job that times out or is aborted
   * takes the process with it.
   */
  run(job: JobMessage, timeoutMs: number, signal?: AbortSignal): Promise<unknown>;
  readonly pid: number | undefined;
  readonly isAlive: boolean;
  /**
   * Passes a file to the process, on descriptor 4, which receives it while it runs a job. Ends, too, if the process does.
   *
   * @throws the stream's own error, or the signal's reason.
   */
  pass(file: Readable, signal: AbortSignal): Promise<void>;
  kill(): Promise<void>;
}

/** The descriptor on which a reader process receives what is passed to it. */
const PASSED_FD = 4;

export interface ReaderProcessOptions {
  /** The module that exports its jobs as `JOBS`. */
  readonly jobs: URL;
  /** JavaScript heap; the resident memory of the process may be `OVERHEAD_MB` and `besidesMb` larger. */
  readonly memoryMb: number;
  /** For WebAssembly and large buffers; by default 0. */
  readonly besidesMb?: number;
  /** How much lower than that of this process its priority is: from 0, the same, to 19. */
  readonly niceness?: number;
}

/** Memory of Node itself and its code, beside the heap. Buffers are outside the heap: only resident memory limits them. */
const OVERHEAD_MB = 160;

/** Starts a process for reading jobs, with an empty environment, limited memory, and no access to the network. */
export function startReaderProcess(options: ReaderProcessOptions): ReaderProcess {
  const { jobs, memoryMb, besidesMb = 0, niceness = 0 } = options;
  const child = fork(new URL('./reader-main.ts', import.meta.url), {
    env: {},
    execArgv: [...permissions(), `--max-old-space-size=${memoryMb}`],
    serialization: 'advanced',
    stdio: ['pipe', 'ignore', 'ignore', 'ipc', 'pipe'],
  });
  const settings: ReaderSettings = { jobs: jobs.href, residentMb: memoryMb + besidesMb + OVERHEAD_MB };
  child.send(settings, () => {});
  let isAlive = true;
  let isKilled = false;
  let isOutOfMemory = false;
  const ended = new AbortController();
  function end() {
    isAlive = false;
    ended.abort();
  }
  child.on('exit', (_, signal) => {
    // V8 aborts; the watch on resident memory kills.
    isOutOfMemory = !isKilled && (signal === 'SIGABRT' || signal === 'SIGKILL');
    end();
  });
  child.on('error', end);
  const input = child.stdio[PASSED_FD] as Writable;
  // They may already be closed if the child dies first.
  for (const pipe of [child.stdin!, input]) pipe.on('error', () => {});
  if (niceness > 0) lowerPriority(child.pid, niceness);

  async function kill() {
    isKilled = true;
    child.kill('SIGKILL');
    if (isAlive) await once(ended.signal, 'abort');
  }

  return {
    kill,
    pid: child.pid,
    get isAlive() {
      return isAlive;
    },
    async pass(file, signal) {
      let isClosed = false; // by the process, whose job says why
      input.once('error', () => {
        isClosed = !file.errored;
      });
      try {
        await pipeline(file, input, { signal });
      } catch (error) {
        if (!isClosed) throw error;
      }
    },
    async run(job, timeoutMs, signal) {
      const signals = signal ? [signal, ended.signal] : [ended.signal];
      try {
        await begin(child, job, signals);
      } catch (error) {
        await kill();
        signal?.throwIfAborted();
        throw new Error('A reader process did not start.', { cause: error });
      }
      using bounds = linkedSignal(signals, timeoutMs);
      try {
        return outputOf(await nextMessage(child, bounds.signal), timeoutMs);
      } catch (error) {
        if (error instanceof ReadingFailed) throw error;
        await kill();
        signal?.throwIfAborted();
        throw new ReadingFailed(bounds.late ? 'time' : isOutOfMemory ? 'memory' : 'crash', timeoutMs);
      }
    },
  };
}

/** Sends the job, and waits until the reader has loaded the code for it. */
async function begin(child: ChildProcess, job: JobMessage, signals: AbortSignal[]): Promise<void> {
  using bounds = linkedSignal(signals, LOAD_TIMEOUT_MS);
  bounds.signal.throwIfAborted();
  const begun = nextMessage(child, bounds.signal);
  // Sending to a process that has ended fails; waiting for `begun` fails then, too.
  child.send(job, () => {});
  const message = await begun;
  if (message !== 'begun') throw new Error('The code of the job could not be loaded.', { cause: message });
}

async function nextMessage(child: ChildProcess, signal: AbortSignal): Promise<ReaderMessage> {
  const [message] = await once(child, 'message', { signal });
  return message as ReaderMessage;
}

function outputOf(outcome: ReaderMessage, timeoutMs: number): unknown {
  if (outcome !== 'begun' && 'output' in outcome) return outcome.output;
  throw new ReadingFailed('error', timeoutMs, outcome === 'begun' ? undefined : new Error(outcome.failed));
}

/**
 * Lets the process read code and nothing else, write no file and start no process. Later versions of Node than 24 also refuse
 * it the network.
 */
function permissions(): string[] {
  const code = ['node_modules', 'packages', 'services', 'proto', 'package.json'].map((name) =>
    fileURLToPath(new URL(`../../../../${name}`, import.meta.url)),
  );
  return ['--permission', '--allow-worker', ...code.map((path) => `--allow-fs-read=${path}`)];
}

function lowerPriority(pid: number | undefined, niceness: number) {
  try {
    if (pid) setPriority(pid, Math.min(constants.priority.PRIORITY_LOW, getPriority() + niceness));
  } catch {
    // It has already ended, or the platform forbids it: the limits hold regardless.
  }
}
