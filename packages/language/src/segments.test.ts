import { expect, test } from '@jest/globals';
import { cpuMs } from '@parley/runtime/testing';
import fc from 'fast-check';
import { segmentsOf, sentencesOf, wordsOf } from './segments.ts';

const segmenters = (['word', 'sentence'] as const).map((granularity) => new Intl.Segmenter('en', { granularity }));
const part = fc.constantFrom(
  'Pumps',
  'don’t',
  ' ',
  '. ',
  '? ',
  ', ',
  '3.14',
  'e.g.',
  '(',
  '\n',
  '水',
  'を',
  '👩‍👩‍👧',
  '́',
);

test('a long text has the segments that it has as a whole', () => {
  fc.assert(
    fc.property(fc.constantFrom(...segmenters), fc.array(part, { minLength: 5, maxLength: 30 }), (segmenter, parts) => {
      const text = `${parts.join('')}\n`.repeat(60);
      const whole = [...segmenter.segment(text)].map(({ segment, index, isWordLike = false }) => ({
        ...{ from: index, text: segment, isWord: isWordLike },
      }));
      expect(segmentsOf(segmenter, text)).toEqual(whole);
    }),
    { numRuns: 15 },
  );
});

test('a sentence that is longer than what is segmented at a time stays whole', () => {
  const sentences = [`${'A lamp and '.repeat(500)}a pump. `, 'Two. '];
  expect(segmentsOf(segmenters[1]!, sentences.join('')).map(({ text }) => text)).toEqual(sentences);
});

test.each([
  ['en', 'It costs 3.14 euros. Is it open? Yes!', ['It costs 3.14 euros. ', 'Is it open? ', 'Yes!']],
  ['de', 'Das geht, z. B. Freitag. Danach nicht.', ['Das geht, z. B. Freitag. ', 'Danach nicht.']],
  ['en', '1. Open it. 2. Close it.', ['1. Open it. ', '2. Close it.']],
  ['en', 'It costs 5. We ship.', ['It costs 5. ', 'We ship.']],
  ['en', 'One line\nAnother', ['One line\n', 'Another']],
  ['el', 'Είναι ανοιχτό; Ναι.', ['Είναι ανοιχτό; ', 'Ναι.']],
  ['zh', '可以。你好吗？好', ['可以。', '你好吗？', '好']],
  ['ar', 'مرحبا. كيف حالك؟ جيد', ['مرحبا. ', 'كيف حالك؟ ', 'جيد']],
  ['hi', 'यह खुला है। आइए।', ['यह खुला है। ', 'आइए।']],
])('%s: the sentences of "%s"', (language, text, sentences) => {
  expect(sentencesOf(text, language).map(({ text }) => text)).toEqual(sentences);
});

test.each([
  ['en', "Don't ask for 3.14 euros!", ["Don't", 'ask', 'for', '3.14', 'euros']],
  ['ja', '返金方法は？', ['返金', '方法', 'は']],
  [undefined, ' (…) ', []],
])('%s: the words of "%s"', (language, text, words) => {
  expect(wordsOf(text, language)).toEqual(words);
});

test('the sentences of any text are the text', () => {
  fc.assert(
    fc.property(fc.array(part), fc.string(), (parts, language) => {
      const text = parts.join('');
      const sentences = sentencesOf(text, language);
      expect(sentences.map(({ text }) => text).join('')).toBe(text);
      for (const { from, text: sentence } of sentences) expect(text.startsWith(sentence, from)).toBe(true);
    }),
  );
});

test.each([' ', 'a', 'a ', 'A. ', '1. ', '9', '(', '.', '\n', '水', '。'])(
  'the time for 20,000 times "%s" is in proportion',
  (part) => {
    const time = (times: number) => Math.min(...[1, 2, 3].map(() => cpuMs(() => sentencesOf(part.repeat(times)))));
    expect(time(20_000)).toBeLessThan(20 + 6 * time(5_000));
  },
);
