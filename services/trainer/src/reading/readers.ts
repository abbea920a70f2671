import { linkedSignal } from '@parley/runtime';
import type { DocumentBatch } from '../documents/open-document.ts';
import { type DocumentFile, readDocument } from './document-reader.ts';
import type { JobInput, JobMessage, JobName, JobOutput } from './jobs.ts';
import { createLane, type Lane } from './lane.ts';
import { startReaderProcess } from './reader-process.ts';
import { ReadingFailed } from './reading-failed.ts';

/** An ordinary page takes 20 to 200 ms. */
const QUICK_MS = 2_000;
const TIMEOUT_MS = 20_000;
const MEMORY_MB = 384;
/** Half a second of work, unless one page takes longer. */
const DOCUMENT_MS = 30_000;
const IDLE_MS = 300_000;
/** Of the slow lane: hostile jobs end up there, and may keep it busy all the time. */
const NICENESS = 10;
/** Of a document: most are harmless, but long. */
const DOCUMENT_NICENESS = 5;
/** Of text recognition: a colour image of 35 million pixels takes 200 while it is decoded, Tesseract with a page 100. */
const RECOGNITION_MB = 256;

export interface ReadersOptions {
  /** Number of processes, at least 2: one for slow jobs, the others for the rest. */
  readonly size?: number;
  /** Of one job. */
  readonly timeoutMs?: number;
  /** A job that takes longer is restarted in the slow lane. */
  readonly quickMs?: number;
  /** JavaScript heap of one process. */
  readonly memoryMb?: number;
  /** The same for a process that reads a document. */
  readonly documentMemoryMb?: number;
  /** For the next parts of a document; text recognition has the time for one page besides. */
  readonly documentMs?: number;
}

/** Reads on behalf of one training; the pool is fair between trainings. */
export interface Reader {
  /** Throws a ReadingFailed, or the signal's reason if it is aborted. */
  read<Name extends JobName>(name: Name, input: JobInput<Name>, signal: AbortSignal): Promise<JobOutput<Name>>;
}

export interface Readers {
  reader(): Reader;
  /**
   * Reads a document in a process of its own, which ends with the iteration. Consumes the file's body.
   *
   * @throws ReadingFailed, the body's own error, or the signal's reason.
   */
  document(file: DocumentFile, signal: AbortSignal): AsyncGenerator<DocumentBatch>;
  close(): Promise<void>;
}

/**
 * A small pool of killable processes that parse hostile text: 20 KB of HTML or robots.txt can keep a parser busy for
 * minutes. A job first gets a short time limit. One that needs more restarts in the slow lane, and the jobs of its training
 * follow it there until one succeeds. So a hostile site delays others by that short time once, whatever it sends.
 */
export function createReaders(options: ReadersOptions = {}): Readers {
  const { size = 2, timeoutMs = TIMEOUT_MS, quickMs = QUICK_MS, memoryMb = MEMORY_MB } = options;
  const { documentMemoryMb = MEMORY_MB, documentMs = DOCUMENT_MS } = options;
  const closing = new AbortController();
  const quick = createLane({
    size: Math.max(size - 1, 1),
    timeoutMs: Math.min(quickMs, timeoutMs),
    idleMs: IDLE_MS,
    // It ends soon; starting a new process would take longer.
    killOnAbort: false,
    start: () => startReaderProcess({ memoryMb }),
  });
  const slow = createLane({
    size: 1,
    timeoutMs,
    idleMs: IDLE_MS,
    killOnAbort: true,
    start: () => startReaderProcess({ memoryMb, niceness: NICENESS }),
  });
  return {
    reader: () => readerOf(quick, slow),
    async *document(file, signal) {
      using linked = linkedSignal([signal, closing.signal]);
      const { recognition } = file.limits;
      const besidesMb = recognition ? RECOGNITION_MB : 0;
      const start = () => startReaderProcess({ memoryMb: documentMemoryMb, besidesMb, niceness: DOCUMENT_NICENESS });
      yield* readDocument(start, file, documentMs + (recognition?.pageMs ?? 0), linked.signal);
    },
    async close() {
      closing.abort(new Error('The readers are closed.'));
      await Promise.all([quick.close(), slow.close()]);
    },
  };
}

function readerOf(quick: Lane, slow: Lane): Reader {
  const owner = {};
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
