import { expect, test } from '@jest/globals';
import { drawImages } from './draw-images.ts';
import type { Matrix } from './matrix.ts';
import type { Image, PlacedImage } from './placed-images.ts';

/** A page of two by two points, drawn with the origin at its bottom left. */
const PAGE = { width: 2, height: 2, transform: [1, 0, 0, -1, 0, 2] };
const WHOLE: Matrix = [2, 0, 0, 2, 0, 0];

const placed = (image: Image, matrix = WHOLE): PlacedImage => ({ ...image, matrix, load: async () => image });

/** The rows of a page that draws the images. */
async function drawn(...images: PlacedImage[]): Promise<number[][]> {
  const { width, pixels } = (await drawImages(images, PAGE))!;
  return Array.from({ length: pixels.length / width }, (_, row) => [
    ...pixels.subarray(row * width, (row + 1) * width),
  ]);
}

const pixels = (width: number, format: Image['format'], ...data: number[]): Image => {
  const size = { bits: 1 / 8, stencil: 1 / 8, rgb: 3, rgba: 4 }[format];
  return { width, height: Math.round(data.length / Math.ceil(width * size)), format, data: Uint8Array.from(data) };
};
const BLACK_AND_WHITE = pixels(2, 'bits', 0b0100_0000, 0b1100_0000);

test('an image of any format is drawn in grey, its first row at the top', async () => {
  expect(await drawn(placed(BLACK_AND_WHITE))).toEqual([
    [0, 255],
    [255, 255],
  ]);
  const rgb = pixels(2, 'rgb', 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 255);
  expect(await drawn(placed(rgb))).toEqual([
    [0, 255],
    [76, 28],
  ]);
});

test('what is transparent in an image or a stencil leaves what was drawn before', async () => {
  const stencil = pixels(2, 'stencil', 0b1000_0000, 0b1100_0000);
  const grey = pixels(1, 'rgb', 100, 100, 100);
  expect(await drawn(placed(grey), placed(stencil))).toEqual([
    [100, 0],
    [100, 100],
  ]);
  const rgba = pixels(2, 'rgba', 9, 9, 9, 255, 9, 9, 9, 0, 9, 9, 9, 0, 9, 9, 9, 255);
  expect(await drawn(placed(grey), placed(rgba))).toEqual([
    [9, 100],
    [100, 9],
  ]);
});

test('a turned image and the strips of a page stand where the page draws them', async () => {
  expect(await drawn(placed(BLACK_AND_WHITE, [0, 2, -2, 0, 2, 0]))).toEqual([
    [255, 255],
    [0, 255],
  ]);
  const strip = pixels(2, 'bits', 0b0100_0000);
  expect(await drawn(placed(strip, [2, 0, 0, 1, 0, 0]))).toEqual([
    [255, 255],
    [0, 255],
  ]);
});

test('a fine scan is drawn with 300 dots per inch, each the average of what it covers', async () => {
  const side = Math.round((600 / 72) * 72);
  const checked = pixels(side, 'bits', ...Array.from({ length: (side * side) / 8 }, () => 0b0101_0101));
  const page = { width: 72, height: 72, transform: [1, 0, 0, -1, 0, 72] };
  const image = (await drawImages([placed(checked, [72, 0, 0, 72, 0, 0])], page))!;
  expect(image).toMatchObject({ width: 300, height: 300, dotsPerInch: 300 });
  expect(new Set(image.pixels)).toEqual(new Set([127]));
});

test('a page of any size and an image of any number of pixels are drawn on at most 20 million pixels', async () => {
  const page = { width: 14_400, height: 14_400, transform: [1, 0, 0, -1, 0, 14_400] };
  const huge = { ...placed(BLACK_AND_WHITE, [1, 0, 0, 1, 0, 0]), width: 1_000_000, height: 1_000_000 };
  const { width, height } = (await drawImages([huge], page))!;
  expect(width * height).toBeLessThanOrEqual(20_000_000);
});

test('a page draws no more images than the layers and strips of a scan', async () => {
  let loaded = 0;
  const counted = {
    ...placed(BLACK_AND_WHITE),
    async load() {
      loaded++;
      return BLACK_AND_WHITE;
    },
  };
  await drawImages(
    Array.from({ length: 100_000 }, () => counted),
    PAGE,
  );
  expect(loaded).toBeLessThan(5_000);
});

test.each([
  ['no image', []],
  ['an image that can not be decoded', [{ ...placed(BLACK_AND_WHITE), load: async () => undefined }]],
  ['an image without an area', [placed(BLACK_AND_WHITE, [0, 0, 0, 0, 0, 0])]],
  ['an image in no place', [placed(BLACK_AND_WHITE, [Number.NaN, 0, 0, 1, 0, 0])]],
])('%s is no scan', async (_, images) => {
  expect(await drawImages(images, PAGE)).toBeUndefined();
});
