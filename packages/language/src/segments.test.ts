import { expect, test } from '@jest/globals';
import { superlinear } from '@parley/runtime/testing';
import fc from 'fast-check';
import { segmentsOf } from './segments.ts';

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

test.each([' ', 'a', 'a ', 'A. ', '1. ', '9', '(', '.', '\n', '水', '。'])(
  'the time for 20,000 characters of "%s" is in proportion',
  async (part) => {
    expect(await superlinear((text) => segmentsOf(segmenters[1]!, text), [part])).toBeUndefined();
  },
);
