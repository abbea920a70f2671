import fc from 'fast-check';

/** Sections as pages have them: paragraphs, lists, tables and code, some of them announced by a colon. */

const word = fc.constantFrom(
  ...'the package file system install remove update debian release kernel option server mail configuration user It This'.split(
    ' ',
  ),
);
const words = (maxLength: number) => fc.array(word, { minLength: 2, maxLength }).map((all) => all.join(' '));
const sentence = (end: string) => words(25).map((all) => `${all}${end}`);
const paragraph = fc.array(sentence('.'), { minLength: 1, maxLength: 6 }).map((sentences) => sentences.join(' '));
const announcement = sentence(':');
const list = (mark: string) =>
  fc.array(paragraph, { minLength: 1, maxLength: 8 }).map((items) => items.map((item) => `${mark} ${item}`).join('\n'));
const row = fc.tuple(words(4), words(4)).map(([name, price]) => `Name: ${name}; Price: ${price}`);
const table = fc.array(row, { minLength: 2, maxLength: 30 }).map((rows) => rows.join('\n'));
const code = fc
  .array(sentence(' ;'), { minLength: 1, maxLength: 6 })
  .map((lines) => lines.map((line) => `    ${line}`).join('\n'));
const cjk = fc
  .array(fc.constantFrom('押金三天内退回。', '读者证可以借十二册书。', '请问您要什么？'), {
    minLength: 1,
    maxLength: 60,
  })
  .map((sentences) => sentences.join(''));

const block = fc.oneof(paragraph, announcement, list('-'), list('1.'), table, code, cjk);
export const anySection: fc.Arbitrary<string> = fc
  .array(block, { minLength: 1, maxLength: 10 })
  .map((blocks) => blocks.join('\n\n'));
