import { expect, test } from '@jest/globals';
import { type Checked, isAuthenticated, UNCHECKED } from './senders.ts';

const FROM = 'ann@example.com';
const pass = { result: 'pass', isAligned: true, isWhole: true };
const checked = (some: Partial<Checked>): Checked => ({
  ...{ spf: { result: 'none', domain: undefined }, dkim: [], dmarc: 'none', authors: [FROM] },
  ...some,
});

test.each<[string, Partial<Checked>]>([
  ['a signature of the domain', { dkim: [pass] }],
  ['a server of the domain', { spf: { result: 'pass', domain: 'bounces.example.com' } }],
])('%s vouches for a sender', (_, some) => {
  expect(isAuthenticated(checked(some), 'Ann@example.com')).toBe(true);
});

test.each<[string, Partial<Checked>]>([
  ['nothing', {}],
  ['a signature of another domain', { dkim: [{ ...pass, isAligned: false }] }],
  ['a signature of a part of the message', { dkim: [{ ...pass, isWhole: false }] }],
  ['a signature that is wrong', { dkim: [{ ...pass, result: 'fail' }] }],
  ['a server of another domain', { spf: { result: 'pass', domain: 'example.net' } }],
  ['a policy that says no', { dkim: [pass], dmarc: 'fail' }],
  ['the domain of another author', { dkim: [pass], authors: ['eve@example.com'] }],
  ['one of several authors', { dkim: [pass], authors: [FROM, 'eve@example.net'] }],
  ['checks that failed', UNCHECKED],
])('%s does not vouch for a sender', (_, some) => {
  expect(isAuthenticated(checked(some), FROM)).toBe(false);
});

test('names below a public suffix of a platform do not vouch for each other', () => {
  const spf = { result: 'pass', domain: 'eve.github.io' };
  expect(isAuthenticated(checked({ spf, authors: ['ann@ann.github.io'] }), 'ann@ann.github.io')).toBe(false);
});
