import fc from 'fast-check';

/** Sections as pages have them: paragraphs, lists and code, some of them announced by a colon. */

const word = fc.constantFrom(
  ...'the package file system install remove update debian release kernel option server mail configuration user It This'.split(
    ' ',
  ),
);
const sentence = (end: string) =>
  fc.array(word, { minLength: 2, maxLength: 25 }).map((words) => `${words.join(' ')}${end}`);
const paragraph = fc.array(sentence('.'), { minLength: 1, maxLength: 6 }).map((sentences) => sentences.join(' '));
const announcement = sentence(':');
const list = (mark: string) =>
  fc.array(paragraph, { minLength: 1, maxLength: 8 }).map((items) => items.map((item) => `${mark} ${item}`).join('\n'));
const code = fc
  .array(sentence(' ;'), { minLength: 1, maxLength: 6 })
  .map((lines) => lines.map((line) => `    ${line}`).join('\n'));

const block = fc.oneof(paragraph, announcement, list('-'), list('1.'), code);
export const anySection: fc.Arbitrary<string> = fc
  .array(block, { minLength: 1, maxLength: 10 })
  .map((blocks) => blocks.join('\n\n'));
