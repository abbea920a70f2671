import { expect, test } from '@jest/globals';
import { createAnalyzer } from '@parley/language';
import { readRewriting } from './rewrite.ts';

const history = [
  { by: 'user', message: 'When does the shop open?' },
  { by: 'assistant', message: 'At nine.' },
] as const;
const read = (written: string, question: string, languages: string[] = [], more = history) =>
  readRewriting(written, { question, history: more }, languages, createAnalyzer());

test.each([
  ['When does the shop open on Sundays?', ['When does the shop open on Sundays?']],
  ['"When does the shop open on Sundays?"\n', ['When does the shop open on Sundays?']],
  ['1. When does the shop open on Sundays?\n2. Öffnungszeiten Sonntag', ['When does the shop open on Sundays?']],
  ['', ['And on Sundays?']],
  ['NOT_IN_KNOWLEDGE', ['And on Sundays?']],
  ['Paris is the capital of France.', ['And on Sundays?']],
  [`Sundays ${'and so on '.repeat(100)}`, ['And on Sundays?']],
])('%j says how to search', (written, queries) => {
  expect(read(written, 'And on Sundays?')).toEqual({ queries, asksNothing: false });
});

test('queries in other languages follow the message, as many as were asked for', () => {
  expect(
    read(
      'Wann öffnet der Laden?\nGerman: Öffnungszeiten\nopening hours\nmore',
      'Wann öffnet der Laden?',
      ['de', 'en'],
      [] as never,
    ),
  ).toEqual({
    queries: ['Wann öffnet der Laden?', 'Öffnungszeiten', 'opening hours'],
    asksNothing: false,
  });
});

test('thanks or a plain no after an answer ask for nothing; the same as a first message may', () => {
  expect(read('NOTHING_ASKED', 'No, that was all.').asksNothing).toBe(true);
  expect(read('No.', 'No.').asksNothing).toBe(true);
  expect(read('Why does the shop open at nine?', 'Why?')).toMatchObject({ asksNothing: false });
  expect(read('NOTHING_ASKED', 'No.', ['de'], [] as never)).toEqual({ queries: ['No.'], asksNothing: false });
});
