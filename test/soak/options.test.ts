import { expect, test } from '@jest/globals';
import { UsageError } from '../bench/table.ts';
import { readOptions, USAGE } from './options.ts';

test('without options, the load runs for an hour, and words are compared', () => {
  expect(readOptions([])).toEqual({ minutes: 60, seed: 1, embeddings: false });
});

test('the rest is taken as written', () => {
  const args = ['--minutes', '3', '--seed', '7', '--embeddings', '--json', 'x.json', '--keep', 'dir'];
  expect(readOptions(args)).toEqual({ minutes: 3, seed: 7, embeddings: true, json: 'x.json', keep: 'dir' });
});

test.each([
  ['--minutes', '0'],
  ['--minutes', '1e3'],
  ['--minutes', '10081'],
  ['--seed', '-1'],
  ['--minute', '3'],
  ['hour'],
  ['--help'],
])('options that make no sense are answered with those that do: %s %s', (...args) => {
  const reading = () => readOptions(args);
  expect(reading).toThrow(UsageError);
  expect(reading).toThrow(USAGE);
});
