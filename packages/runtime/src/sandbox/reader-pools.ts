import type { JobInput, JobMessage, JobOutput, Jobs } from './jobs.ts';
import { createProcessPool, type ProcessPool } from './process-pool.ts';
import { startReaderProcess } from './reader-process.ts';
import { ReadingFailed } from './reading-failed.ts';

/** An ordinary page or mail takes 20 to 200 ms. */
const QUICK_MS = 2_000;
const TIMEOUT_MS = 20_000;
const MEMORY_MB = 384;
const IDLE_MS = 300_000;
/** How much lower the priority of the slow pool is: hostile jobs end up there, and may keep it busy all the time. */
const NICENESS = 10;

export interface ReaderPoolsOptions {
  /** The module that exports the jobs as `JOBS`. */
  readonly jobs: URL;
  /** Number of processes, at least 2: one for slow jobs, the others for the rest. */
  readonly size?: number;
  /** Time for one job. */
  readonly timeoutMs?: number;
  /** A job that takes longer is restarted in the slow pool. */
  readonly quickMs?: number;
  /** JavaScript heap of one process. */
  readonly memoryMb?: number;
}

/** Reads on behalf of one owner; the pools are fair between owners. */
export interface Reader<J extends Jobs> {
  /** Throws a ReadingFailed, or the signal's reason if it is aborted. */
  read<Name extends keyof J & string>(
    name: Name,
    input: JobInput<J, Name>,
    signal: AbortSignal,
  ): Promise<JobOutput<J, Name>>;
}

export interface ReaderPools<J extends Jobs> {
  /** @param owner whom else it reads for, such as an account by its id; by default nobody */
  reader(owner?: string): Reader<J>;
  close(): Promise<void>;
}

/**
 * Two small pools of killable processes that parse hostile text: 20 KB of HTML or robots.txt can keep a parser busy for
 * minutes. A job first gets a short time limit. One that needs more restarts in the slow pool, and the jobs of its owner
 * follow it there until one succeeds. So a hostile owner delays others by that short time once, whatever it sends.
 */
export function createReaderPools<J extends Jobs>(options: ReaderPoolsOptions): ReaderPools<J> {
  const { jobs, size = 2, timeoutMs = TIMEOUT_MS, quickMs = QUICK_MS, memoryMb = MEMORY_MB } = options;
  const quick = createProcessPool({
    size: Math.max(size - 1, 1),
    timeoutMs: Math.min(quickMs, timeoutMs),
    idleMs: IDLE_MS,
    // It ends soon; starting a new process would take longer.
    killOnAbort: false,
    start: () => startReaderProcess({ jobs, memoryMb }),
  });
  const slow = createProcessPool({
    size: 1,
    timeoutMs,
    idleMs: IDLE_MS,
    killOnAbort: true,
    start: () => startReaderProcess({ jobs, memoryMb, niceness: NICENESS }),
  });
  return {
    reader: (owner) => readerOf(quick, slow, owner),
    close: async () => void (await Promise.all([quick.close(), slow.close()])),
  };
}

function readerOf<J extends Jobs>(quick: ProcessPool, slow: ProcessPool, owner: unknown = {}): Reader<J> {
  let isSlow = false;

  async function runQuickly(job: JobMessage, signal: AbortSignal): Promise<unknown> {
    try {
      return await quick.run(owner, job, signal);
    } catch (error) {
      if (!(error instanceof ReadingFailed) || error.reason !== 'time') throw error;
      isSlow = true;
      quick.expel(owner, error);
      return runSlowly(job, signal);
    }
  }

  async function runSlowly(job: JobMessage, signal: AbortSignal): Promise<unknown> {
    const output = await slow.run(owner, job, signal);
    isSlow = false;
    return output;
  }

  return {
    read: (name, input, signal) => (isSlow ? runSlowly : runQuickly)({ name, input }, signal) as never,
  };
}
