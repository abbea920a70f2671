import type { GreyImage } from '../recognition/recogniser.ts';
import { inverse, type Matrix, multiply } from './matrix.ts';
import type { Image, PlacedImage } from './placed-images.ts';

const POINTS_PER_INCH = 72;
/** More makes recognition slower, not better. */
const MAX_DOTS_PER_INCH = 300;
/** An A3 page at 300 dots per inch has 17 million. */
const MAX_PIXELS = 20_000_000;
/** Samples read for one page, which takes a few seconds. No scan's layers and strips have as many. */
const MAX_SAMPLES = 400_000_000;
/** Counted for each image, however small. */
const SAMPLES_OF_ANY = 100_000;
/** For one pixel of the result, in each direction. */
const MAX_SAMPLED = 4;
const WHITE = 255;
const TRANSPARENT = -1;

/** A page in points. */
export interface PageSize {
  readonly width: number;
  readonly height: number;
  /** Maps the coordinates in which the page draws to points from its top left corner. */
  readonly transform: Matrix;
}

/**
 * The images of a page in grey, as it draws them, with the resolution of the finest one, at most 300 dots per inch. Undefined
 * if none can be drawn.
 */
export async function drawImages(images: readonly PlacedImage[], page: PageSize): Promise<GreyImage | undefined> {
  const finest = images.reduce((most, image) => Math.max(most, resolutionOf(image)), 0);
  const fitting = Math.sqrt(MAX_PIXELS / (page.width * page.height));
  const scale = Math.min(finest, MAX_DOTS_PER_INCH / POINTS_PER_INCH, fitting);
  const [width, height] = [Math.floor(page.width * scale), Math.floor(page.height * scale)];
  if (!(width > 0 && height > 0)) return undefined;
  const grey = {
    width,
    height,
    dotsPerInch: Math.round(scale * POINTS_PER_INCH),
    pixels: new Uint8Array(width * height),
  };
  grey.pixels.fill(WHITE);
  let samples = 0;
  let isDrawn = false;
  for (const placed of images) {
    const matrix = multiply(multiply([scale, 0, 0, scale, 0, 0], page.transform), placed.matrix);
    const area = areaOf(matrix, grey);
    const sampled = Math.min(MAX_SAMPLED, Math.max(1, Math.round(resolutionOf(placed) / scale)));
    samples += (area.x1 - area.x0) * (area.y1 - area.y0) * sampled ** 2 + SAMPLES_OF_ANY;
    if (samples > MAX_SAMPLES) break;
    const image = await placed.load();
    if (image) isDrawn = draw(image, matrix, area, sampled, grey) || isDrawn;
  }
  return isDrawn ? grey : undefined;
}

/** Pixels a point. */
function resolutionOf({ width, height, matrix: [a, b, c, d] }: PlacedImage): number {
  const resolution = Math.max(width / Math.hypot(a!, b!), height / Math.hypot(c!, d!));
  return Number.isFinite(resolution) ? resolution : 0;
}

interface Area {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** The pixels in which an image stands. */
function areaOf(matrix: Matrix, { width, height }: GreyImage): Area {
  const [a, b, c, d, e, f] = matrix as [number, number, number, number, number, number];
  const [left, right] = extent(e, a, c);
  const [top, bottom] = extent(f, b, d);
  const within = (value: number, most: number) => Math.min(most, Math.max(0, value)) || 0;
  return {
    x0: within(Math.floor(left), width),
    x1: within(Math.ceil(right), width),
    y0: within(Math.floor(top), height),
    y1: within(Math.ceil(bottom), height),
  };
}

const extent = (from: number, one: number, other: number): [number, number] => [
  from + Math.min(0, one) + Math.min(0, other),
  from + Math.max(0, one) + Math.max(0, other),
];

/** Each pixel of the area becomes the average of the image's pixels below it. */
function draw(image: Image, matrix: Matrix, area: Area, sampled: number, { width, pixels }: GreyImage): boolean {
  // Of pixels of the page to those of the image, whose rows run down.
  const back = inverse(multiply(matrix, [1 / image.width, 0, 0, -1 / image.height, 0, 1]));
  if (!back) return false;
  const [a, b, c, d, e, f] = back as [number, number, number, number, number, number];
  const greyAt = GREY[image.format];
  const samples = sampled * sampled;
  for (let y = area.y0; y < area.y1; y++)
    for (let x = area.x0; x < area.x1; x++) {
      const at = y * width + x;
      const behind = pixels[at]!;
      let sum = 0;
      for (let v = y + 0.5 / sampled; v < y + 1; v += 1 / sampled)
        for (let u = x + 0.5 / sampled; u < x + 1; u += 1 / sampled) {
          const column = a * u + c * v + e;
          const row = b * u + d * v + f;
          const isInside = column >= 0 && row >= 0 && column < image.width && row < image.height;
          const grey = isInside ? greyAt(image, column | 0, row | 0) : TRANSPARENT;
          sum += grey === TRANSPARENT ? behind : grey;
        }
      pixels[at] = sum / samples;
    }
  return true;
}

const isSet = ({ data, width }: Image, column: number, row: number): boolean =>
  (data[row * ((width + 7) >> 3) + (column >> 3)]! & (0x80 >> (column & 7))) !== 0;
const luminance = (data: Uint8Array, at: number): number =>
  (77 * data[at]! + 150 * data[at + 1]! + 29 * data[at + 2]!) >> 8;

/** The grey of a pixel in each format. */
const GREY: Record<Image['format'], (image: Image, column: number, row: number) => number> = {
  bits: (image, column, row) => (isSet(image, column, row) ? WHITE : 0),
  stencil: (image, column, row) => (isSet(image, column, row) ? TRANSPARENT : 0),
  rgb: ({ data, width }, column, row) => luminance(data, 3 * (row * width + column)),
  rgba({ data, width }, column, row) {
    const at = 4 * (row * width + column);
    return data[at + 3]! < 128 ? TRANSPARENT : luminance(data, at);
  },
};
