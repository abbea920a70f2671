import { deriveId } from '@parley/runtime';

/** The answer of an FAQ item as rich text, in the form of Editor.js. */
export interface FaqAnswer {
  version: string;
  /** Milliseconds since the epoch: when the item was made. */
  time: number;
  blocks: { id: string; type: 'paragraph'; data: { text: string } }[];
}

/** The release of Editor.js whose form this is. */
const VERSION = '2.30.0';
const LINE_BREAK = /\r\n|\r|\n/;

/**
 * Plain text as rich text: a block for each paragraph (blank lines, also of spaces, part them), `<br>` for a line break
 * within one, and what HTML would read as markup escaped.
 */
export const faqAnswer = (itemId: string, text: string, createdAt: Date): FaqAnswer => ({
  version: VERSION,
  time: createdAt.getTime(),
  blocks: paragraphs(text).map((lines, i) => ({
    id: deriveId(itemId, 'block', String(i)).replaceAll('-', '').slice(0, 10),
    type: 'paragraph',
    data: { text: lines.map(escapeHtml).join('<br>') },
  })),
});

function paragraphs(text: string): string[][] {
  const found: string[][] = [];
  let current: string[] = [];
  for (const line of [...text.split(LINE_BREAK), '']) {
    if (line.trim() !== '') current.push(line);
    else if (current.length > 0) {
      found.push(current);
      current = [];
    }
  }
  return found;
}

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
