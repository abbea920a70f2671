import { Readable } from 'node:stream';
import { deflateSync } from 'node:zlib';
import { afterAll, expect, test } from '@jest/globals';
import type { DocumentPart, RecognitionLimits } from '@parley/reading/documents';
import { sample, type WrittenImage, writePdf } from '@parley/reading/testing';
import { readEnv } from '@parley/runtime';
import { readConfig } from '../config.ts';
import { createReaders } from './readers.ts';

const readers = createReaders();
afterAll(() => readers.close());

/** Reads a PDF in a reader process. */
async function read(file: Buffer, limits: Partial<RecognitionLimits> = {}) {
  const recognition = { languages: ['eng'], pages: 10, pageMs: 240_000, ...limits };
  const document = {
    body: Readable.from([file]),
    bytes: file.length,
    type: 'application/pdf',
    limits: { pages: 5_000, rows: 1, characters: 1_000_000, recognition },
  };
  const parts: DocumentPart[] = [];
  for await (const batch of readers.document(document, new AbortController().signal)) {
    parts.push(...batch.parts);
    if (batch.refused !== undefined || batch.notes) return { parts, refused: batch.refused, notes: batch.notes };
  }
  throw new Error('The document did not end.');
}

const blank = (width: number, height: number): WrittenImage => ({
  dictionary: `/Width ${width}/Height ${height}/ColorSpace/DeviceGray/BitsPerComponent 1/Filter/FlateDecode`,
  data: deflateSync(Buffer.alloc(Math.ceil(width / 8) * height, 0xff)),
});

/** A JPEG whose header says that it is larger than its page says, and that ends there. */
const lyingJpeg: WrittenImage = {
  dictionary: '/Width 9/Height 9/ColorSpace/DeviceGray/BitsPerComponent 8/Filter/DCTDecode',
  data: Buffer.from('ffd8ffc0000b08ffdcffdc01011100ffd9', 'hex'),
};

test('a scanned page that takes too long fails alone, with a sentence', async () => {
  const scanned = await sample('part-scanned.pdf');
  const { parts, notes } = await read(scanned, { pageMs: 1 });
  expect(parts).toMatchObject([
    { place: 'page 1', texts: [{ text: expect.stringContaining('one sixteenth') }] },
    { place: 'page 2', texts: [], failure: expect.stringContaining('DOCUMENT_OCR_PAGE_SECONDS') },
  ]);
  expect(notes).toEqual([expect.stringMatching(/^1 of the 2 pages could not be read/)]);
});

test('text is recognised on as many pages as a document may have, and what is left out is said', async () => {
  const scans = Array.from({ length: 500 }, () => ({ image: blank(60, 60) }));
  const { parts, notes } = await read(writePdf([['Rye is sown in autumn.'], ...scans]), { pages: 2 });
  expect(parts.slice(1, 4).map(({ note }) => note)).toEqual([
    expect.stringContaining('none could be recognised'),
    expect.stringContaining('none could be recognised'),
    expect.stringContaining('DOCUMENT_OCR_MAX_PAGES'),
  ]);
  expect(notes).toEqual([
    expect.stringMatching(/^Text was recognised on 2 .* 498 more/),
    expect.stringMatching(/^500 of/),
  ]);
});

test('images of 30,000 by 30,000 pixels, or that say so in their own header, are not decoded', async () => {
  const { parts, refused } = await read(writePdf([{ image: blank(30_000, 30_000) }, { image: lyingJpeg }]));
  expect(parts.map(({ note }) => note)).toEqual(Array(2).fill(expect.stringContaining('too large')));
  expect(refused).toMatch(/none could be recognised.*too large/);
});

const settings = (DOCUMENT_OCR: string) =>
  readConfig(readEnv({ DOCUMENT_OCR, MONGODB_URI: 'mongodb://127.0.0.1:1', OBJECTS_DIR: '/tmp', EMBEDDINGS: 'none' }))
    .documentLimits.recognition;

test('text recognition is off unless its languages are set, each of which must be installed', () => {
  expect(settings('')).toBeUndefined();
  expect(settings('eng+deu')).toEqual({ languages: ['eng', 'deu'], pages: 200, pageMs: 60_000 });
  expect(() => settings('eng+xxx')).toThrow('DOCUMENT_OCR names xxx, for which the package @tesseract.js-data/xxx');
  for (const wrong of ['../eng', 'eng,deu', 'eng+deu+fra+spa+ita', 'eng+'])
    expect(() => settings(wrong)).toThrow('DOCUMENT_OCR must be one to 4 codes of languages');
});
