import { expect, test } from '@jest/globals';
import { aMinute, aSample } from './minute.fixture.ts';
import { lineOf, periods, report } from './report.ts';

const kinds = { reply: { count: 9, p50: 12.4, p99: 40 } };

test('a minute is one line, with what went wrong and what was restarted', () => {
  const processes = [aSample(), aSample({ name: 'trainer', residentMib: 210.6 })];
  expect(lineOf(aMinute(7, { kinds, processes }))).toBe(
    '  7 min  10.0 requests/s | reply 12/40 ms | MiB: auth 100 trainer 211',
  );
  const restarted = aMinute(12, { retried: 3, errors: 1, restarts: ['auth SIGKILL'] });
  expect(lineOf(restarted)).toBe(
    ' 12 min  10.0 requests/s, 3 sent again, 1 ERRORS | no reply | MiB:  | restarted: auth SIGKILL',
  );
});

test.each([
  [1, [1]],
  [6, [1, 1, 1, 1, 1, 1]],
  [15, [3, 3, 3, 3, 3]],
  [60, [10, 10, 10, 10, 10, 10]],
])('a run of %d minutes has at most six rows', (length, sizes) => {
  expect(periods(Array.from({ length }, (_, i) => aMinute(i + 1))).map((part) => part.length)).toEqual(sizes);
});

test('the report has a row for each part, a column for each process, and says what stays of a collection', () => {
  const minutes = Array.from({ length: 12 }, (_, i) =>
    aMinute(i + 1, {
      ...{ kinds, errors: i === 0 ? 2 : 0, processes: [aSample({ residentMib: 100 + i })] },
      machine: { stolen: 0.025, workMs: 5 },
      collections: { 'parley_bus.messages': { count: 10 * i, bytes: i * 1024 * 1024 } },
    }),
  );
  const verdicts = [{ criterion: 'no errors', met: false, says: '2 errors.' }];
  const text = report(minutes, verdicts, ['auth']);
  expect(text).toMatch(/^\| 0 to 2 min +\| +10\.0 \| +0 \| +2 \| .*\| +12\/40 \|/m);
  expect(text).toMatch(/^\| 10 to 12 min +\| +111 \|$/m);
  expect(text).toMatch(/^\| 0 to 2 min +\| +2\.5 \| +5\.0 \|$/m);
  expect(text).toMatch(/^\| parley_bus\.messages +\| +10 \| .*\| +110 \| +11\.0 \| events, for seven days \|$/m);
  expect(text).toContain('- NOT MET: no errors. 2 errors.');
});
