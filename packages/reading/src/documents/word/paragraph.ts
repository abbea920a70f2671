/** A paragraph of a Word document, or a row of a table. */
export interface Paragraph {
  readonly kind: 'text' | 'item' | 'row';
  readonly text: string;
  /** Level of a heading, 1 to 9; 0 for other text. */
  readonly level: number;
}

/** Characters; a longer one is cut into several. */
export const LONGEST_PARAGRAPH = 100_000;

export const DAMAGED =
  'This Word document is damaged and can’t be read. Open it, save it again, and upload that file as a new document.';
export const ENCRYPTED = 'This Word document is protected by a password. Upload a version without one.';
export const OTHER = 'This file is not a Word document. Upload it as a PDF, or as plain text.';
