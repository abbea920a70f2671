import { unavailableDoNotRetry } from '../errors.ts';
import type { JobMessage } from './jobs.ts';
import type { ReaderProcess } from './reader-process.ts';

/** Waiting jobs of one owner: far more than a training, or an honest account, ever has in progress. */
const MAX_WAITING = 64;

export interface ProcessPoolOptions {
  /** Concurrent jobs, each in its own process. */
  readonly size: number;
  /** For one job, not counting its wait. */
  readonly timeoutMs: number;
  /** How long a process may be idle before it is ended. */
  readonly idleMs: number;
  /** True if aborting a running job kills its process, or lets it finish. */
  readonly killOnAbort: boolean;
  start(): ReaderProcess;
}

/** A process pool whose queue is fair between the owners of jobs. */
export interface ProcessPool {
  /** Throws a ReadingFailed, or the signal's reason if it is aborted. An owner is what a map takes as the same key. */
  run(owner: unknown, job: JobMessage, signal: AbortSignal): Promise<unknown>;
  /** Rejects the waiting jobs of an owner. */
  expel(owner: unknown, reason: Error): void;
  close(): Promise<void>;
}

interface Task {
  readonly job: JobMessage;
  readonly signal: AbortSignal;
  resolve(output: unknown): void;
  reject(error: unknown): void;
}

interface Owner {
  readonly waiting: Task[];
  running: number;
}

interface Idle {
  readonly process: ReaderProcess;
  readonly timer: NodeJS.Timeout;
}

export function createProcessPool({ size, timeoutMs, idleMs, killOnAbort, start }: ProcessPoolOptions): ProcessPool {
  /** Owners with jobs; the one served last is at the end. */
  const owners = new Map<unknown, Owner>();
  const processes = new Set<ReaderProcess>();
  const idle: Idle[] = [];
  let running = 0;
  let isClosed = false;

  /** The next job: of the owner with the fewest running jobs, the one that has waited longest. */
  function nextOwner(): { key: unknown } | undefined {
    let found: { key: unknown } | undefined;
    let fewest = Infinity;
    for (const [key, owner] of owners) {
      if (owner.waiting.length === 0 || owner.running >= fewest) continue;
      found = { key };
      fewest = owner.running;
    }
    return found;
  }

  function dispatch() {
    while (running < size) {
      const next = nextOwner();
      if (!next) return;
      const { key } = next;
      const owner = owners.get(key)!;
      owners.delete(key);
      owners.set(key, owner);
      void serve(key, owner, owner.waiting.shift()!);
    }
  }

  async function serve(key: unknown, owner: Owner, task: Task) {
    running++;
    owner.running++;
    try {
      const process = takeProcess();
      try {
        task.resolve(await process.run(task.job, timeoutMs, killOnAbort ? task.signal : undefined));
      } finally {
        keep(process);
      }
    } catch (error) {
      task.reject(error);
    }
    running--;
    owner.running--;
    forgetIfDone(key, owner);
    dispatch();
  }

  function takeProcess(): ReaderProcess {
    for (let last = idle.pop(); last; last = idle.pop()) {
      clearTimeout(last.timer);
      if (last.process.isAlive) return last.process;
      processes.delete(last.process);
    }
    const process = start();
    processes.add(process);
    return process;
  }

  function keep(process: ReaderProcess) {
    if (!process.isAlive || isClosed) {
      processes.delete(process);
      return;
    }
    const entry = { process, timer: setTimeout(() => endIdle(entry), idleMs).unref() };
    idle.push(entry);
  }

  function endIdle(entry: Idle) {
    idle.splice(idle.indexOf(entry), 1);
    processes.delete(entry.process);
    void entry.process.kill();
  }

  function forgetIfDone(key: unknown, { waiting, running }: Owner) {
    if (waiting.length === 0 && running === 0) owners.delete(key);
  }

  function enqueue(key: unknown, task: Task) {
    const owner = owners.get(key) ?? { waiting: [], running: 0 };
    if (owner.waiting.length >= MAX_WAITING)
      throw unavailableDoNotRetry('Too much of this is being read already. Try again in a moment.');
    owners.set(key, owner);
    owner.waiting.push(task);
    dispatch();
    return () => {
      const place = owner.waiting.indexOf(task);
      if (place >= 0) owner.waiting.splice(place, 1);
      if (place >= 0) forgetIfDone(key, owner);
      task.reject(task.signal.reason);
    };
  }

  return {
    async run(owner, job, signal) {
      signal.throwIfAborted();
      if (isClosed) throw new Error('The readers are closed.');
      let leave = () => {};
      const onAbort = () => leave();
      signal.addEventListener('abort', onAbort, { once: true });
      try {
        return await new Promise((resolve, reject) => {
          leave = enqueue(owner, { job, signal, resolve, reject });
        });
      } finally {
        signal.removeEventListener('abort', onAbort);
      }
    },
    expel(key, reason) {
      const owner = owners.get(key);
      if (!owner) return;
      for (const { reject } of owner.waiting.splice(0)) reject(reason);
      forgetIfDone(key, owner);
    },
    async close() {
      isClosed = true;
      for (const { waiting } of owners.values())
        for (const { reject } of waiting.splice(0)) reject(new Error('The readers are closed.'));
      for (const { timer } of idle.splice(0)) clearTimeout(timer);
      await Promise.all([...processes].map((process) => process.kill()));
    },
  };
}
