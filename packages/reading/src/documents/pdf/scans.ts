import type { RecognitionLimits } from '../part.ts';
import { createRecogniser, TooSlow, type Word } from '../recognition/recogniser.ts';
import type { Item } from './lines.ts';
import type { Matrix } from './matrix.ts';
import type { OpenPdf } from './open-pdf.ts';

/** The text of a scanned page in the form of a text that a PDF has; or why there is none, as a sentence. */
export type ScannedPage =
  | { readonly items: readonly Item[]; readonly transform: Matrix }
  | { readonly failure: string }
  | { readonly note: string };

export interface Scans {
  /** Reads the images of a page. @param number from 1. */
  read(pdf: OpenPdf, number: number): Promise<ScannedPage>;
  /** Pages that were not looked at, because the document has more scans than it may. */
  readonly leftOut: number;
}

const FONT = 'recognised';
/** Sizes this close to the page's most usual one are the same: recognition measures each line. */
const SAME_SIZE = 0.1;
const NO_IMAGE =
  'It has no text, and no image in which text could be recognised: none at all, or too large a one, or one that can’t be read.';
const NO_WORDS = 'It has no text, and none could be recognised in its images.';
const FAILED = 'The text in the images of this page could not be recognised.';

/** Text recognition on the pages of one document. */
export function createScans(limits: RecognitionLimits): Scans {
  const recogniser = createRecogniser(limits);
  const seconds = Math.round(limits.pageMs / 1_000);
  const tooSlow = `Recognising the text of this page takes longer than ${seconds} seconds (DOCUMENT_OCR_PAGE_SECONDS).`;
  let read = 0;
  let leftOut = 0;
  return {
    get leftOut() {
      return leftOut;
    },
    async read(pdf, number) {
      if (read >= limits.pages) {
        leftOut++;
        return { note: `It has no text, and comes after ${limits.pages} scanned pages (DOCUMENT_OCR_MAX_PAGES).` };
      }
      try {
        const image = await pdf.image(number);
        if (!image) return { note: NO_IMAGE };
        read++;
        const words = await recogniser.words(image);
        return words.length > 0 ? pageOf(words, image.dotsPerInch / 72) : { note: NO_WORDS };
      } catch (error) {
        return { failure: error instanceof TooSlow ? tooSlow : FAILED };
      }
    },
  };
}

/** @param scale pixels a point. */
function pageOf(words: readonly Word[], scale: number): ScannedPage {
  const usual = usualSize(words);
  const items = words.map(({ text, x0, x1, baseline, size }): Item => {
    const tidy = Math.abs(size - usual) <= SAME_SIZE * usual ? usual : size;
    const transform = [tidy / scale, 0, 0, tidy / scale, x0 / scale, baseline / scale];
    return { str: `${text} `, dir: 'ltr', width: (x1 - x0) / scale, transform, fontName: FONT };
  });
  return { items, transform: [1, 0, 0, 1, 0, 0] };
}

/** The size that most words have, or are close to: the median. */
const usualSize = (words: readonly Word[]): number =>
  words.map(({ size }) => size).sort((a, b) => a - b)[words.length >> 1]!;
