import { Worker, type WorkerOptions } from 'node:worker_threads';

/** A worker thread whose program is TypeScript, on every Node that we run on. */
export function startWorkerThread(program: URL, options: Omit<WorkerOptions, 'execArgv'> = {}): Worker {
  return new Worker(program, { ...options, execArgv: typescriptLoader() });
}

/** Later versions of Node strip types themselves. On Node 20, tsx's own flag reaches the main thread only. */
function typescriptLoader(): string[] {
  const { typescript } = process.features as { typescript?: false | string };
  return typescript ? [] : ['--import', new URL('./load-typescript.mjs', import.meta.url).href];
}
