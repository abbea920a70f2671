import { expect, test } from '@jest/globals';
import { readCsv } from './csv.ts';
import { type DocumentText, type ReadDocument, Unreadable } from './part.ts';
import { readPdf } from './pdf/read-pdf.ts';
import { sample } from './testing/sample.ts';
import { writePdf } from './testing/write-pdf.ts';
import { readText } from './text.ts';
import { readWord } from './word/read-word.ts';

const LIMITS = { pages: 5_000, rows: 50_000, characters: 20_000_000 };

async function textsOf(read: ReadDocument, file: Buffer): Promise<DocumentText[]> {
  const texts: DocumentText[] = [];
  for await (const part of read(file, LIMITS)) texts.push(...(part?.texts ?? []));
  return texts;
}
const wholeOf = async (read: ReadDocument, file: Buffer) =>
  (await textsOf(read, file)).map(({ text }) => text).join('\n\n');

test.each([
  ['libreoffice.doc', readWord],
  ['libreoffice.docx', readWord],
  ['libreoffice.pdf', readPdf],
  ['chromium.pdf', readPdf],
] as const)('%s keeps its headings, lists, tables and characters', async (name, read) => {
  const text = await wholeOf(read, await sample(name));
  expect(text).toContain('# Handbook of the water wheel');
  expect(text).toContain('## Care');
  expect(text).toContain('Tobias Müller says „gut“.');
  expect(text).toContain('Привет');
  expect(text).toMatch(/Clean the sluice\n(- )?Check the paddles/);
  expect(text).toMatch(/Honey( \|)? 12 crowns\nCandles( \|)? 7 crowns/);
  expect(text).not.toContain('example.org');
});

