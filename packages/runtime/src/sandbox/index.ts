/** Processes that parse what strangers wrote: killable, without environment, files or network. */
export type { JobInput } from './jobs.ts';
export { createReaderPools, type Reader, type ReaderPools, type ReaderPoolsOptions } from './reader-pools.ts';
export { type ReaderProcess, startReaderProcess } from './reader-process.ts';
export { ReadingFailed, type ReadingFailure } from './reading-failed.ts';
