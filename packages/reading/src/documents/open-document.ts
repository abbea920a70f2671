import { Socket } from 'node:net';
import { type DocumentLimits, type DocumentPart, type ReadDocument, Unreadable } from './part.ts';

/** The descriptor on which a reader process receives a document. */
const DOCUMENT_FD = 4;

/** A batch ends after any of these, so that a slow or long document shows its progress. */
const BATCH_MS = 500;
const BATCH_PARTS = 16;
const BATCH_CHARACTERS = 100_000;

/** Each reads one format. Loaded on first use: a process reads one document only. */
const READERS: Record<string, () => Promise<ReadDocument>> = {
  'application/pdf': async () => (await import('./pdf/read-pdf.ts')).readPdf,
  'application/msword': async () => (await import('./word/read-word.ts')).readWord,
  'text/plain': async () => (await import('./text.ts')).readText,
  'text/csv': async () => (await import('./csv.ts')).readCsv,
};

export interface OpenDocument {
  /** A media type. */
  readonly type: string;
  /** Size of the file. */
  readonly bytes: number;
  readonly limits: DocumentLimits;
}

export interface DocumentBatch {
  readonly parts: DocumentPart[];
  /** There is no more, and this is what was left out. */
  readonly notes?: string[];
  /** The document can't be read, for this reason. */
  readonly refused?: string;
}

let reading: ReturnType<ReadDocument> | undefined;

/** Receives the document that this process reads. */
export async function openDocument({ type, bytes, limits }: OpenDocument): Promise<true> {
  const file = await receive(bytes);
  const read = await READERS[type]!();
  reading = read(file, limits);
  return true;
}

async function receive(bytes: number): Promise<Buffer> {
  const file = Buffer.alloc(bytes);
  let length = 0;
  for await (const part of new Socket({ fd: DOCUMENT_FD })) {
    (part as Buffer).copy(file, length);
    length += (part as Buffer).length;
  }
  if (length !== bytes) throw new Error(`Received ${length} of ${bytes} bytes.`);
  return file;
}

/** The next parts of the document; none if work on them goes on. */
export async function nextParts(_: object): Promise<DocumentBatch> {
  const parts: DocumentPart[] = [];
  const endsAt = performance.now() + BATCH_MS;
  let characters = 0;
  try {
    while (parts.length < BATCH_PARTS && characters < BATCH_CHARACTERS && performance.now() < endsAt) {
      const next = await reading!.next();
      if (next.done) return { parts, notes: next.value };
      if (!next.value) break;
      parts.push(next.value);
      for (const { text } of next.value.texts) characters += text.length;
    }
    return { parts };
  } catch (error) {
    if (error instanceof Unreadable) return { parts, refused: error.message };
    throw error;
  }
}
