import { deriveId } from '@parley/runtime/rpc';
import { escapeHtml } from '../../fields/html.ts';

/** The answer of an FAQ item as rich text, in the format of Editor.js. */
export interface FaqAnswer {
  version: string;
  /** Creation of the item, in milliseconds since the epoch. */
  time: number;
  blocks: { id: string; type: 'paragraph'; data: { text: string } }[];
}

/** The release of Editor.js whose format this is. */
const VERSION = '2.30.0';
const LINE_BREAK = /\r\n|\r|\n/;

/**
 * Plain text as rich text: a block for each paragraph (separated by lines that are empty or blank), `<br>` for a line break
 * within one, and HTML escaped.
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
