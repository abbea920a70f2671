import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import fc from 'fast-check';
import { createTokens } from './tokens.ts';

const tokens = createTokens('the secret of these tests, long enough');

test('a token names its mail in any case, and fits into the local part of an address', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const token = tokens.write(id);
      expect(`reply+${token}`.length).toBeLessThanOrEqual(64);
      for (const written of [token, token.toUpperCase()]) expect(tokens.read(written)).toBe(id);
    }),
  );
});

test('nothing else is a token: one with a character changed, of another secret, or any text', () => {
  const token = tokens.write(randomId());
  for (let i = 0; i < token.length; i++) {
    const other = token[i] === 'a' ? 'b' : 'a';
    expect(tokens.read(token.slice(0, i) + other + token.slice(i + 1))).toBeUndefined();
  }
  expect(createTokens('another secret that is long enough, too').read(token)).toBeUndefined();
  fc.assert(fc.property(fc.string(), (text) => expect(tokens.read(text)).toBeUndefined()));
});
