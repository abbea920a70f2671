import { expect, test } from '@jest/globals';
import { report } from './report.ts';
import type { Result } from './result.ts';
import { many, result } from './testing/results.ts';

const cell = (results: Result[], row: string, column: string) => {
  const { head, rows } = report(results);
  return rows.find(([name]) => name === row)![head.indexOf(column)];
};

const tune = { set: 'tune' } as const;

test('each set has a column, with how many questions it is of', () => {
  const results = [...many(3, { outcome: 'right', site: tune }), ...many(4, { outcome: 'wrong' })];
  expect(cell(results, 'right and cited', 'tune')).toBe('1.00 of 3');
  expect(cell(results, 'right and cited', 'held out')).toBe('0.00 of 4');
  expect(cell(results, 'follow-ups: right', 'held out')).toBe('');
});

test('with several sites a share has an interval', () => {
  const sites = ['a', 'b', 'c'].flatMap((name, i) => [
    ...many(i, { outcome: 'right', site: { name } }),
    ...many(4 - i, { outcome: 'wrong', site: { name } }),
  ]);
  expect(cell(sites, 'right and cited', 'held out')).toBe('0.25 (0.00-0.50) of 12');
});

test('what is said with high is left open where no reply says how sure it is', () => {
  const near = (confidence: 'high' | 'low' | null) => result({ kind: 'near', outcome: 'answered', confidence });
  expect(cell([near(null), near(null)], 'same field: with high', 'held out')).toBe('');
  expect(cell([near('high'), near('low')], 'same field: with high', 'held out')).toBe('0.50 of 2');
});

test('of what is answered rightly, the share that is sure counts', () => {
  const sure = [...many(3, { outcome: 'right', confidence: 'high' }), result({ outcome: 'right', confidence: 'low' })];
  const results = [...sure, ...many(4, { outcome: 'wrong', confidence: 'low' })];
  expect(cell(results, 'rightly answered, with high', 'held out')).toBe('0.75 of 4');
});

test('other languages are compared with English within a set', () => {
  const german = { language: 'de', name: 'praxis' };
  const results = [
    ...many(4, { outcome: 'right' }),
    ...many(3, { outcome: 'right', site: german }),
    result({ outcome: 'wrong', site: german }),
  ];
  expect(cell(results, 'other languages behind English', 'held out')).toBe('0.25');
  expect(report(results).further![0]!.rows.map(([name, right]) => [name, right])).toEqual([
    ['de, held out', '0.75'],
    ['en, held out', '1.00'],
  ]);
});

test('only sites held out have to reach the floors, and a kind that was not asked misses none', () => {
  expect(report(many(3, { outcome: 'wrong', site: tune })).bound).toBeUndefined();
  const foreign = many(3, { kind: 'foreign', outcome: 'refused' });
  expect(report([...many(3, { outcome: 'wrong', site: tune }), ...foreign]).bound).toMatchObject({ met: true });
});

test('what misses its floor is named, whether it is too few or too many', () => {
  const results = [
    ...many(2, { outcome: 'refused' }),
    ...many(2, { outcome: 'wrong', length: 700 }),
    ...many(2, { kind: 'foreign', outcome: 'answered' }),
  ];
  const { says, met } = report(results).bound!;
  expect(met).toBe(false);
  expect(says).toContain('right and cited; answerable, refused; another field: at all; characters, median.');
});
