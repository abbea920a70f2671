import { getDocument, VerbosityLevel } from 'unpdf/pdfjs';
import { count, Unreadable } from '../part.ts';
import type { GreyImage } from '../recognition/recogniser.ts';
import { drawImages } from './draw-images.ts';
import type { Item } from './lines.ts';
import { placedImages } from './placed-images.ts';

const ENCRYPTED = 'This PDF is protected by a password. Upload a version without one.';
const DAMAGED =
  'This PDF is damaged and can’t be read. Open it, save it again, and upload that file as a new document.';
/** Items of one page; more is no text that anyone reads. */
const MAX_ITEMS = 200_000;
/** Larger images are not decoded: an A4 page scanned with 600 dots per inch has 35 million pixels. */
const MAX_IMAGE_PIXELS = 40_000_000;
/** Shared fonts and images are dropped after this many pages. */
const CLEAN_UP = 50;

export type PageContent =
  | { readonly items: readonly Item[]; readonly transform: readonly number[]; readonly height: number }
  | { readonly failure: string };

export interface OpenPdf {
  readonly pages: number;
  /** @param number from 1. */
  page(number: number): Promise<PageContent>;
  /** Returns what the page shows of images; undefined if there are none, or none that can be read. @param number from 1. */
  image(number: number): Promise<GreyImage | undefined>;
}

/** @throws Unreadable if it needs a password or is damaged. */
export async function openPdf(file: Buffer): Promise<OpenPdf> {
  const document = await open(file);
  return {
    pages: document.numPages,
    async page(number) {
      try {
        const page = await document.getPage(number);
        const { transform, height } = page.getViewport({ scale: 1 });
        const items = await itemsOf(page.streamTextContent() as ReadableStream);
        page.cleanup();
        if (number % CLEAN_UP === 0) await document.cleanup();
        return items
          ? { items, transform, height }
          : { failure: `The page has more than ${count(MAX_ITEMS)} pieces of text.` };
      } catch {
        return { failure: 'The page is damaged and can’t be read.' };
      }
    },
    async image(number) {
      const page = await document.getPage(number);
      const { transform, width, height } = page.getViewport({ scale: 1 });
      const image = await drawImages(await placedImages(page), { transform, width, height });
      page.cleanup();
      return image;
    },
  };
}

async function open(file: Buffer) {
  try {
    return await getDocument({
      data: new Uint8Array(file.buffer, file.byteOffset, file.length),
      verbosity: VerbosityLevel.ERRORS,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      useWasm: false,
      isOffscreenCanvasSupported: false,
      isImageDecoderSupported: false,
      maxImageSize: MAX_IMAGE_PIXELS,
      enableXfa: false,
      stopAtErrors: false,
    }).promise;
  } catch (error) {
    throw new Unreadable((error as Error).name === 'PasswordException' ? ENCRYPTED : DAMAGED);
  }
}

/** The pieces of text of a page; undefined if there are too many. */
async function itemsOf(stream: ReadableStream<{ items: (Item | { type: string })[] }>): Promise<Item[] | undefined> {
  const items: Item[] = [];
  const reader = stream.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    for (const item of next.value.items) if ('str' in item) items.push(item);
    if (items.length <= MAX_ITEMS) continue;
    await reader.cancel(new Error('too many items')).catch(() => {});
    return undefined;
  }
  return items;
}
