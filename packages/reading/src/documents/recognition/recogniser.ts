import { readFile } from 'node:fs/promises';
import { gunzipSync } from 'node:zlib';
import type { Core, TessBaseAPI } from 'tesseract.js-core/tesseract-core-simd-lstm.js';
import type { RecognitionLimits } from '../part.ts';
import { modelFile } from './languages.ts';

/** Tesseract's neural network, without its old engine. */
const LSTM_ONLY = 1;
/** Finds columns and paragraphs, and takes the page to be upright. */
const AUTOMATIC_LAYOUT = 3;
/** Confidence out of 100. What Tesseract sees in pictures and specks has less. */
const LEAST_CONFIDENCE = 30;
/** The module is started anew after this many pages: its memory never shrinks. */
const RENEW_PAGES = 50;

/** Rows of pixels from the top, one byte each: 0 is black. */
export interface GreyImage {
  readonly width: number;
  readonly height: number;
  readonly dotsPerInch: number;
  readonly pixels: Uint8Array;
}

/** Positions are in pixels, from the top left corner. */
export interface Word {
  readonly text: string;
  readonly x0: number;
  readonly x1: number;
  /** The baseline of its line. */
  readonly baseline: number;
  /** Height of its line's letters, from descenders to ascenders. */
  readonly size: number;
}

export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

export interface Recogniser {
  /**
   * The words of an image, in reading order.
   *
   * @throws TooSlow after the time for a page. Only between words: a layout that takes long is up to the process's own limit.
   */
  words(image: GreyImage): Promise<Word[]>;
}

/** The parts of Tesseract's description of a page that matter here. */
interface RecognisedPage {
  readonly blocks: readonly { readonly paragraphs: readonly { readonly lines: readonly RecognisedLine[] }[] | null }[];
}
interface RecognisedLine {
  readonly rowAttributes: { readonly rowHeight: number };
  readonly baseline: { readonly y0: number; readonly y1: number };
  readonly words: readonly {
    readonly text: string;
    readonly confidence: number;
    readonly bbox: { readonly x0: number; readonly x1: number };
  }[];
}

interface Engine {
  readonly core: Core;
  readonly api: TessBaseAPI;
}

/** Optical character recognition in this thread, which it blocks, by WebAssembly that reads only what it is given. */
export function createRecogniser({ languages, pageMs }: Pick<RecognitionLimits, 'languages' | 'pageMs'>): Recogniser {
  let engine: Engine | undefined;
  let pages = 0;
  let endsAt = Infinity;
  const checkTime = () => {
    if (performance.now() > endsAt) throw new TooSlow();
  };
  return {
    async words(image) {
      endsAt = performance.now() + pageMs;
      if (pages++ % RENEW_PAGES === 0) engine = undefined;
      engine ??= await start(languages, checkTime);
      try {
        return recognise(engine, image);
      } catch (error) {
        // It was left in the middle of its work.
        engine = undefined;
        throw error;
      }
    },
  };
}

async function start(languages: readonly string[], checkTime: () => void): Promise<Engine> {
  const { default: createCore } = await import('tesseract.js-core/tesseract-core-simd-lstm.js');
  const core = await createCore({ TesseractProgress: checkTime, print() {}, printErr() {} });
  for (const language of languages)
    core.FS.writeFile(`${language}.traineddata`, gunzipSync(await readFile(modelFile(language))));
  const api = new core.TessBaseAPI();
  if (api.Init(null, languages.join('+'), LSTM_ONLY) !== 0) throw new Error('Tesseract did not start.');
  api.SetPageSegMode(AUTOMATIC_LAYOUT);
  return { core, api };
}

function recognise({ core, api }: Engine, { width, height, dotsPerInch, pixels }: GreyImage): Word[] {
  // A portable graymap.
  core.FS.writeFile('/input', Buffer.concat([Buffer.from(`P5\n${width} ${height}\n255\n`), pixels]));
  if (api.SetImageFile(1, 0, 1) !== 0) throw new Error('Tesseract did not accept the image.');
  api.SetSourceResolution(dotsPerInch);
  if (api.Recognize(null) !== 0) throw new Error('Tesseract could not read the image.');
  const page = JSON.parse(api.GetJSONText()) as RecognisedPage;
  api.Clear();
  const lines = page.blocks.flatMap(({ paragraphs }) => paragraphs ?? []).flatMap((paragraph) => paragraph.lines);
  return lines.flatMap(wordsOf);
}

const wordsOf = ({ rowAttributes, baseline, words }: RecognisedLine): Word[] =>
  words
    .filter(({ confidence }) => confidence >= LEAST_CONFIDENCE)
    .map(({ text, bbox }) => ({
      text,
      x0: bbox.x0,
      x1: bbox.x1,
      baseline: (baseline.y0 + baseline.y1) / 2,
      size: rowAttributes.rowHeight,
    }));
