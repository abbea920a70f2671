import type { DocumentBatch } from '@parley/reading/documents';
import { linkedSignal } from '@parley/runtime';
import {
  createReaderPools,
  type Reader as PoolReader,
  type ReaderPools,
  type ReaderPoolsOptions,
  startReaderProcess,
} from '@parley/runtime/sandbox';
import { type DocumentFile, readDocument } from './document-reader.ts';
import type { JOBS } from './jobs.ts';

/** Time for half a second of work, unless one page takes longer. */
const DOCUMENT_MS = 30_000;
const DOCUMENT_MB = 384;
/** How much lower the priority of a document is: most are harmless, but long. */
const DOCUMENT_NICENESS = 5;
/** Memory of text recognition: a colour image of 35 million pixels takes 200 while it is decoded, Tesseract with a page 100. */
const RECOGNITION_MB = 256;

/** The module of the jobs, which reader processes load. */
export const MODULE = new URL('./jobs.ts', import.meta.url);

export interface ReadersOptions extends Omit<ReaderPoolsOptions, 'jobs'> {
  /** JavaScript heap of a process that reads a document. */
  readonly documentMemoryMb?: number;
  /** Time for the next parts of a document; text recognition has the time for one page besides. */
  readonly documentMs?: number;
}

/** Reads on behalf of one training; the pool is fair between trainings. */
export type Reader = PoolReader<typeof JOBS>;

export interface Readers extends ReaderPools<typeof JOBS> {
  /**
   * Reads a document in a process of its own, which ends with the iteration. Consumes the file's body.
   *
   * @throws ReadingFailed, the body's own error, or the signal's reason.
   */
  document(file: DocumentFile, signal: AbortSignal): AsyncGenerator<DocumentBatch>;
}

/** The processes in which a trainer reads. */
export function createReaders(options: ReadersOptions = {}): Readers {
  const { documentMemoryMb = DOCUMENT_MB, documentMs = DOCUMENT_MS, ...rest } = options;
  const closing = new AbortController();
  const pools = createReaderPools<typeof JOBS>({ ...rest, jobs: MODULE });
  return {
    reader: pools.reader,
    async *document(file, signal) {
      using linked = linkedSignal([signal, closing.signal]);
      const { recognition } = file.limits;
      const besidesMb = recognition ? RECOGNITION_MB : 0;
      const memory = { memoryMb: documentMemoryMb, besidesMb, niceness: DOCUMENT_NICENESS };
      const start = () => startReaderProcess({ jobs: MODULE, ...memory });
      yield* readDocument(start, file, documentMs + (recognition?.pageMs ?? 0), linked.signal);
    },
    async close() {
      closing.abort(new Error('The readers are closed.'));
      await pools.close();
    },
  };
}
