import { expect, test } from '@jest/globals';
import { memoryBuild } from './memory-build.ts';
import { queryWords } from './query.ts';

const buildOf = (...passages: [language: string | undefined, text: string][]) =>
  memoryBuild(
    passages.map(([language, text], i) => ({
      ...{ id: '', source: `${i}`, index: 0, title: '', url: '', text },
      ...(language && { language }),
    })),
  );

/** How many passages of each build hold each word of the question. */
const holding = (question: string, ...builds: ReturnType<typeof buildOf>[]) =>
  builds.map((build) =>
    queryWords(question, builds).map((terms) =>
      [...build.holding(terms).values()].reduce((sum, held) => sum + held, 0),
    ),
  );

test('a question finds the texts of each language by its own stems', () => {
  const german = buildOf(['de', 'Die Kosten der Installation'], ['de', 'Das Wetter ist schön']);
  const english = buildOf(['en', 'How to install packages'], ['en', 'The weather is fine']);
  expect(holding('Was kostet eine Installation?', german, english)).toEqual([
    [1, 1],
    [0, 1],
  ]);
});

test('a text whose language is not known is analyzed in the one it is written in', () => {
  const build = buildOf([undefined, 'Wenn du ein Paket installierst, musst du auch die Lizenz bestätigen.']);
  expect(build.info.languages).toEqual({ de: 1 });
  expect(holding('Pakete installieren', build)).toEqual([[1, 1]]);
});

test('a question is analyzed in the four most frequent languages at most', () => {
  const build = buildOf(
    ...['fr', 'de', 'es', 'it'].flatMap((language): [string, string][] => [
      [language, 'a'],
      [language, 'b'],
    ]),
    ['ru', 'пакет'],
  );
  expect(holding('пакеты', build)).toEqual([[0]]);
});

test('of a question of thousands of words, a hundred are searched', () => {
  const many = Array.from({ length: 5_000 }, (_, i) => `word${i}`).join(' ');
  expect(queryWords(many, [buildOf(['en', 'a text'])])).toHaveLength(100);
});
