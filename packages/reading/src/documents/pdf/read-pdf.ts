import { count, type DocumentLimits, limitNotes, type ReadDocument, Unreadable } from '../part.ts';
import { type BodyStyle, blocksOf, textOfBlocks } from './blocks.ts';
import { carryHeadings } from './headings.ts';
import { layOut, windowed } from './lay-out.ts';
import type { Line } from './lines.ts';
import { openPdf } from './open-pdf.ts';
import { withoutRunning } from './running.ts';
import { createScans } from './scans.ts';

/** Pages before and after a page that show which of its lines are headers and footers. */
const AROUND = 4;

const NO_TEXT =
  'This PDF has no text: its pages are empty or images, such as scans. Upload a version with text, for instance after optical character recognition (OCR), or ask the operator to switch on text recognition for documents (DOCUMENT_OCR).';
const NOTHING_RECOGNISED =
  'This PDF has no text, and none could be recognised on its pages: they are empty, or images that are too large, too coarse or damaged. Upload a version with text.';
const NO_PAGES = 'This PDF has no pages. Upload another file as a new document.';

/** Reads a PDF page by page; each page is a part. */
export async function* readPdf(file: Buffer, limits: DocumentLimits): ReturnType<ReadDocument> {
  const pdf = await openPdf(file);
  const found = Math.min(pdf.pages, limits.pages);
  if (found === 0) throw new Unreadable(NO_PAGES);
  const notes = pdf.pages > found ? [limitNotes.pages(found, pdf.pages)] : [];
  const scans = limits.recognition && createScans(limits.recognition);
  const styles = styleCounter();
  const carry = carryHeadings();
  const counts = { characters: 0, blank: 0, failed: 0 };
  for await (const next of windowed(layOut(pdf, found, scans, styles.add), AROUND)) {
    if (!next) {
      yield undefined;
      continue;
    }
    const { page, around } = next;
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
    const { note } = page;
    yield { id, place: id, texts, bytes: Buffer.byteLength(text), found, ...(note !== undefined && { note }) };
  }
  if (counts.blank === found) throw new Unreadable(scans ? NOTHING_RECOGNISED : NO_TEXT);
  if (scans && scans.leftOut > 0) notes.push(limitNotes.scans(scans.leftOut, limits.recognition!.pages));
  return [...notes, ...pageNotes(counts, found)];
}

function pageNotes({ blank, failed }: { blank: number; failed: number }, found: number): string[] {
  const share = (pages: number) => `${count(pages)} of the ${count(found)} pages`;
  return [
    ...(failed > 0 ? [`${share(failed)} could not be read: damaged, or too complex.`] : []),
    ...(blank > 0 ? [`${share(blank)} ${blank === 1 ? 'has' : 'have'} no text: empty, or images such as scans.`] : []),
  ];
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
