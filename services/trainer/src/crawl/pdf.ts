import { Readable } from 'node:stream';
import type { DocumentLimits, DocumentText } from '@parley/reading/documents';
import { linkedSignal } from '@parley/runtime';
import { ReadingFailed } from '@parley/runtime/sandbox';
import type { Readers } from '../sandbox/readers.ts';
import { LoadError } from './http/load-error.ts';
import { seconds } from './http/sentences.ts';

/** Larger ones fail: several may be in memory at the same time. */
export const MAX_PDF_BYTES = 20_000_000;
/** UTF-16 units of one PDF: it is stored and read as a whole. */
const MAX_CHARACTERS = 5_000_000;
/** For all pages of one PDF; ordinary ones take a 50th of a second for each. */
const TIMEOUT_MS = 120_000;
/** PDFs that took too long or too much memory: up to two minutes each. */
const MAX_COSTLY = 3;

const PDF = 'application/pdf';

/** The text of a PDF, page by page. */
export interface PdfText {
  readonly pages: readonly Pick<DocumentText, 'place' | 'text'>[];
  /** The omissions, as sentences; may be empty. */
  readonly note: string;
}

/** Reads the PDFs of one crawl, one after another. */
export interface PdfReader {
  /** @throws LoadError with a sentence for the owner, or the signal's reason */
  read(body: Buffer, signal: AbortSignal): Promise<PdfText>;
}

export const isPdf = (contentType: string | undefined): boolean =>
  /^application\/(x-)?pdf\b/i.test(contentType?.trim() ?? '');

export const encodePdf = (text: PdfText): string => JSON.stringify(text);
export const decodePdf = (encoded: string): PdfText => JSON.parse(encoded) as PdfText;

export function createPdfReader(readers: Readers, limits: DocumentLimits): PdfReader {
  const { pages, rows } = limits;
  // No text recognition: it takes longer than a PDF of a site may.
  const bounds = { pages, rows, characters: Math.min(limits.characters, MAX_CHARACTERS) };
  let costly = 0;
  let last: Promise<unknown> = Promise.resolve();

  async function readNext(body: Buffer, signal: AbortSignal): Promise<PdfText> {
    if (costly >= MAX_COSTLY)
      throw new LoadError(`This PDF was not read, because ${costly} others of this site are too complex.`);
    using linked = linkedSignal([signal], TIMEOUT_MS);
    try {
      return await textOf(readers, body, bounds, linked.signal);
    } catch (error) {
      signal.throwIfAborted();
      const isSlow = linked.late || (error instanceof ReadingFailed && error.reason === 'time');
      if (!isSlow && !(error instanceof ReadingFailed)) throw error;
      if (isSlow || (error as ReadingFailed).reason !== 'error') costly++;
      throw new LoadError(sentenceOf(isSlow, error), { cause: error });
    }
  }

  return {
    read(body, signal) {
      const next = last.then(() => readNext(body, signal));
      last = next.catch(() => {});
      return next;
    },
  };
}

async function textOf(readers: Readers, body: Buffer, limits: DocumentLimits, signal: AbortSignal): Promise<PdfText> {
  const file = { body: Readable.from([body]), bytes: body.length, type: PDF, limits };
  const pages: Pick<DocumentText, 'place' | 'text'>[] = [];
  const notes: string[] = [];
  let failure: string | undefined;
  for await (const { parts, refused, notes: more = [] } of readers.document(file, signal)) {
    for (const part of parts) {
      pages.push(...part.texts.map(({ place, text }) => ({ place, text })));
      if (part.failure !== undefined) failure ??= `${part.place}: ${part.failure}`;
    }
    if (refused !== undefined) throw new LoadError(refused);
    notes.push(...more);
  }
  if (pages.length === 0) throw new LoadError(`No page of this PDF could be read. ${failure ?? 'It has no text.'}`);
  return { pages, note: notes.join(' ') };
}

function sentenceOf(isSlow: boolean, error: unknown): string {
  if (isSlow) return `This PDF is too complex: its text could not be found within ${seconds(TIMEOUT_MS)}.`;
  const { reason } = error as ReadingFailed;
  return reason === 'memory'
    ? 'This PDF is too complex: reading it takes more memory than a document may (DOCUMENT_MEMORY_MIB).'
    : 'This PDF is damaged and could not be read.';
}
