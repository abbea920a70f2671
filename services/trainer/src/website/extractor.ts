import { once } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { startWorkerThread } from '@parley/runtime';
import { LoadError } from '../http/load-error.ts';
import { seconds } from '../http/sentences.ts';
import type { Extracted } from './extract.ts';

const START_TIMEOUT_MS = 60_000;
const TIMEOUT_MS = 20_000; // an ordinary page takes 20 to 200 ms
const MEMORY_MB = 512;

export interface Extractor {
  /** Throws a LoadError if the page takes too long or too much memory. */
  extract(html: string, address: string): Promise<Extracted>;
  close(): Promise<void>;
}

export interface ExtractRequest {
  readonly html: string;
  readonly address: string;
}

/**
 * Reads pages one at a time in a worker thread: 20 KB of hostile HTML keep a parser busy for minutes, and then it is the
 * worker that is ended. The next page starts a new one.
 */
export function createExtractor({ timeoutMs = TIMEOUT_MS } = {}): Extractor {
  const closing = new AbortController();
  let worker: Worker | undefined;
  let last: Promise<unknown> = Promise.resolve();

  async function read(request: ExtractRequest): Promise<Extracted> {
    closing.signal.throwIfAborted();
    worker ??= await startWorker(() => {
      worker = undefined;
    });
    const used = worker;
    try {
      used.postMessage(request);
      const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(timeoutMs)]);
      const [extracted] = await once(used, 'message', { signal });
      return extracted as Extracted;
    } catch (error) {
      await used.terminate();
      closing.signal.throwIfAborted();
      throw new LoadError(sentenceOf(error as Error, timeoutMs), { cause: error });
    }
  }

  return {
    extract(html, address) {
      const turn = last.then(() => read({ html, address }));
      last = turn.catch(() => {});
      return turn;
    },
    async close() {
      closing.abort(new Error('The extractor is closed.'));
      await last;
      await worker?.terminate();
    },
  };
}

async function startWorker(ended: () => void): Promise<Worker> {
  const worker = startWorkerThread(new URL('./extract-worker.ts', import.meta.url), {
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MB },
  });
  // An error event that nobody listens to would end the process.
  worker.on('error', () => {}).once('exit', ended);
  try {
    await once(worker, 'message', { signal: AbortSignal.timeout(START_TIMEOUT_MS) });
    return worker;
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

function sentenceOf(error: Error, timeoutMs: number): string {
  if (error.name === 'AbortError') {
    return `The page is too complex: its text could not be found within ${seconds(timeoutMs)}.`;
  }
  return 'The page is too complex: its text could not be found.';
}
