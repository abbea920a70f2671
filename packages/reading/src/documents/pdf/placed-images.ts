import { OPS } from 'unpdf/pdfjs';
import { type Matrix, multiply } from './matrix.ts';

/** The part of a page of pdf.js that is used here. */
export interface DrawnPage {
  getOperatorList(): Promise<{ fnArray: number[]; argsArray: unknown[] }>;
  readonly objs: ObjectStore;
  readonly commonObjs: ObjectStore;
}
interface ObjectStore {
  get(id: string, callback: (object: unknown) => void): unknown;
}

/** `bits`: eight pixels a byte, each row from a new byte, 1 is white. A `stencil` has the same, and paints black where 0. */
export type PixelFormat = 'bits' | 'rgb' | 'rgba' | 'stencil';

export interface Image {
  readonly width: number;
  readonly height: number;
  readonly format: PixelFormat;
  readonly data: Uint8Array;
}

/** An image on a page. */
export interface PlacedImage {
  readonly width: number;
  readonly height: number;
  /** Maps the unit square, whose bottom left corner is the image's, to the page. */
  readonly matrix: Matrix;
  /** Undefined if it can't be decoded. */
  load(): Promise<Image | undefined>;
}

/** As pdf.js numbers them. */
const FORMATS: Record<number, PixelFormat> = { 1: 'bits', 2: 'rgb', 3: 'rgba' };
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0];
/** Nested graphics states; more is no page. */
const MAX_DEPTH = 1_000;

/** An image, or a stencil, as pdf.js gives it. */
interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly kind?: number;
  /** Its name, if the page uses it several times. */
  readonly data?: Uint8Array | string;
}

/** The images of a page in the order in which it draws them. */
export async function placedImages(page: DrawnPage): Promise<PlacedImage[]> {
  const { fnArray, argsArray } = await page.getOperatorList();
  const images: PlacedImage[] = [];
  const saved: Matrix[] = [];
  let matrix = IDENTITY;
  const save = () => {
    if (saved.length < MAX_DEPTH) saved.push(matrix);
  };
  const place = ({ width, height }: Pixels, load: PlacedImage['load']) => images.push({ width, height, matrix, load });
  for (const [i, operator] of fnArray.entries()) {
    const args = (argsArray[i] ?? []) as unknown[];
    switch (operator) {
      case OPS.save:
        save();
        break;
      case OPS.paintFormXObjectBegin:
        save();
        if (args[0]) matrix = multiply(matrix, args[0] as Matrix);
        break;
      case OPS.restore:
      case OPS.paintFormXObjectEnd:
        matrix = saved.pop() ?? matrix;
        break;
      case OPS.transform:
        matrix = multiply(matrix, args as number[]);
        break;
      case OPS.paintImageXObject: {
        const [id, width, height] = args as [string, number, number];
        place({ width, height }, async () => imageOf((await named(page, id)) as Pixels | null));
        break;
      }
      case OPS.paintInlineImageXObject:
        place(args[0] as Pixels, async () => imageOf(args[0] as Pixels));
        break;
      case OPS.paintImageMaskXObject:
        place(args[0] as Pixels, () => stencilOf(page, args[0] as Pixels));
        break;
    }
  }
  return images;
}

const named = (page: DrawnPage, id: string): Promise<unknown> =>
  new Promise((resolve) => (id.startsWith('g_') ? page.commonObjs : page.objs).get(id, resolve));

function imageOf(pixels: Pixels | null): Image | undefined {
  const format = FORMATS[pixels?.kind ?? 0];
  if (!pixels || !format || !isBytes(pixels.data)) return undefined;
  return { width: pixels.width, height: pixels.height, format, data: pixels.data };
}

const isBytes = (data: Pixels['data']): data is Uint8Array => ArrayBuffer.isView(data);

async function stencilOf(page: DrawnPage, pixels: Pixels): Promise<Image | undefined> {
  const whole = typeof pixels.data === 'string' ? ((await named(page, pixels.data)) as Pixels | null) : pixels;
  const image = imageOf(whole && { ...whole, kind: 1 });
  return image && { ...image, format: 'stencil' };
}
