import { expect, test } from '@jest/globals';
import { auc, curve } from './curve.ts';
import { many, result } from './testing/results.ts';

test('the evidence orders the questions, and the more are answered the more of them are wrong', () => {
  const results = [
    ...[0.9, 0.8, 0.7, 0.6, 0.4].map((evidence) => result({ outcome: 'right', confidence: 'high', evidence })),
    ...many(4, { kind: 'near', outcome: 'answered', confidence: 'low', evidence: 0.5 }),
    result({ kind: 'near', outcome: 'refused', evidence: 0.1 }),
    result({ kind: 'foreign', outcome: 'answered', evidence: 0.95 }),
  ];
  const { rows } = curve([{ name: 'tune', results }]);
  expect(rows.slice(0, 2)).toEqual([
    ['answered with high', '0.50, 0.00'],
    ['answered at all', '0.90, 0.44'],
  ]);
  expect(rows.slice(5, 7)).toEqual([
    ['the 40 % with the most evidence', '0.40, 0.00'],
    ['the 50 % with the most evidence', '0.50, 0.20'],
  ]);
});

test.each([
  [[0.9, 0.8], [0.1], 1],
  [[0.9, 0.1], [0.5], 0.5],
  [[0.5], [0.5], 0.5],
])('the area under the curve of %j against %j is %d', (positive, negative, expected) => {
  expect(auc(positive, negative)).toBe(expected);
});
