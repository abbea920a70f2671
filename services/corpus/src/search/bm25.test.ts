import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createLexicalIndexer, highestScore, lexicalScores, statistics } from './bm25.ts';

const WORDS = ['apple', 'river', 'stone', 'cloud', 'engine', 'paper'];
const document = fc.array(fc.constantFrom(...WORDS), { maxLength: 12 });
const builds = fc.array(fc.array(document, { maxLength: 6 }), { minLength: 1, maxLength: 4 });
const query = fc.uniqueArray(fc.constantFrom(...WORDS, 'zebra'), { maxLength: 4 });

function indexOf(documents: string[][]) {
  const indexer = createLexicalIndexer();
  for (const words of documents) indexer.add(words.join(' '));
  return indexer.finish();
}

/** The textbook formula (Robertson and Zaragoza 2009, k1 1.2, b 0.75, idf never negative). */
function idfOf(term: string, all: string[][]) {
  const holding = all.filter((words) => words.includes(term)).length;
  return Math.log(1 + (all.length - holding + 0.5) / (holding + 0.5));
}
function scoreOf(words: string[], terms: string[], all: string[][]) {
  const average = all.flat().length / all.length;
  return terms.reduce((sum, term) => {
    const count = words.filter((word) => word === term).length;
    const score = (idfOf(term, all) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * words.length) / average));
    return count > 0 ? sum + score : sum;
  }, 0);
}

/** Words as the analyzer outputs them. */
const stems = new Map([
  ['apple', 'appl'],
  ['engine', 'engin'],
]);
const stemmed = (words: string[]) => words.map((word) => stems.get(word) ?? word);

test('scores of several indexes are those of one corpus by the plain formula, and bounded', () => {
  fc.assert(
    fc.property(builds, query, (corpus, words) => {
      const indexes = corpus.map(indexOf);
      const all = corpus.flat();
      const known = statistics(indexes, stemmed(words));
      corpus.forEach((documents, b) => {
        const scores = lexicalScores(indexes[b]!, known);
        documents.forEach((held, d) => {
          expect(scores[d]).toBeCloseTo(scoreOf(held, words, all), 9);
          expect(scores[d]).toBeLessThanOrEqual(highestScore(known));
        });
      });
    }),
  );
});

test('an empty index and empty documents score 0', () => {
  const known = statistics([indexOf([]), indexOf([[]])], ['appl']);
  expect([...lexicalScores(indexOf([[]]), known)]).toEqual([0]);
});
