import { expect, test } from '@jest/globals';
import { contentWords, contentWordsIn } from './words.ts';

test.each([
  ['en', 'How do I list the files?', ['list', 'file']],
  ['de', 'Wie finde ich die Dateien für Pakete?', ['find', 'datei', 'paket']],
  ['de', 'Zu dem Paket gehört eine Datei', ['paket', 'gehört', 'datei']],
  ['ru', 'файлы пакетами, файл в пакете', ['файл', 'пакет', 'файл', 'в', 'пакет']],
] as const)('%s: forms of a word are one, and frequent words are none: %s', (language, text, words) => {
  expect(contentWordsIn(language)(text)).toEqual(words);
});

test('where the language is not known, only an English plural is an ending', () => {
  expect(contentWords('Pakete und files')).toEqual(['pakete', 'und', 'file']);
});
