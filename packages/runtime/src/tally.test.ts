import { expect, test } from '@jest/globals';
import { createShares, createTurns } from './tally.ts';
import { gate } from './testing/index.ts';

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

test('background work of one account has half of the places, and what ends makes room', async () => {
  const turns = createTurns(4);
  const gates = Array.from({ length: 4 }, gate);
  for (const [i, account] of ['acme', 'acme', 'other', 'third'].entries()) turns.begin(account, gates[i]!.opened);
  expect([turns.isFull(), turns.busy()]).toEqual([true, ['acme']]);
  gates[0]!.open();
  await gates[0]!.opened.then(() => {});
  await Promise.resolve();
  expect([turns.isFull(), turns.busy()]).toEqual([false, []]);
  for (const { open } of gates) open();
  await turns.ended();
});
