import { expect, test } from '@jest/globals';
import { cpuMs } from '@parley/runtime/testing';
import fc from 'fast-check';
import { type Quotation, unitsOf } from './quotation.ts';
import { provenSentences } from './support.ts';
import { shownWhole } from './testing/shown.ts';

/** All of a text as one quotation. */
function quotationOf(text: string): Quotation {
  const [shown] = shownWhole([{ title: '', url: '', text, score: 1 }]);
  return { shown: shown!, from: 0, to: text.length, text };
}
const isProven = (answer: string, quotes: string | string[], question = '') =>
  provenSentences(answer, [quotes].flat().map(quotationOf), question)?.length === unitsOf(answer).length;

const WORDS = [
  'garden',
  'lamp',
  'tank',
  'water',
  'pump',
  'seedling',
  'warranty',
  'parcel',
  'harvest',
  'refund',
  'kitchen',
];
const word = fc.constantFrom(...WORDS);
const sentence = fc
  .record({ words: fc.uniqueArray(word, { minLength: 3, maxLength: 8 }), number: fc.integer({ min: 2, max: 9999 }) })
  .map(({ words, number }) => ({ words, number, text: `The ${words.join(' ')} has ${number}.` }));

test('an answer made only of words of one quoted sentence is proven', () => {
  fc.assert(
    fc.property(sentence, fc.nat(), fc.boolean(), ({ words, number, text }, cut, says) => {
      const some = words.slice(0, 1 + (cut % words.length));
      expect(isProven(`The ${some.join(' ')}${says ? ` has ${number}` : ''}.`, text)).toBe(true);
    }),
  );
});

test('whole sentences of the quotes are proven, in any order', () => {
  fc.assert(
    fc.property(fc.array(sentence, { minLength: 1, maxLength: 4 }), fc.boolean(), (sentences, reversed) => {
      const texts = sentences.map(({ text }) => text);
      const answer = reversed ? texts.toReversed() : texts;
      expect(isProven(answer.join(' '), texts)).toBe(true);
    }),
  );
});

test('adding a foreign number, name, command or denial to a proven answer makes it unproven', () => {
  const foreign = fc.oneof(
    fc.integer({ min: 10_000 }).map(String),
    fc.constantFrom('Zanzibar', 'Miller', 'ORDERS', 'not', 'never', 'only', '--force', 'x86', '/etc/passwd'),
  );
  fc.assert(
    fc.property(sentence, foreign, fc.nat(), ({ text }, added, at) => {
      const words = text.replace(/\.$/, '').split(' ');
      const position = 1 + (at % words.length);
      const answer = `${[...words.slice(0, position), added, ...words.slice(position)].join(' ')}.`;
      expect(isProven(answer, text)).toBe(false);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['30,000 hours', 'It lasts 30000 hours.'],
  ['4.90 euros', 'It costs 4,90 euros.'],
  ['nine days', 'It takes 9 days.'],
  ['12 Tage', 'zwölf Tage'],
  ['۲۴ ساعت', '24 ساعت'],
])('a number is the same in another notation: %s', (answer, quote) => {
  expect(isProven(answer, quote)).toBe(true);
});

test.each([
  ['dpkg -S file', 'Run dpkg -L file to list it.'],
  ['Run rm -r.', 'Run rm -rf to remove it.'],
  ['Edit /etc/hosts.', 'Edit /etc/hosts.allow first.'],
  ['Use version 2.4.', 'Use version 2.40.'],
  ['Call getUser.', 'Call getUsers.'],
])('an identifier is supported as a whole or not at all: %s', (answer, quote) => {
  expect(isProven(answer, quote)).toBe(false);
});

test('words may be the question’s, but most of what an answer says must be quoted', () => {
  const question = 'Does the garden work with voice assistants?';
  expect(isProven('The garden works with voice assistants.', 'The garden also works in winter.', question)).toBe(false);
  expect(isProven('The pump lasts five years.', 'It lasts for five years.', 'How long does the pump last?')).toBe(true);
});

test('a number belongs to the sentence that has it', () => {
  const quotes = ['You may return the garden within 60 days.', 'Delivery takes three days.'];
  expect(isProven('Delivery takes 60 years.', quotes)).toBe(false);
  expect(isProven('Return the garden within 60 days.', quotes)).toBe(true);
});

test('inflected words and one rephrased word in a long clause are supported', () => {
  const quote = 'The refund is paid within a week of the arrival of the parcel.';
  expect(isProven('The refund is issued within a week after the parcel arrives.', quote)).toBe(true);
  expect(isProven('The refund is free.', quote)).toBe(false);
});

test('a yes rests on sentences with the words of the question that deny and restrict nothing', () => {
  const question = 'Can I return a used garden?';
  expect(isProven('Yes, you can return it.', 'You can return a used garden.', question)).toBe(true);
  expect(isProven('Yes, you can return it.', 'You can only return an unused garden.', question)).toBe(false);
  expect(isProven('Yes, within a week.', 'Parcels arrive within a week.', question)).toBe(false);
});

test('an answer and quotes of the greatest length are checked in time', () => {
  const long = Array.from({ length: 240 }, (_, i) => `The garden has a lamp and ${i} pumps. `).join('');
  const quotes = Array.from({ length: 10 }, () => long.slice(0, 4_000));
  expect(cpuMs(() => expect(isProven(long, quotes)).toBe(false))).toBeLessThan(2_500);
  expect(cpuMs(() => expect(isProven(long.slice(0, 3_990), quotes)).toBe(true))).toBeLessThan(2_500);
});

test.each([
  ['brackets', (n: number) => '('.repeat(n)],
  [
    'many sentences that share a word',
    (n: number) => Array.from({ length: n / 10 }, (_, i) => `Lamp ${1000 + i}.`).join(' '),
  ],
  ['a word after closing brackets', (n: number) => `${')'.repeat(n)}a`],
])('the time to check an answer is linear in its length: %s', (_, textOf) => {
  const costOf = (length: number, tries: number) => {
    const text = textOf(length);
    const quotations = [quotationOf(text)];
    let best = Number.POSITIVE_INFINITY;
    for (let i = 0; i < tries; i++) {
      const { user } = process.cpuUsage();
      provenSentences(text, quotations, '');
      best = Math.min(best, process.cpuUsage().user - user);
    }
    return best;
  };
  // Quadratic work would take 64 times as long.
  expect(costOf(16_000, 4) / costOf(2_000, 4)).toBeLessThan(32);
});
