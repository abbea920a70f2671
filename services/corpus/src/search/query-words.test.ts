import { expect, test } from '@jest/globals';
import { createLexicalIndexer, lexicalScores, statistics } from './bm25.ts';
import { alone } from './follow-up.ts';
import { queryWords } from './query-words.ts';

function indexOf(...documents: [language: string | undefined, text: string][]) {
  const indexer = createLexicalIndexer();
  for (const [language, text] of documents) indexer.add(text, language);
  return indexer.finish();
}

function scores(question: string, ...all: ReturnType<typeof indexOf>[]): number[][] {
  const { asked, indexes } = queryWords(alone(question), all);
  const known = statistics(indexes, asked.keys());
  return indexes.map((index) => [...lexicalScores(index, known)]);
}

test('a question finds the texts of each language by its own stems', () => {
  const german = indexOf(['de', 'Die Kosten der Installation'], ['de', 'Das Wetter ist schön']);
  const english = indexOf(['en', 'How to install packages'], ['en', 'The weather is fine']);
  expect(scores('Was kostet eine Installation?', german, english)).toEqual([
    [expect.any(Number), 0],
    [expect.any(Number), 0],
  ]);
  const [[costs], [install]] = scores('Was kostet eine Installation?', german, english) as [[number], [number]];
  expect(costs).toBeGreaterThan(install);
  expect(install).toBeGreaterThan(0);
});

test('a text whose language is not known is analyzed in the one it is written in', () => {
  const index = indexOf([undefined, 'Wenn du ein Paket installierst, musst du auch die Lizenz bestätigen.']);
  expect([...index.languages]).toEqual([['de', 1]]);
  expect(scores('Pakete installieren', index)[0]![0]).toBeGreaterThan(0);
});

test('a compound that no text holds finds the texts that hold its parts', () => {
  const index = indexOf(['de', 'Die Verwaltung der Pakete'], ['de', 'Das Wetter in Lissabon']);
  const [[found, other]] = scores('Paketverwaltung', index) as [[number, number]];
  expect(found).toBeGreaterThan(0);
  expect(other).toBe(0);
  expect(scores('Wetterfrosch', index)).toEqual([[0, 0]]);
});

test('a German verb that a question parts is found in one word, and takes its particle along', () => {
  const index = indexOf(
    ['de', 'So kann man sie auflisten'],
    ['de', 'Die heruntergeladenen Archive, die noch herunterzuladen sind'],
    ['de', 'Eine Liste der Archive'],
  );
  const termsOf = (question: string) => [...queryWords(alone(question), [index]).asked.keys()];
  expect(scores('Wie liste ich das auf?', index)).toEqual([[expect.any(Number), 0, 0]]);
  expect(termsOf('Wie lade ich Archive herunter, und wo?')).toEqual(['archiv', 'herunterlad']);
  expect(termsOf('Wie packe ich Archive aus?')).toEqual(['pack', 'archiv']);
});

test('a question is analyzed in the four most frequent languages at most', () => {
  const index = indexOf(
    ['fr', 'un'],
    ['fr', 'deux'],
    ['de', 'eins'],
    ['de', 'zwei'],
    ['es', 'uno'],
    ['es', 'dos'],
    ['it', 'uno'],
    ['it', 'due'],
    ['ru', 'пакет'],
  );
  const { indexes, asked } = queryWords(alone('пакеты'), [index]);
  expect([...asked.keys()]).toEqual(['пакеты']);
  expect(indexes[0]!.postings('пакеты')).toBeUndefined();
});
