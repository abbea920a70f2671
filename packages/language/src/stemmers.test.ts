import { expect, test } from '@jest/globals';
import { cpuMs } from '@parley/runtime/testing';
import { stemmerOf } from './stemmers.ts';
import { LISTED_LANGUAGES } from './stop-words.ts';

const STEMMED = LISTED_LANGUAGES.filter((language) => stemmerOf(language));

test.each([
  ['de', ['kostet', 'Kosten', 'gekostet']],
  ['en', ['booking', 'bookings', 'booked']],
  ['es', ['reserva', 'reservas']],
  ['es', ['instalar', 'instalación', 'instalacion']],
  ['fa', ['کتاب', 'کتابها', 'کتابهایم']],
  ['fi', ['huone', 'huoneet']],
  ['fr', ['chambre', 'chambres']],
  ['it', ['pacchetto', 'pacchetti']],
  ['nl', ['kamer', 'kamers']],
  ['pt', ['quarto', 'quartos']],
  ['ru', ['комната', 'комнаты', 'комнату']],
  ['sv', ['kund', 'kunder', 'kunden']],
  ['tr', ['kitap', 'kitaplar']],
  ['uk', ['книга', 'книги', 'книгу']],
])('%s: %j have one stem', (language, words) => {
  const stem = stemmerOf(language)!;
  expect(new Set(words.map((word) => stem(word.toLowerCase()))).size).toBe(1);
});

test('no word takes a stemmer long', () => {
  const letters = ['a', 'y', 'e', 's', 'é', 'и', 'ا', 'ا\u0644', 'क', 'ye', 'ation', 'ность', 'ها'];
  const words = letters.map((letter) => letter.repeat(64).slice(0, 64));
  for (const language of STEMMED)
    expect(cpuMs(() => words.map((word) => stemmerOf(language)!(word)))).toBeLessThan(200);
});
