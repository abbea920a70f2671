import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { highestScore, idfOf, wordScore } from './bm25.ts';

const WORDS = ['apple', 'river', 'stone', 'cloud', 'paper', 'zebra'];
const corpora = fc.array(fc.array(fc.constantFrom(...WORDS), { maxLength: 12 }), { minLength: 1, maxLength: 20 });

test('scores are those of the textbook formula (Robertson and Zaragoza 2009, idf never negative), and bounded', () => {
  fc.assert(
    fc.property(corpora, (passages) => {
      const holding = (word: string) => passages.filter((words) => words.includes(word)).length;
      const averageLength = passages.flat().length / passages.length || 1;
      const known = { averageLength, idf: WORDS.map((word) => idfOf(passages.length, holding(word))) };
      for (const words of passages) {
        const counts = WORDS.map((word) => words.filter((each) => each === word).length);
        const expected = WORDS.reduce((sum, word, i) => {
          const rarity = Math.log(1 + (passages.length - holding(word) + 0.5) / (holding(word) + 0.5));
          const norm = 1.2 * (0.25 + (0.75 * words.length) / averageLength);
          return sum + (rarity * counts[i]! * 2.2) / (counts[i]! + norm);
        }, 0);
        const score = wordScore({ counts, length: words.length }, known);
        expect(score).toBeCloseTo(expected, 9);
        expect(score).toBeLessThanOrEqual(highestScore(known));
      }
    }),
  );
});
