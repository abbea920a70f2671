import { expect, test } from '@jest/globals';
import { superlinear } from '@parley/runtime/testing';
import fc from 'fast-check';
import { createSentenceStream } from './sentence-stream.ts';

const MARK = String.raw`\[\d\]`;

/** Returns the sentences complete before the end, and all of them. */
function read(text: string, size = 1) {
  const all: string[] = [];
  const stream = createSentenceStream(MARK, (sentence) => all.push(sentence));
  for (let at = 0; at < text.length; at += size) stream.push(text.slice(at, at + size));
  const early = [...all];
  stream.end();
  return { early, all };
}

test.each([
  ['It opens at nine [1]. It closes at six. [2] Fine', ['It opens at nine [1].', ' It closes at six. [2]', ' Fine']],
  ['九点开门[1]。六点关门。[2]好', ['九点开门[1]。', '六点关门。[2]', '好']],
  ['ساعت ۹ باز می‌شود [1]؟ بله', ['ساعت ۹ باز می‌شود [1]؟', ' بله']],
  ['Really?! "Indeed." So it is, 3.5 times.', ['Really?!', ' "Indeed."', ' So it is, 3.5 times.']],
  ['Call Dr. Smith, z. B. at 9 a.m. on 3. May [1].', ['Call Dr. Smith, z. B. at 9 a.m. on 3. May [1].']],
  ['Do this:\n\n1. Open. [1]\n2. Close [2]\n\nDone', ['Do this:', '\n\n1. Open. [1]', '\n2. Close [2]', '\n\nDone']],
  ['Run:\n```\na. b\n\nc\n```\nThen wait.', ['Run:', '\n```\na. b\n\nc\n```', '\nThen wait.']],
  ['See [a link](x). [b](c) too', ['See [a link](x).', ' [b](c) too']],
])('%j is cut into sentences, however it arrives', (text, sentences) => {
  for (const size of [1, 2, 5, 100]) expect(read(text, size).all).toEqual(sentences);
});

test('a sentence that ends in a mark is complete at once, one without as soon as the next begins', () => {
  for (const text of ['At nine [1].', 'At nine. [1]', '九点[1]。', 'At nine [1]\n'])
    expect(read(text).early).toHaveLength(1);
  expect(read('Open from nine.').early).toEqual([]);
  expect(read('Open from nine. [').early).toEqual([]);
  expect(read('Open from nine. I').early).toEqual(['Open from nine.']);
});

test('nothing is lost but space at the end, and no sentence is endless', () => {
  const piece = fc.constantFrom('. ', '.', 'Word', ' ', '\n', '[1]', '[', '```', '。', 'a.b', '5', '!', ')');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
      const text = pieces.join('');
      expect(read(text, size).all.join('').trimEnd()).toBe(text.trimEnd());
    }),
  );
  for (const sentence of read('word '.repeat(4_000), 50).all) expect(sentence.length).toBeLessThanOrEqual(3_000);
});

test.each(['\n', ' ', '.', '. ', '[1', '```\n', 'a', '。'])(
  'cutting what arrives at once takes linear time for %j over and over',
  async (part) => {
    expect(await superlinear((text) => read(text, text.length), [part], { longest: 320_000 })).toBeUndefined();
  },
);
