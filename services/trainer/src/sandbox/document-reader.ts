import type { Readable } from 'node:stream';
import type { DocumentBatch, OpenDocument } from '@parley/reading/documents';
import type { ReaderProcess } from '@parley/runtime/sandbox';

/** For receiving the file from the object store and loading the code. */
const OPEN_MS = 120_000;

export interface DocumentFile extends OpenDocument {
  readonly body: Readable;
}

/** The parts of a document, read by a process of its own, which ends with the iteration. */
export async function* readDocument(
  start: () => ReaderProcess,
  { body, ...about }: DocumentFile,
  timeoutMs: number,
  signal: AbortSignal,
): AsyncGenerator<DocumentBatch> {
  const process = start();
  try {
    await Promise.all([
      process.run({ name: 'openDocument', input: about }, OPEN_MS, signal),
      process.pass(body, signal),
    ]);
    for (;;) {
      const batch = (await process.run({ name: 'nextParts', input: {} }, timeoutMs, signal)) as DocumentBatch;
      yield batch;
      if (batch.notes || batch.refused !== undefined) return;
    }
  } finally {
    body.destroy();
    await process.kill();
  }
}
