import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { EmbeddingUnavailable } from './embedder.ts';

/** Messages from an embedding process: `ready` once its model is loaded, then one vector for each text; or why it can't go on. */
export type WorkerMessage = 'ready' | Float32Array | { failed: string };

export type Urgency = 'query' | 'batch';

/** The limit counts calls, not texts: callers bound their batches. */
const LIMITS: Record<Urgency, number> = { query: 256, batch: 64 };

interface Task {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  settle(outcome: Float32Array[] | Error): void;
}

export interface WorkerQueue {
  run(texts: readonly string[], urgency: Urgency, signal?: AbortSignal): Promise<Float32Array[]>;
  /** Rejects everything pending at once, and resolves when the worker has ended. */
  close(): Promise<void>;
}

/** A model takes up to half a gigabyte, and a second or two to load. */
const IDLE_MS = 60_000;

/**
 * Feeds a process one text at a time, so that a query waits for at most one text of a batch. The process starts on first use, and
 * ends when it has had nothing to do for a while. If it dies, everything pending is rejected, and the next use starts it again.
 */
export function createWorkerQueue(
  start: () => ChildProcess,
  unusable: (reason: string) => Error,
  idleMs = IDLE_MS,
): WorkerQueue {
  const waiting: Record<Urgency, Task[]> = { query: [], batch: [] };
  let worker: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let working: Task | undefined;
  let closed = false;

  function feed() {
    const task = waiting.query[0] ?? waiting.batch[0];
    if (working) return;
    clearTimeout(idle);
    if (!task) {
      idle = setTimeout(endIdle, idleMs).unref();
      return;
    }
    try {
      worker ??= launch();
    } catch (error) {
      return rejectAll(unusable((error as Error).message));
    }
    working = task;
    worker.send(task.texts[task.vectors.length]!, () => {}); // `exit` says so if it has ended
  }

  /** All of its memory is free then, which the end of a thread would not do. */
  function endIdle() {
    const ended = worker;
    worker = undefined;
    ended?.disconnect();
  }

  function launch(): ChildProcess {
    const launched = start();
    let ready = false;
    const failed = (reason: string) => {
      if (worker !== launched) return;
      worker = undefined;
      launched.kill('SIGKILL');
      rejectAll(ready ? new EmbeddingUnavailable(`The embedding process stopped: ${reason}.`) : unusable(reason));
    };
    launched.on('message', (message: WorkerMessage) => {
      if (worker !== launched) return;
      if (message === 'ready') ready = true;
      else if (message instanceof Float32Array) receive(message);
      else failed(message.failed);
    });
    launched.on('error', (error: Error) => failed(error.message));
    launched.on('exit', (code, signal) => failed(`it ended with ${signal ?? `code ${code}`}`));
    return launched;
  }

  function receive(vector: Float32Array) {
    const task = working;
    working = undefined;
    task?.vectors.push(vector);
    if (task && task.vectors.length === task.texts.length) task.settle(task.vectors);
    feed();
  }

  function rejectAll(error: Error) {
    working = undefined;
    for (const task of [...waiting.query, ...waiting.batch]) task.settle(error);
  }

  function run(texts: readonly string[], urgency: Urgency, signal?: AbortSignal): Promise<Float32Array[]> {
    const queue = waiting[urgency];
    return new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      if (closed) throw new EmbeddingUnavailable('The embedder is closed.');
      if (queue.length >= LIMITS[urgency]) throw new EmbeddingUnavailable('Too many texts are waiting to be embedded.');
      if (texts.length === 0) return resolve([]);
      const aborted = () => task.settle(signal!.reason);
      const task: Task = {
        texts,
        vectors: [],
        settle(outcome) {
          signal?.removeEventListener('abort', aborted);
          const place = queue.indexOf(task);
          if (place >= 0) queue.splice(place, 1);
          if (Array.isArray(outcome)) resolve(outcome);
          else reject(outcome);
        },
      };
      signal?.addEventListener('abort', aborted, { once: true });
      queue.push(task);
      feed();
    });
  }

  async function close() {
    closed = true;
    clearTimeout(idle);
    rejectAll(new EmbeddingUnavailable('The embedder is closed.'));
    const stopping = worker;
    worker = undefined;
    if (stopping?.kill('SIGKILL')) await once(stopping, 'exit');
  }

  return { run, close };
}
