import { expect, test } from '@jest/globals';
import { createLexicalIndexer, lexicalScores, statistics } from './bm25.ts';
import { queryOf } from './query.ts';

function indexOf(...documents: [language: string | undefined, text: string][]) {
  const indexer = createLexicalIndexer();
  for (const [language, text] of documents) indexer.add(text, language);
  return indexer.finish();
}

function scores(question: string, ...all: ReturnType<typeof indexOf>[]): number[][] {
  const { terms, indexes } = queryOf(question, all);
  const known = statistics(indexes, terms);
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
  const { indexes, terms } = queryOf('пакеты', [index]);
  expect(terms).toEqual(['пакеты']);
  expect(indexes[0]!.postings('пакеты')).toBeUndefined();
});

test('a term stands for every word of the question that has it, and for no other', () => {
  const index = indexOf(['de', 'Die Installation'], ['en', 'The installation']);
  const { terms, wordsOf } = queryOf('Installation', [index]);
  for (const term of terms) expect(wordsOf(term)).toContain(term);
  expect(wordsOf('zebra')).toEqual([]);
});

test('of a question of thousands of words, a hundred are searched', () => {
  const many = Array.from({ length: 5_000 }, (_, i) => `word${i}`).join(' ');
  expect(queryOf(many, [indexOf(['en', 'a text'])]).terms).toHaveLength(100);
});
