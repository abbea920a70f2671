import { expect, test } from '@jest/globals';
import type { Kind } from './questions.ts';
import { type Result, report } from './report.ts';
import type { Outcome } from './score.ts';

function result(column: string, kind: Kind, outcome: Outcome, colon = false): Result {
  const question = { id: 'a/b/1', source: 'a', kind, before: [], ask: 'How?', sections: [], facts: [] };
  const score = { outcome, cited: outcome === 'correct', citedSection: false, colon, length: 10, millis: 1 };
  return { question, reply: { message: 'So.', sources: [], millis: 1 }, score, column };
}
const many = (count: number, ...[column, kind, outcome]: Parameters<typeof result>) =>
  Array.from({ length: count }, () => result(column, kind, outcome));
const cell = (results: Result[], row: string, column: string) => {
  const { head, rows } = report(results);
  return rows.find(([name]) => name === row)![head.indexOf(column)];
};

test('each column counts its own questions, with how many they are', () => {
  const results = [...many(3, 'tune', 'answerable', 'correct'), ...many(4, 'held out', 'answerable', 'wrong')];
  expect(cell(results, 'answerable: correct and cited', 'tune')).toMatch(/^1\.00 .* of 3$/);
  expect(cell(results, 'answerable: correct and cited', 'held out')).toMatch(/^0\.00 .* of 4$/);
  expect(cell(results, 'two sections: correct', 'tune')).toBe('');
});

test('only sources held out have to reach the floors, and a kind that was not asked misses none', () => {
  expect(report(many(3, 'tune', 'answerable', 'wrong')).bound).toBeUndefined();
  const bound = report([...many(3, 'tune', 'answerable', 'wrong'), ...many(3, 'held out', 'near', 'refused')]).bound;
  expect(bound).toMatchObject({ met: true });
});

test('what misses its floor is named, whether it is too few or too many', () => {
  const bound = report([...many(2, 'held out', 'answerable', 'refused'), ...many(2, 'held out', 'near', 'answered')])
    .bound!;
  expect(bound.met).toBe(false);
  expect(bound.says).toContain('answerable: correct and cited; answerable: false refusals; same field: false answers');
});

test('a single statement that ends with a colon misses the bound', () => {
  expect(report([result('held out', 'talk', 'correct', true)]).bound).toMatchObject({ met: false });
  expect(report([result('held out', 'talk', 'correct')]).bound).toMatchObject({ met: true });
});

test.each([
  [10, true],
  [9, true],
  [8, false],
])('German may be a little behind English: %i of 10 right where English has all', (right, met) => {
  const english = many(10, 'held out', 'answerable', 'correct');
  const german = [
    ...many(right, 'de, held out', 'answerable', 'correct'),
    ...many(10 - right, 'de, held out', 'answerable', 'wrong'),
  ];
  expect(report([...english, ...german]).bound).toMatchObject({ met });
});
