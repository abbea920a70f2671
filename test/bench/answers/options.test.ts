import { expect, test } from '@jest/globals';
import { UsageError } from '../table.ts';
import { readOptions, USAGE } from './options.ts';
import { KINDS } from './questions.ts';

test('without options, every question about every site is asked', () => {
  expect(readOptions([])).toEqual({
    ...{ sites: [], kinds: KINDS, variables: {} },
    ...{ manuals: false, print: false, failed: false, reveal: false, retrain: false },
  });
});

test('sites and kinds add up, and the manuals are asked where they are named', () => {
  const { sites, kinds, manuals } = readOptions('--site tune --site manuals --kind near --kind followUp'.split(' '));
  expect(sites).toEqual(['tune', 'manuals']);
  expect(kinds).toEqual(['near', 'followUp']);
  expect(manuals).toBe(true);
});

test('a variable is passed on as it is, whatever its value holds', () => {
  const { variables } = readOptions(['--set', 'OPENAI_BASE_URL=http://h/?a=b\n', '--set', 'OPENAI_MODEL=']);
  expect(variables).toEqual({ OPENAI_BASE_URL: 'http://h/?a=b\n', OPENAI_MODEL: '' });
});

test('what was answered as it should be is written only on request', () => {
  expect(readOptions(['--print'])).toMatchObject({ print: true, failed: false });
  expect(readOptions(['--failed'])).toMatchObject({ print: true, failed: true });
});

test('the rest is taken as written', () => {
  const args = ['--sample', '40', '--find', 'a b', '--json', 'x.json', '--keep', 'dir', '--retrain', '--reveal'];
  const rest = { sample: 40, find: 'a b', json: 'x.json', keep: 'dir', retrain: true, reveal: true };
  expect(readOptions(args)).toMatchObject(rest);
});

test.each([
  ['--kind', 'easy'],
  ['--sample', '0'],
  ['--sample', '1e3'],
  ['--set', 'lower=case'],
  ['--set', 'NOTHING'],
  ['--sampel', '40'],
  ['answers'],
  ['--help'],
])('options that make no sense are answered with those that do: %s %s', (...args) => {
  const reading = () => readOptions(args);
  expect(reading).toThrow(UsageError);
  expect(reading).toThrow(USAGE);
});
