import type { Worker } from 'node:worker_threads';
import { EmbeddingUnavailable } from './embedder.ts';

/** Messages from an embedding worker: `ready` once its model is loaded, then one vector for each text. */
export type WorkerMessage = 'ready' | Float32Array;

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

/** Loading a model takes about a second, embedding a text milliseconds; a busy machine is slower. */
const FINISH_WITHIN_MS = 10_000;

/**
 * Resolves when a busy worker has finished its text, or has died. A thread that is ended inside the model's native code
 * can take the whole process with it.
 */
function finished(worker: Worker): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, FINISH_WITHIN_MS);
    function end() {
      clearTimeout(timer);
      resolve();
    }
    worker.on('message', (message: WorkerMessage) => message !== 'ready' && end());
    worker.once('exit', end);
  });
}

/**
 * Feeds a worker one text at a time, so that a query waits for at most one text of a batch. The worker starts on first
 * use. If it dies, everything pending is rejected, and the next use starts it again.
 */
export function createWorkerQueue(start: () => Worker, unusable: (reason: string) => Error): WorkerQueue {
  const waiting: Record<Urgency, Task[]> = { query: [], batch: [] };
  let worker: Worker | undefined;
  let working: Task | undefined;
  let closed = false;

  function feed() {
    const task = waiting.query[0] ?? waiting.batch[0];
    if (working || !task) return;
    try {
      worker ??= launch();
    } catch (error) {
      return rejectAll(unusable((error as Error).message));
    }
    working = task;
    worker.postMessage(task.texts[task.vectors.length]);
  }

  function launch(): Worker {
    const launched = start();
    let ready = false;
    const failed = (reason: string) => {
      if (worker !== launched) return;
      worker = undefined;
      rejectAll(ready ? new EmbeddingUnavailable(`The embedding worker stopped: ${reason}.`) : unusable(reason));
    };
    launched.on('message', (message: WorkerMessage) => {
      if (worker !== launched) return;
      if (message === 'ready') ready = true;
      else receive(message);
    });
    launched.on('error', (error: Error) => failed(error.message));
    launched.on('exit', (code) => failed(`it ended with code ${code}`));
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
    const isBusy = working !== undefined;
    rejectAll(new EmbeddingUnavailable('The embedder is closed.'));
    const stopping = worker;
    worker = undefined;
    if (stopping && isBusy) await finished(stopping);
    await stopping?.terminate();
  }

  return { run, close };
}
