import { expect, test } from '@jest/globals';
import { aMinute, aSample } from './minute.fixture.ts';
import { atEqualAges, flat, judge, latencies, resident, withinLifetimes } from './verdicts.ts';

const LENGTH = 60;
/** The second half has no restarts: the process is 30 minutes old at the end. */
const BORN = [0, 10, 20, 30];
const minutesOf = (mib: (age: number, minute: number) => number, p50 = (_: number) => 10) =>
  Array.from({ length: LENGTH }, (_, i) => {
    const minute = i + 1;
    const born = BORN.findLast((at) => at < minute)!;
    const age = minute - born;
    return aMinute(minute, {
      restarts: age === 1 ? ['auth SIGTERM'] : [],
      processes: [aSample({ name: 'auth', pid: born, age, residentMib: mib(age, minute) })],
      kinds: { read: { count: 100, p50: p50(minute), p99: 20 } },
    });
  });
const outcomes = (minutes: ReturnType<typeof minutesOf>) =>
  Object.fromEntries(judge(minutes, ['auth']).map(({ criterion, met }) => [criterion, met]));

test('memory that grows while a process is young, and again after each restart, is flat', () => {
  const warming = minutesOf((age) => 100 - 20 / age);
  expect(outcomes(warming)['resident memory flat']).toBe(true);
});

test('memory that goes on growing within a lifetime is not flat', () => {
  const leaking = minutesOf((age) => 100 + age);
  expect(withinLifetimes(leaking, 'auth', resident).slope!.perX).toBeCloseTo(1);
  expect(atEqualAges(leaking, 'auth', resident).slope!.perX).toBeCloseTo(0);
  expect(outcomes(leaking)['resident memory flat']).toBe(false);
});

test('memory that grows from one lifetime to the next shows at equal ages', () => {
  const growing = minutesOf((_, minute) => 100 + 10 * Math.floor((minute - 1) / 10));
  expect(atEqualAges(growing, 'auth', resident).slope!.perX).toBeGreaterThan(0.5);
});

test('latency is judged after the last restart, by each kind of request', () => {
  expect(
    outcomes(
      minutesOf(
        () => 100,
        (minute) => (minute <= 30 ? minute : 10),
      ),
    )['latency flat'],
  ).toBe(undefined);
  const slower = latencies(
    minutesOf(
      () => 100,
      (minute) => minute,
    ),
  ).find(({ name }) => name === 'read')!;
  expect(slower.slope!.perX).toBeCloseTo(1);
  expect(
    outcomes(
      minutesOf(
        () => 100,
        (minute) => minute,
      ),
    )['latency flat'],
  ).toBe(false);
});

test.each([
  ['within the share', { perX: 0.1, error: 0, mean: 100 }, true],
  ['beyond the share', { perX: 0.2, error: 0, mean: 100 }, false],
  ['beyond the share, but within the error', { perX: 0.2, error: 0.05, mean: 100 }, true],
  ['less than counts', { perX: 0.01, error: 0, mean: 1 }, true],
  ['unknown', undefined, undefined],
])('growth %s is judged by its lower bound', (_, slope, met) => {
  expect(flat('flat', 'MiB', [{ name: 'auth', slope }], { share: 0.1, least: 1 }).met).toBe(met);
});

test('a short run tells nothing', () => {
  expect(Object.values(outcomes(minutesOf(() => 100).slice(0, 3)))).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
