import { constants, deflateRawSync, deflateSync } from 'node:zlib';
import { writePdf } from './write-pdf.ts';
import { writeZip } from './write-zip.ts';

export interface HostileDocument {
  readonly what: string;
  readonly type: string;
  readonly file: () => Buffer;
  /** The owner's error. */
  readonly sentence: RegExp;
}

const PDF = 'application/pdf';
const WORD = 'application/msword';
const MIB = 1024 * 1024;

/** Raw deflate of a block, as often as wanted: a gigabyte takes a megabyte. */
function deflatedOften(block: Buffer, times: number): Buffer {
  const part = deflateRawSync(block, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
  return Buffer.concat([...Array.from({ length: times }, () => part), Buffer.from([3, 0])]);
}
const zlibWrapped = (raw: Buffer): Buffer => Buffer.concat([Buffer.from([0x78, 0x9c]), raw, Buffer.alloc(4)]);

/** A PDF of the given objects, without a cross-reference table: readers rebuild it. */
const objects = (...bodies: (string | Buffer)[]): Buffer =>
  Buffer.concat([
    Buffer.from('%PDF-1.4\n'),
    ...bodies.flatMap((body, i) => [Buffer.from(`${i + 1} 0 obj`), Buffer.from(body), Buffer.from(' endobj\n')]),
    Buffer.from('trailer<</Root 1 0 R>>\n%%EOF\n'),
  ]);
const CATALOG = '<</Type/Catalog/Pages 2 0 R>>';
const stream = (dictionary: string, content: Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(`<<${dictionary}/Length ${content.length}>>stream\n`),
    content,
    Buffer.from('\nendstream'),
  ]);

const documentXml = (body: string): string =>
  `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;

/** A compound file whose table says that a sector follows itself. */
function loopingCompoundFile(): Buffer {
  const file = Buffer.alloc(4 * 512, 0xff);
  file.fill(0, 0, 0x4c);
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(file);
  file.writeUInt16LE(9, 0x1e);
  file.writeUInt16LE(6, 0x20);
  file.writeUInt32LE(1, 0x2c);
  file.writeUInt32LE(1, 0x30);
  file.writeUInt32LE(4096, 0x38);
  file.writeUInt32LE(0xfffffffe, 0x3c);
  file.writeUInt32LE(0xfffffffe, 0x44);
  file.writeUInt32LE(0, 0x4c);
  file.writeUInt32LE(1, 512 + 4);
  return file;
}

/** Documents that break parsers: bombs, loops, floods and lies. Each must fail alone, with a sentence. */
export const HOSTILE: readonly HostileDocument[] = [
  {
    what: 'a PDF page that unpacks to gigabytes',
    type: PDF,
    file: () =>
      objects(
        CATALOG,
        '<</Type/Pages/Kids[3 0 R]/Count 1>>',
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>',
        stream(
          '/Filter[/FlateDecode/FlateDecode]',
          deflateSync(zlibWrapped(deflatedOften(Buffer.alloc(16 * MIB, ' '), 200))),
        ),
      ),
    sentence: /memory|takes longer/,
  },
  {
    what: 'a PDF page with millions of operators',
    type: PDF,
    file: () => writePdf([{ content: Buffer.alloc(48 * MIB, 'BT /F1 9 Tf (a) Tj ET\n') }]),
    sentence: /pieces of text|memory|takes longer/,
  },
  {
    what: 'a PDF whose pages contain themselves',
    type: PDF,
    file: () => objects(CATALOG, '<</Type/Pages/Kids[2 0 R]/Count 9>>'),
    sentence: /no text/,
  },
  {
    what: 'a PDF with a million objects',
    type: PDF,
    file: () =>
      objects(CATALOG, `${Array.from({ length: 1_000_000 }, (_, i) => `<<>> endobj\n${i + 3} 0 obj`).join('')}<<>>`),
    sentence: /no text|damaged|memory/,
  },
  {
    what: 'a PDF with arrays nested a million deep',
    type: PDF,
    file: () => objects(CATALOG, `<</Type/Pages/Kids${'['.repeat(1_000_000)}`),
    sentence: /damaged|memory|takes longer/,
  },
  {
    what: 'a PDF that claims billions of pages',
    type: PDF,
    file: () => objects(CATALOG, '<</Type/Pages/Kids[]/Count 2147483647>>'),
    sentence: /no pages/,
  },
  {
    what: 'a PDF cut off in the middle',
    type: PDF,
    file: () => writePdf([['One'], ['Two']]).subarray(0, 60),
    sentence: /damaged/,
  },
  {
    what: 'a .docx that unpacks to a gigabyte',
    type: WORD,
    file: () =>
      writeZip([
        {
          name: 'word/document.xml',
          content: '',
          deflated: deflatedOften(Buffer.from(documentXml('<w:p/>'.repeat(100_000))), 500),
          declaredBytes: 200 * MIB,
        },
      ]),
    sentence: /unpacks/,
  },
  {
    what: 'a .docx that lies about its size',
    type: WORD,
    file: () =>
      writeZip([
        {
          name: 'word/document.xml',
          content: '',
          deflated: deflatedOften(Buffer.alloc(16 * MIB, ' '), 200),
          declaredBytes: 1_000,
        },
      ]),
    sentence: /damaged/,
  },
  {
    what: 'a .docx with elements nested too deep',
    type: WORD,
    file: () => writeZip([{ name: 'word/document.xml', content: documentXml('<w:p>'.repeat(20_000)) }]),
    sentence: /damaged/,
  },
  { what: 'a .doc whose sectors loop', type: WORD, file: loopingCompoundFile, sentence: /damaged/ },
  {
    what: 'a CSV file with a quotation mark that is never closed',
    type: 'text/csv',
    file: () => Buffer.from(`name,text\na,"${'b,c\n'.repeat(1_000_000)}`),
    sentence: /quotation mark/,
  },
];
