import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { foldWord } from './normalise.ts';
import { numberWords } from './numbers.ts';

test.each([
  [
    'en',
    {
      two: 2,
      'twenty-one': 21,
      'twenty one': 21,
      'three hundred': 300,
      'two thousand': 2_000,
      'one million': 1_000_000,
    },
  ],
  ['de', { null: 0, zwolf: 12, einundzwanzig: 21, zweihundert: 200, dreitausend: 3_000 }],
  ['fr', { 'quarante-cinq': 45, 'soixante et onze': 71, 'quatre-vingt-dix-neuf': 99, mille: 1_000 }],
  ['es', { dieciseis: 16, 'cuarenta y cinco': 45, doscientas: 200 }],
  ['it', { ventuno: 21, duecento: 200 }],
  ['pt-BR', { duas: 2, 'vinte e dois': 22 }],
  ['nl', { tweeentwintig: 22, honderd: 100 }],
  ['sv', { tjugoett: 21 }],
  ['pl', { 'dwadziescia jeden': 21, dwie: 2 }],
  ['ru', { две: 2, 'двадцать один': 21, тысяча: 1_000 }],
  ['uk', { сім: 7, дві: 2 }],
  ['tr', { 'yirmi bir': 21 }],
  ['ar', { ثلاثه: 3 }],
  ['fa', { 'بیست و یک': 21 }],
  ['hi', { इक्कीस: 21 }],
  ['zh', { 二十一: 21, 十六: 16 }],
  ['ja', { 二十一: 21, 百: 100 }],
  ['ko', { 이십일: 21 }],
])('%s spells %j', (language, expected) => {
  expect(Object.fromEntries(numberWords(language))).toMatchObject(expected);
});

test.each([
  ['de', 'ein'],
  ['es', 'una'],
  ['fr', 'un'],
  ['nl', 'een'],
  ['tr', 'bir'],
])('%s: the article "%s" is not a number', (language, article) => {
  expect(numberWords(language).has(article)).toBe(false);
});

test('every word of a number is folded', () => {
  for (const word of ['en', 'de', 'fr', 'ar', 'vi'].flatMap((language) => [...numberWords(language).keys()]))
    expect(word.split(/[ -]/u).map(foldWord).join(' ')).toBe(word.replaceAll('-', ' '));
});

test('any other tag has no words', () => {
  expect(numberWords('xx').size).toBe(0);
  fc.assert(fc.property(fc.string(), (tag) => numberWords(tag).size >= 0));
});
