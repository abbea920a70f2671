import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { checkFile, type FileType } from './file-type.ts';

const TYPES: FileType[] = ['application/pdf', 'application/msword', 'text/plain', 'text/csv'];

/** The types that a file passes for. */
async function passesFor(content: string | Uint8Array, partBytes = 65_536): Promise<FileType[]> {
  const bytes = Buffer.from(content as string, 'latin1');
  async function* dependencies() {
    for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes);
  }
  const passed: FileType[] = [];
  for (const type of TYPES)
    await checkFile(type, dependencies()).then(
      () => passed.push(type),
      (error) => expect(error).toMatchObject({ code: 'failed_precondition', message: expect.stringMatching(/\.$/) }),
    );
  return passed;
}

const OLE = '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1';
const TEXT = ['text/plain', 'text/csv'];
const filler = 'x'.repeat(5_000);

const ROWS: [what: string, content: string, types: string[]][] = [
  ['empty', '', []],
  ['a PDF', `%PDF-1.7\n\0${filler}`, ['application/pdf']],
  ['a short PDF', '%PDF-', ['application/pdf']],
  ['a PDF after a mark and a line', '\xef\xbb\xbf\r\n%PDF-1.4', ['application/pdf', ...TEXT]],
  ['the beginning of a PDF', '%PDF', TEXT],
  ['text about PDFs', 'The magic is %PDF-', TEXT],
  ['an old Word document', `${OLE}\0\0${filler}`, ['application/msword']],
  ['a new Word document', `PK\x03\x04\0\0${filler}`, ['application/msword']],
  ['text', 'a;b\r\n\xe4;2\n', TEXT],
  ['text in UTF-8 with a mark', '\xef\xbb\xbfname', TEXT],
  ['text in UTF-16LE', '\xff\xfea\0b\0', TEXT],
  ['text in UTF-16BE', '\xfe\xff\0a\0b', TEXT],
  ['text in UTF-32BE', '\0\0\xfe\xff\0\0\0a', TEXT],
  ['text in UTF-16 without a mark', 'a\0b\0', []],
  ['a NUL at the beginning', '\0text', []],
  ['a NUL in the first part', `text${filler}\0`, []],
  ['a late NUL', `${'x'.repeat(200_000)}\0`, []],
  ['an image', '\x89PNG\r\n', []],
  ['a GIF', 'GIF89a', []],
  ['an archive', '\x1f\x8b\x08', []],
  ['rich text', '{\\rtf1 text}', []],
  ['a program', '\x7fELF\x02', []],
];

test.each(ROWS)('%s', async (_what, content, types) => {
  expect(await passesFor(content)).toEqual(types);
  // However the bytes arrive.
  if (content.length < 10_000) expect(await passesFor(content, 1)).toEqual(types);
});

test('text passes and text with a NUL does not, wherever it is and however the dependencies are cut', async () => {
  const line = fc.stringMatching(/^[a-z ,;]{0,40}\n$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(line, { minLength: 1 }),
      fc.nat(),
      fc.integer({ min: 1, max: 3_000 }),
      async (lines, at, cut) => {
        const text = lines.join('').repeat(50);
        expect(await passesFor(text, cut)).toEqual(TEXT);
        const place = at % (text.length + 1);
        expect(await passesFor(`${text.slice(0, place)}\0${text.slice(place)}`, cut)).toEqual([]);
      },
    ),
    { numRuns: 30 },
  );
});

test('no more of a file is read than its type takes', async () => {
  let read = 0;
  async function* endless() {
    for (;;) {
      read += 1;
      yield Buffer.from(`%PDF-1.7 ${filler}`);
    }
  }
  await checkFile('application/pdf', endless());
  await expect(checkFile('text/plain', endless())).rejects.toMatchObject({ code: 'failed_precondition' });
  expect(read).toBe(2);
});
