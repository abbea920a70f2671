import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { faqAnswer } from './answer.ts';

const made = new Date('2026-01-02T03:04:05.678Z');
const texts = (text: string) => faqAnswer('item', text, made).blocks.map(({ data }) => data.text);

test.each([
  ['one line', ['one line']],
  ['a\nb\r\nc\rd', ['a<br>b<br>c<br>d']],
  ['first\n\nsecond\n \t \nthird', ['first', 'second', 'third']],
  ['\n\n  indented\n\n\n', ['  indented']],
  ['5 < 6 & 7 > 6 "so" <br>', ['5 &lt; 6 &amp; 7 &gt; 6 "so" &lt;br&gt;']],
])('%j', (text, blocks) => {
  expect(texts(text)).toEqual(blocks);
});

test('the format is that of Editor.js, its time is the creation of the item, its ids are always the same', () => {
  const answer = faqAnswer('item', 'a\n\nb', made);
  expect(answer).toEqual({
    version: expect.any(String),
    time: made.getTime(),
    blocks: [
      { id: expect.stringMatching(/^[0-9a-f]{10}$/), type: 'paragraph', data: { text: 'a' } },
      { id: expect.any(String), type: 'paragraph', data: { text: 'b' } },
    ],
  });
  expect(faqAnswer('item', 'a\n\nb', made)).toEqual(answer);
  expect(new Set([...answer.blocks, ...faqAnswer('other', 'a', made).blocks].map(({ id }) => id)).size).toBe(3);
});

test('no text becomes markup, and everything but blank lines can be read back', () => {
  const line = fc.string({ unit: fc.constantFrom('a', '<', '>', '&', ' ', '\t', 'é', '😀', ';') });
  fc.assert(
    fc.property(fc.array(line), (lines) => {
      const blocks = texts(lines.join('\n'));
      for (const block of blocks) expect(block.replaceAll('<br>', '')).not.toMatch(/[<>]/);
      const read = blocks
        .flatMap((block) => block.split('<br>'))
        .map((text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'));
      expect(read).toEqual(lines.filter((text) => text.trim() !== ''));
    }),
  );
});
