import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDate } from './dates.ts';

const parsed = (text: string) => parseDate(text)?.toISOString();

test.each([
  ['2026-11-21', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T10:20:30Z', '2026-11-21T10:20:30.000Z'],
  ['2026-11-21t10:20:30.5z', '2026-11-21T10:20:30.500Z'],
  ['2026-11-21T10:20', '2026-11-21T10:20:00.000Z'],
  ['2026-11-21 10:20:30', '2026-11-21T10:20:30.000Z'],
  ['2026-11-21T10:20:30+02:00', '2026-11-21T08:20:30.000Z'],
  ['2026-11-21T10:20:30 02:00', '2026-11-21T08:20:30.000Z'],
  ['2026-11-21T10:20:30-0530', '2026-11-21T15:50:30.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z'],
  ['2026-11', '2026-11-01T00:00:00.000Z'],
  ['2026', '2026-01-01T00:00:00.000Z'],
  ['Sat, 21 Nov 2026 10:20:30 GMT', '2026-11-21T10:20:30.000Z'],
  ['21 November 2026', '2026-11-21T00:00:00.000Z'],
  ['Nov 21, 2026 10:20', '2026-11-21T10:20:00.000Z'],
  ['11/21/2026', '2026-11-21T00:00:00.000Z'],
  ['2026/11/21', '2026-11-21T00:00:00.000Z'],
  ['Sat Nov 21 2026 10:20:30 GMT+0200 (Central European Time)', '2026-11-21T08:20:30.000Z'],
])('%s is %s', (text, iso) => {
  expect(parsed(text)).toBe(iso);
});

test.each([
  '',
  ' ',
  'yesterday',
  'not-a-date',
  'foo 1',
  '5',
  '1700000000000',
  '2026-02-30',
  '2026-02-30T10:00:00Z',
  '2025-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-01T25:00',
  '30 February 2026',
  'Feb 30, 2026 02:00',
  '2/30/2026',
  '2026/02/30',
  '2026-2-30',
])('%j is no date', (text) => {
  expect(parsed(text)).toBeUndefined();
});

test('every instant survives its ISO form, and every text gives a valid date or undefined', () => {
  const instants = fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true });
  fc.assert(fc.property(instants, (instant) => parsed(instant.toISOString()) === instant.toISOString()));
  fc.assert(fc.property(fc.string(), (text) => !Number.isNaN(parseDate(text)?.getTime() ?? 0)));
});
