import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import fc from 'fast-check';
import { createVisitorTokens, TOKEN_MS } from './visitor-tokens.ts';

const secret = 'the secret of these tests, long enough';
const tokens = createVisitorTokens(secret);
const visitor = { id: randomId(), chatbot: randomId(), session: randomId() };
const refused = expect.objectContaining({ status: 401 });

test('a token says what was sealed, and nobody can read it', () => {
  const profile = { name: 'Ann', email: 'ann@example.com', userId: 'u1', verified: true };
  const token = tokens.seal({ ...visitor, profile });
  expect(createVisitorTokens(secret).open(token)).toEqual({ ...visitor, profile });
  const text = Buffer.from(token, 'base64url').toString('latin1');
  for (const part of [...Object.values(visitor), 'Ann', 'u1']) expect(text).not.toContain(part);
  expect(tokens.seal(visitor)).not.toBe(tokens.seal(visitor));
});

test('a token that was changed in any byte, cut, extended, made up or made with another secret is refused', () => {
  const token = tokens.seal(visitor);
  const bytes = Buffer.from(token, 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes);
    changed[i]! ^= 1;
    expect(() => tokens.open(changed.toString('base64url'))).toThrow(refused);
  }
  for (let i = 0; i < token.length; i++) expect(() => tokens.open(token.slice(0, i))).toThrow(refused);
  for (const wrong of [`${token}A`, ` ${token}`, `${token}=`, 'x', randomBytes(200).toString('base64url')])
    expect(() => tokens.open(wrong)).toThrow(refused);
  expect(() => tokens.open(createVisitorTokens('another secret, which is long enough').seal(visitor))).toThrow(refused);
  fc.assert(fc.property(fc.string(), (text) => expect(() => tokens.open(text)).toThrow(refused)));
});

test('a token expires after thirty days', () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const timed = createVisitorTokens(secret, () => now);
  const token = timed.seal(visitor);
  now += TOKEN_MS - 1;
  expect(timed.open(token)).toEqual(visitor);
  now += 1;
  expect(() => timed.open(token)).toThrow(expect.objectContaining({ message: expect.stringContaining('expired') }));
});
