/** The limits of reading one document. */
export interface DocumentLimits {
  /** The most pages of a PDF. */
  readonly pages: number;
  /** The most rows of a CSV file, without its header. */
  readonly rows: number;
  /** The most text to extract, in UTF-16 units. */
  readonly characters: number;
  /** Pages of a PDF without text are left out if absent. */
  readonly recognition?: RecognitionLimits;
}

/** Optical character recognition of scanned pages. */
export interface RecognitionLimits {
  /** Tesseract's codes of the languages to expect, the usual one first. */
  readonly languages: readonly string[];
  /** The most pages to recognise in one document. */
  readonly pages: number;
  /** For one page. */
  readonly pageMs: number;
}

/** A text of a document, with the place that a citation names: `page 12`, `rows 2–9`. Empty: the whole document. */
export interface DocumentText {
  /** Unique in the document, and the same in the next training if the document is. */
  readonly id: string;
  readonly place: string;
  /** Blocks separated by blank lines, with markdown headings and lists. */
  readonly text: string;
}

/** A page, or a run of rows or lines: what the ledger records. */
export interface DocumentPart {
  readonly id: string;
  readonly place: string;
  readonly texts: readonly DocumentText[];
  /** Size of the extracted text in UTF-8. */
  readonly bytes: number;
  /** Why it could not be read, as a sentence. */
  readonly failure?: string;
  /** Why it has no text, as a sentence. */
  readonly note?: string;
  /** Parts known so far, including those to come. */
  readonly found: number;
}

/**
 * Reads a document part by part, and returns a sentence for each limit that was hit. Yields undefined after work that took
 * long and has not finished a part: what comes next has its own time limit.
 *
 * @throws Unreadable
 */
export type ReadDocument = (file: Buffer, limits: DocumentLimits) => AsyncGenerator<DocumentPart | undefined, string[]>;

/** The document can't be read; the message is a sentence that its owner can act on. */
export class Unreadable extends Error {
  override readonly name = 'Unreadable';
}

/** Sentences for the limits that a document hits. Name the setting. */
export const limitNotes = {
  pages: (read: number, all: number) =>
    `Only the first ${count(read)} of the ${count(all)} pages were read, the most that a document may have (DOCUMENT_MAX_PAGES).`,
  rows: (read: number) =>
    `Only the first ${count(read)} rows were read, the most that a document may have (DOCUMENT_MAX_ROWS).`,
  scans: (leftOut: number, most: number) =>
    `Text was recognised on ${count(most)} scanned pages, the most that a document may have (DOCUMENT_OCR_MAX_PAGES). ${leftOut === 1 ? 'One more was' : `${count(leftOut)} more were`} left out.`,
  characters: (most: number) =>
    `Reading stopped at ${count(most)} characters of text, the most that a document may have (DOCUMENT_MAX_CHARACTERS). What comes later is not searched.`,
};

export const count = (number: number): string => number.toLocaleString('en');

/** `row 2`, or `rows 2–9`. */
export const range = (one: string, first: number, last: number): string =>
  first === last ? `${one} ${first}` : `${one}s ${first}–${last}`;
