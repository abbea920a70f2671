import { expect, test } from '@jest/globals';
import { createShares } from './tally.ts';

test('one account has half of what may be in progress, all together have no more than that, and what ends makes room', () => {
  const shares = createShares(4);
  const acme = [shares.begin('acme'), shares.begin('acme')];
  expect(() => shares.begin('acme')).toThrow('This account');
  const others = [shares.begin('a'), shares.begin('b')];
  expect(() => shares.begin('c')).toThrow('Too much');
  acme[0]![Symbol.dispose]();
  acme[0]![Symbol.dispose]();
  expect(shares.held()).toBe(3);
  shares.begin('c')[Symbol.dispose]();
  for (const held of [...acme, ...others]) held[Symbol.dispose]();
  expect(shares.held()).toBe(0);
});
