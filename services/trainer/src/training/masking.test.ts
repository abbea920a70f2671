import { expect, test } from '@jest/globals';
import type { IndexedChunk } from '@parley/corpus';
import fc from 'fast-check';
import { maskedQuestions } from './masking.ts';

const chunk = (source: string, section: number, headings: string[], text: string, title = 'Shop'): IndexedChunk => ({
  ...{ id: `${source}-${section}-${text}`, source, section, headings, text, title },
  ...{ index: 0, url: '', language: 'en' },
});
const questionsOf = (chunks: IndexedChunk[], isFaq = false) =>
  maskedQuestions(chunks, isFaq)
    .map(({ question }) => question)
    .sort();

test('a heading is asked without its number, and nothing above the chunks of its section has it any more', () => {
  const title = 'Returning shoes - Shop';
  const chunks = [
    chunk('/a', 0, ['2.1 Returning shoes'], 'Within 30 days.', title),
    chunk('/a', 0, ['2.1 Returning shoes'], 'Unworn.', title),
    chunk('/b', 0, ['Orders', 'Paying by card'], 'Visa.'),
  ];
  const asked = new Map(maskedQuestions(chunks, false).map((each) => [each.question, each]));
  expect(asked.get('Returning shoes')).toMatchObject({
    documents: [0, 1],
    masked: [
      { title: '', headings: [], text: 'Within 30 days.' },
      { title: '', headings: [], text: 'Unworn.' },
    ],
  });
  expect(asked.get('Paying by card')).toMatchObject({
    documents: [2],
    masked: [{ title: 'Shop', headings: ['Orders'] }],
  });
});

test('a heading that other sections stand under, or that says next to nothing, is not asked', () => {
  const chunks = [
    chunk('/a', 0, ['Delivery times'], 'Three days.'),
    chunk('/a', 1, ['Delivery times', 'Abroad and islands'], 'A week.'),
    chunk('/b', 0, ['Introduction'], 'Welcome.'),
    chunk('/c', 0, ['Opening hours shop'], 'Nine to five.', 'Opening hours shop'),
    chunk('/c', 1, ['Public holidays closed'], 'Closed.', 'Opening hours shop'),
    chunk('/d', 0, [], 'No heading.'),
  ];
  expect(questionsOf(chunks)).toEqual(['Abroad and islands', 'Public holidays closed']);
});

test('a section whose text stands elsewhere, too, is not asked: the question would be answered without it', () => {
  const same = 'Write to us.';
  const chunks = [chunk('/a', 0, ['Phone and mail'], same), chunk('/b', 0, ['Contact our people'], same)];
  expect(questionsOf(chunks)).toEqual([]);
});

test('of an FAQ, the question of each item is asked of its whole answer', () => {
  const chunks = [
    chunk('1', 0, [], 'Yes.', 'Can I pay by card?'),
    chunk('1', 1, ['Which ones'], 'Visa.', 'Can I pay by card?'),
    chunk('2', 0, [], 'Three days.', 'How long does delivery take?'),
  ];
  expect(questionsOf(chunks, true)).toEqual(['Can I pay by card?', 'How long does delivery take?']);
  const [paying] = maskedQuestions(chunks, true).filter(({ question }) => question.includes('card'));
  expect(paying!.masked.map(({ title }) => title)).toEqual(['', '']);
});

test('no masked chunk has its question above it, and the order depends on the questions alone', () => {
  const words = fc.array(fc.constantFrom('river', 'stone', 'Cloud', '3.1', 'paper'), { maxLength: 4 });
  const text = words.map((some) => some.join(' '));
  const above = fc.array(fc.record({ headings: fc.array(text), title: text }), { minLength: 7, maxLength: 7 });
  const chunks = fc.array(fc.record({ section: fc.nat(6), text }));
  fc.assert(
    fc.property(above, chunks, (sections, some) => {
      const all = some.map(({ section, text }, i) => {
        const { headings, title } = sections[section]!;
        return { ...chunk('/a', section, headings, text, title), id: `${i}` };
      });
      const asked = maskedQuestions(all, false);
      for (const { question, masked } of asked)
        for (const { title, headings = [] } of masked)
          for (const above of [title, ...headings]) expect(above.toLowerCase()).not.toBe(question.toLowerCase());
      expect(questionsOf(all.toReversed())).toEqual(asked.map(({ question }) => question).sort());
    }),
  );
});

test('a heading of digits and spaces takes time in proportion to its length', () => {
  const millis = (length: number) => {
    const began = performance.now();
    maskedQuestions([chunk('/a', 0, ['1 '.repeat(length)], 'Text.')], false);
    return performance.now() - began;
  };
  millis(10_000);
  expect(millis(20_000)).toBeLessThan(10 * millis(10_000) + 50);
});
