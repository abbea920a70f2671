import { expect, test } from '@jest/globals';
import { type Language, launcherWords } from '../launcher/words.ts';
import { TRANSLATIONS } from './words.ts';

const places = (words: object) => Object.values(words).map((sentence: string) => sentence.match(/\{\w+\}/g) ?? []);

test.each(Object.keys(TRANSLATIONS))('all words are there in %s, with the same places to fill', (language) => {
  const { [language as Language]: words } = TRANSLATIONS;
  expect(Object.keys(words)).toEqual(Object.keys(TRANSLATIONS.en));
  for (const sentence of Object.values({ ...words, ...launcherWords(language as Language) }))
    expect(sentence).toMatch(/\S/);
  expect(places(words)).toEqual(places(TRANSLATIONS.en));
});
