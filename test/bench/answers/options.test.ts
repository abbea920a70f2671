import { expect, test } from '@jest/globals';
import { UsageError } from '../table.ts';
import { readOptions, USAGE } from './options.ts';
import { KINDS } from './questions.ts';
import { SOURCES } from './sources.ts';

test('without options, every question about every source is asked', () => {
  expect(readOptions([])).toEqual({
    sources: SOURCES.map(({ name }) => name),
    kinds: KINDS,
    ...{ bare: false, print: false, failed: false, retrain: false, variables: {} },
  });
});

test('a set stands for its sources, and names and kinds add up', () => {
  const { sources, kinds } = readOptions('--source held-out --source borg --kind near --kind two'.split(' '));
  const heldOut = SOURCES.filter(({ set }) => set === 'held out').map(({ name }) => name);
  expect(heldOut.length).toBeGreaterThan(1);
  expect(sources).toEqual([...heldOut, 'borg']);
  expect(kinds).toEqual(['near', 'two']);
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
  const args = ['--sample', '40', '--find', 'a b', '--json', 'x.json', '--keep', 'dir', '--retrain', '--bare'];
  const rest = { sample: 40, find: 'a b', json: 'x.json', keep: 'dir', retrain: true, bare: true };
  expect(readOptions(args)).toMatchObject(rest);
});

test.each([
  ['--source', 'nowhere'],
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
