import { expect, test } from '@jest/globals';
import type { DocumentBatch } from '@parley/reading/documents';
import { ReadingFailed, type ReadingFailure } from '@parley/runtime/sandbox';
import type { Readers } from '../sandbox/readers.ts';
import { createPdfReader, isPdf } from './pdf.ts';
import { documentLimits } from './testing/test-site.ts';

const { signal } = new AbortController();

/** A reader of PDFs whose documents end as given, one after another. */
function reading(...ends: (ReadingFailure | DocumentBatch)[]) {
  const read: string[] = [];
  const readers: Pick<Readers, 'document'> = {
    async *document({ body }) {
      for await (const part of body) read.push(String(part));
      const end = ends.shift()!;
      if (typeof end === 'string') throw new ReadingFailed(end, 30_000);
      yield end;
    },
  };
  const pdfs = createPdfReader(readers as Readers, documentLimits);
  const outcome = (body: string) =>
    pdfs.read(Buffer.from(body), signal).catch((error: Error) => `${error.name}: ${error.message}`);
  return { read, outcome };
}

const part = (place: string, text: string) => ({
  id: place,
  place,
  texts: [{ id: place, place, text }],
  bytes: 1,
  found: 2,
});
const bad = { ...part('page 2', ''), texts: [], failure: 'This page is damaged.' };

test('the PDFs of a site are read one after another, each with its pages and what was left out', async () => {
  const batch = { parts: [part('page 1', 'One.'), bad], notes: ['1 of the 2 pages could not be read.'] };
  const { outcome, read } = reading(batch, { parts: [bad], notes: [] }, { parts: [], refused: 'It is encrypted.' });
  expect(await Promise.all(['a', 'b', 'c'].map(outcome))).toEqual([
    { pages: [{ place: 'page 1', text: 'One.' }], note: '1 of the 2 pages could not be read.' },
    'LoadError: No page of this PDF could be read. page 2: This page is damaged.',
    'LoadError: It is encrypted.',
  ]);
  expect(read).toEqual(['a', 'b', 'c']);
});

test('after three PDFs that took too long or too much memory, no more of that site are read; damaged ones do not count', async () => {
  const { outcome, read } = reading('error', 'time', 'error', 'memory', 'crash');
  expect(await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(outcome))).toEqual([
    expect.stringContaining('damaged'),
    expect.stringContaining('too complex'),
    expect.stringContaining('damaged'),
    expect.stringContaining('DOCUMENT_MEMORY_MIB'),
    expect.stringContaining('damaged'),
    expect.stringContaining('3 others of this site are too complex'),
  ]);
  expect(read).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test.each([
  ['application/pdf', true],
  [' Application/X-PDF; charset=binary', true],
  ['application/pdfx', false],
  ['text/html', false],
  [undefined, false],
])('a response of the type %s is a PDF: %s', (type, expected) => {
  expect(isPdf(type)).toBe(expected);
});