test('sections of a Word document are cited by their heading, and stand under those above it', async () => {
  for (const name of ['libreoffice.doc', 'libreoffice.docx']) {
    const texts = await textsOf(readWord, await sample(name));
    expect(texts.map(({ place }) => place)).toEqual(['Handbook of the water wheel', 'Care', 'Prices', 'Groups']);
    expect(texts[2]!.text).toMatch(/^# Handbook of the water wheel\n\n## Prices\n\nArticle \| Price\n/);
  }
});

test.each(['pdftex.pdf', 'ghostscript.pdf', 'owner-password.pdf'])(
  '%s is read column by column, its words are whole, and its page numbers are left out',
  async (name) => {
    const [first, second] = await textsOf(readPdf, await sample(name));
    expect(first!.text).toContain('ground coarsely in the first pass, and wheat is ground finely in the second pass;');
    expect(first!.text).toContain('every single morning before the neighbourhood awakes.');
    expect(first!.text.indexOf('2 Sieving')).toBeGreaterThan(first!.text.indexOf('1.1 Stones'));
    expect(second!.text).toMatch(/## 3 Accounts\n\nThe miller keeps one sixteenth as his toll\.$/);
  },
);

test.each([
  ['encrypted.pdf', readPdf, /password/],
  ['scanned.pdf', readPdf, /images, such as scans/],
] as const)('%s is refused', async (name, read, sentence) => {
  await expect(textsOf(read, await sample(name))).rejects.toThrow(sentence);
});

test('headers and footers are left out, and a page whose only text they resemble keeps it', async () => {
  const pages = Array.from({ length: 9 }, (_, i) => [
    { text: `The Book of Mills, volume 2, page ${i + 1}`, y: 30 },
    { text: `Sack ${i * 7} was weighed.`, y: 100 },
    { text: 'Ground in 1804', y: 820 },
  ]);
  const texts = await textsOf(readPdf, writePdf(pages));
  expect(texts.map(({ text }) => text)).toEqual(pages.map((_, i) => `Sack ${i * 7} was weighed.`));

  const alone = Array.from({ length: 9 }, (_, i) => [`The word of page ${i + 1}`]);
  expect((await textsOf(readPdf, writePdf(alone))).map(({ text }) => text)).toEqual(alone.map(([line]) => line));
});

test('columns that are drawn row by row are read one after the other', async () => {
  const row = (i: number) => [
    { text: `left ${i} is a line of some words here`, x: 60, y: 100 + 14 * i },
    { text: `right ${i} is a line of other words here`, x: 330, y: 100 + 14 * i },
  ];
  const [page] = await textsOf(readPdf, writePdf([Array.from({ length: 12 }, (_, i) => row(i)).flat()]));
  expect(page!.text.match(/left|right/g)).toEqual([...Array(12).fill('left'), ...Array(12).fill('right')]);
});

const russian = 'Музей открыт с десяти до шести часов. По вторникам вход бесплатный для всех посетителей.';
const windows1251 = Buffer.from(
  [...russian].map((character) => {
    const code = character.codePointAt(0)!;
    return code >= 0x410 && code <= 0x44f ? code - 0x350 : code;
  }),
);

test.each([
  ['UTF-8', Buffer.from(russian)],
  ['UTF-8 with a mark', Buffer.from(`\ufeff${russian}`)],
  ['UTF-16, little endian', Buffer.from(`\ufeff${russian}`, 'utf16le')],
  ['UTF-16, big endian', Buffer.from(`\ufeff${russian}`, 'utf16le').swap16()],
  [
    'UTF-32',
    Buffer.concat(
      [...`\ufeff${russian}`].map((character) => {
        const bytes = Buffer.alloc(4);
        bytes.writeUInt32LE(character.codePointAt(0)!);
        return bytes;
      }),
    ),
  ],
  ['Windows-1251', windows1251],
])('a text in %s is decoded', async (_, file) => {
  expect(await wholeOf(readText, file)).toBe(russian);
});

test('a long text is cited by its lines, and each part stands under its heading', async () => {
  const body = Array.from({ length: 120 }, (_, i) => `Line ${i} says that rye is sown in autumn and cut in summer.`);
  const texts = await textsOf(
    readText,
    Buffer.from(['1. Sowing', '', ...body, '', 'CARE', '====', '', 'Grease it.'].join('\r\n')),
  );
  expect(texts.length).toBeGreaterThan(2);
  expect(texts[0]!.place).toMatch(/^lines 1–\d+$/);
  expect(texts[1]!.text).toMatch(/^## 1\. Sowing\n\nLine /);
  expect(texts.at(-1)!.text).toBe('# CARE\n\nGrease it.');
});

test.each([
  ['commas', 'name,price\n"Tea, green",4\nCake,7\n'],
  ['semicolons', 'name;price\nTea, green;4\nCake;7\n'],
  ['tabs', 'name\tprice\r\nTea, green\t4\r\nCake\t7'],
  ['pipes', 'name|price\nTea, green|4\nCake|7\n'],
  ['a declaration', 'sep=|\nname|price\nTea, green|4\nCake|7\n'],
  ['single quotes', "'name','price'\n'Tea, green','4'\n'Cake','7'\n"],
  ['a title above the header', 'Prices of 2026\n\nname;price\nTea, green;4\nCake;7\n'],
])('rows of a CSV file with %s stand beside the names of their columns', async (_, file) => {
  const texts = await textsOf(readCsv, Buffer.from(file));
  expect(texts.map(({ text }) => text)).toEqual(
    expect.arrayContaining(['name: Tea, green; price: 4', 'name: Cake; price: 7']),
  );
});

test('rows are numbered as in a spreadsheet, and a table without names is read without', async () => {
  const places = async (file: string) =>
    (await textsOf(readCsv, Buffer.from(file))).map(({ place, text }) => [place, text]);
  expect(await places('name,price\nTea,4\n\nCake,7\n')).toEqual([
    ['row 2', 'name: Tea; price: 4'],
    ['row 4', 'name: Cake; price: 7'],
  ]);
  expect(await places('Tea,4\nCake,7\n')).toEqual([
    ['row 1', 'Tea; 4'],
    ['row 2', 'Cake; 7'],
  ]);
});

test.each([
  ['a text of blanks', readText, ' \n\t\n'],
  ['a table of blanks', readCsv, ',,\n,,\n'],
] as const)('%s is refused', async (_, read, file) => {
  await expect(textsOf(read, Buffer.from(file))).rejects.toBeInstanceOf(Unreadable);
});
