import { expect, test } from '@jest/globals';
import { readEnv } from './env.ts';
import { address, addresses, flag, integer, oneOf, required, secret, text } from './settings/setting.ts';

const SETTINGS = {
  COUNT: integer('a number', { fallback: 5, min: 1, max: 9 }),
  MAYBE: integer('a number', { max: 9 }),
  LOUD: flag('whether', false),
  COLOUR: oneOf(['red', 'blue'], 'a colour', { fallback: 'red' }),
  NAME: text('a name', { fallback: 'Ada' }),
  PLACE: required('a place'),
  KEY: secret('a key', 8),
  PEER: address('a peer'),
  PEERS: addresses('peers'),
};

const read = (variables: Record<string, string>) => readEnv(variables, SETTINGS);

test('an absent or empty variable has the default of its setting', () => {
  for (const env of [read({}), read({ COUNT: '', MAYBE: ' ', LOUD: '', COLOUR: '', NAME: ' ', PEERS: '' })]) {
    const values: [number, number | undefined, boolean, 'red' | 'blue', string, string[] | undefined] = [
      env.get('COUNT'),
      env.get('MAYBE'),
      env.get('LOUD'),
      env.get('COLOUR'),
      env.get('NAME'),
      env.get('PEERS'),
    ];
    expect(values).toEqual([5, undefined, false, 'red', 'Ada', undefined]);
    expect(env.has('COUNT')).toBe(false);
  }
});

test('a variable is read as what its setting says', () => {
  const env = read({ COUNT: '9', MAYBE: ' 0 ', LOUD: 'TRUE', COLOUR: 'blue', PEER: 'a:1', PEERS: 'a:1 , b:2' });
  expect(env.get('COUNT')).toBe(9);
  expect(env.get('MAYBE')).toBe(0);
  expect(env.get('LOUD')).toBe(true);
  expect(env.get('COLOUR')).toBe('blue');
  expect(env.get('PEER')).toBe('a:1');
  expect(env.get('PEERS')).toEqual(['a:1', 'b:2']);
});

test.each([
  ['COUNT', '0', 'COUNT must be a whole number from 1 to 9.'],
  ['COUNT', '1.5', 'COUNT must be a whole number from 1 to 9.'],
  ['COUNT', 'many', 'COUNT must be a whole number from 1 to 9.'],
  ['LOUD', 'yes', 'LOUD must be true or false.'],
  ['COLOUR', 'green', 'COLOUR must be one of red, blue.'],
  ['PLACE', '', 'PLACE is not set.'],
  ['KEY', 'secret!', 'KEY must have at least 8 characters.'],
  ['KEY', '', 'KEY is not set.'],
  ['PEER', 'a', 'PEER must be host:port.'],
  ['PEERS', 'a:1,b', 'PEERS must be one or more host:port, separated by commas.'],
] as const)('%s=%s is refused by name', (name, value, sentence) => {
  expect(() => read({ [name]: value }).get(name)).toThrow(sentence);
});
