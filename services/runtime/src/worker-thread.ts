import { Worker, type WorkerOptions } from 'node:worker_threads';

/** Starts a worker thread from a TypeScript file, on every supported version of Node. */
export function startWorkerThread(program: URL, options: Omit<WorkerOptions, 'execArgv'> = {}): Worker {
  return new Worker(program, { ...options, execArgv: typescriptLoader() });
}

/**
 * Flags that let a thread or a process of Node 20 run TypeScript. Later versions of Node strip types themselves.
 */
export function typescriptLoader(): string[] {
  const { typescript } = process.features as { typescript?: false | string };
  return typescript ? [] : ['--import', new URL('./load-typescript.mjs', import.meta.url).href];
}
