import { expect, test } from '@jest/globals';
import { looksLikeName } from './names.ts';

const namesIn = (text: string, language: string) =>
  [...text.matchAll(/[\p{L}\p{N}]+/gu)]
    .filter(({ 0: word, index }) => looksLikeName(text, word, index, language))
    .map(([word]) => word);

test.each([
  ['en', 'How does this run on a Raspberry Pi 5 with some NetBSD?', ['Raspberry', 'Pi', '5', 'NetBSD']],
  ['en', 'What Is The Name Of This Release?', []],
  ['de', 'Welche Dateien hat das Paket auf meine Platte gebracht?', []],
  ['de', 'Läuft das auf einem Raspberry Pi 5 mit NetBSD?', ['Raspberry', 'Pi', '5', 'NetBSD']],
  ['de', 'Wie setze ich `dpkg` auf USB ein? Die Platte ist voll.', ['dpkg', 'USB']],
])('%s: %s', (language, text, names) => {
  expect(namesIn(text, language)).toEqual(names);
});
