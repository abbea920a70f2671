import { count, type DocumentLimits, type DocumentPart, limitNotes, Unreadable } from '../part.ts';
import { type BodyStyle, blocksOf, textOfBlocks } from './blocks.ts';
import { carryHeadings } from './headings.ts';
import { type Line, linesOf } from './lines.ts';
import { type OpenPdf, openPdf } from './open-pdf.ts';
import { inReadingOrder } from './order.ts';
import { type Page, withMarginals, withoutRunning } from './running.ts';

/** Pages before and after a page that show which of its lines are headers and footers. */
const AROUND = 4;

const NO_TEXT =
  'This PDF has no text: its pages are empty or images, such as scans. Upload a version with text, for instance after optical character recognition (OCR).';
const NO_PAGES = 'This PDF has no pages. Upload another file as a new document.';

/** A page that was laid out, or the reason why it could not be. */
type LaidOut = Page & { failure?: string };

/** Reads a PDF page by page; each page is a part. */
export async function* readPdf(file: Buffer, limits: DocumentLimits): AsyncGenerator<DocumentPart, string[]> {
  const pdf = await openPdf(file);
  const found = Math.min(pdf.pages, limits.pages);
  if (found === 0) throw new Unreadable(NO_PAGES);
  const notes = pdf.pages > found ? [limitNotes.pages(found, pdf.pages)] : [];
  const styles = styleCounter();
  const carry = carryHeadings();
  const counts = { characters: 0, blank: 0, failed: 0 };
  for await (const { page, around } of windowed(layOut(pdf, found, styles.add), AROUND)) {
    const id = `page ${page.number}`;
    if (page.failure !== undefined) {
      counts.failed++;
      yield { id, place: id, texts: [], bytes: 0, failure: page.failure, found };
      continue;
    }
    const blocks = carry(blocksOf(withoutRunning(page, around), styles.body()));
    const text = textOfBlocks(blocks);
    if (text === '') counts.blank++;
    counts.characters += text.length;
    if (counts.characters > limits.characters) return [...notes, limitNotes.characters(limits.characters)];
    const texts = text ? [{ id, place: id, text }] : [];
    yield { id, place: id, texts, bytes: Buffer.byteLength(text), found };
  }
  if (counts.blank === found) throw new Unreadable(NO_TEXT);
  return [...notes, ...pageNotes(counts, found)];
}

function pageNotes({ blank, failed }: { blank: number; failed: number }, found: number): string[] {
  const share = (pages: number) => `${count(pages)} of the ${count(found)} pages`;
  return [
    ...(failed > 0 ? [`${share(failed)} could not be read, because they are damaged.`] : []),
    ...(blank > 0 ? [`${share(blank)} ${blank === 1 ? 'has' : 'have'} no text: empty, or images such as scans.`] : []),
  ];
}

async function* layOut(pdf: OpenPdf, pages: number, seen: (line: Line) => void): AsyncGenerator<LaidOut> {
  for (let number = 1; number <= pages; number++) {
    const content = await pdf.page(number);
    if ('failure' in content) {
      yield { number, height: 0, lines: [], marginals: [], failure: content.failure };
      continue;
    }
    const lines = inReadingOrder(linesOf(content.items, content.transform));
    for (const line of lines) seen(line);
    yield withMarginals({ number, height: content.height, lines });
  }
}

/** Each page with those around it, itself among them. */
async function* windowed(pages: AsyncIterable<LaidOut>, size: number) {
  const around: LaidOut[] = [];
  let next = 0;
  for await (const page of pages) {
    around.push(page);
    if (around.length <= next + size) continue;
    yield { page: around[next]!, around };
    if (next < size) next++;
    else around.shift();
  }
  for (; next < around.length; next++) yield { page: around[next]!, around };
}

/** Counts the characters of each style; what most of the text has is the body's. */
function styleCounter() {
  const styles = new Map<string, BodyStyle & { characters: number }>();
  /** Bounds the styles of a hostile document. */
  const MAX = 1_000;
  return {
    add({ size, font, cells }: Line) {
      const rounded = Math.round(size * 2) / 2;
      const key = `${rounded} ${font}`;
      const characters = cells.reduce((sum, { text }) => sum + text.length, 0);
      const known = styles.get(key);
      if (known) known.characters += characters;
      else if (styles.size < MAX) styles.set(key, { size: rounded, font, characters });
    },
    body(): BodyStyle {
      let best = { size: 10, font: '', characters: 0 };
      for (const style of styles.values()) if (style.characters > best.characters) best = style;
      return best;
    },
  };
}
