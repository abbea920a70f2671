import type { Worker } from 'node:worker_threads';
import { EmbeddingUnavailable } from './embedder.ts';

/** What an embedding worker posts: `ready` once its model is loaded, then one vector for each text it was sent. */
export type WorkerMessage = 'ready' | Float32Array;

export type Urgency = 'query' | 'batch';

/** Calls that may wait, not texts: a batch is an array its caller has bounded. */
const LIMITS: Record<Urgency, number> = { query: 256, batch: 64 };

interface Task {
  readonly texts: readonly string[];
  readonly vectors: Float32Array[];
  settle(outcome: Float32Array[] | Error): void;
}

export interface WorkerQueue {
  run(texts: readonly string[], urgency: Urgency, signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}

/**
 * Feeds a worker one text at a time, so that a query waits for one text of a batch at most. The worker starts at the
 * first use, and again at the next use after it died: what it held and what waited is rejected.
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
      if (queue.length >= LIMITS[urgency]) throw new EmbeddingUnavailable('Too many texts wait for their embedding.');
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
    rejectAll(new EmbeddingUnavailable('The embedder is closed.'));
    const stopping = worker;
    worker = undefined;
    await stopping?.terminate();
  }

  return { run, close };
}
