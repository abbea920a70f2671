import { Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { readEnv, readNetworks } from '@parley/runtime';
import { collect } from './collect.ts';
import { createLimits } from './limits.ts';

const RELAY = '192.0.2.1';
const CONFIG = {
  trusted: readNetworks(readEnv({ MAIL_TRUSTED: RELAY }), 'MAIL_TRUSTED'),
  ...{ connections: 100, bytes: 10, bytesInFlight: 20, perMinute: 2 },
};
const limitsOf = (bytesInFlight: number) => createLimits({ ...CONFIG, bytesInFlight });

const mail = (bytes: number) => Readable.from([Buffer.alloc(bytes)]);

test('the mails of one address take half of the room at most, whatever its connections; others have the rest', async () => {
  const limits = limitsOf(20);
  using _first = await collect(mail(6), '203.0.113.1', 10, limits);
  await expect(collect(mail(6), '203.0.113.1', 10, limits)).rejects.toThrow('Too much mail is being received');
  using _second = await collect(mail(10), '203.0.113.2', 10, limits);
  await expect(collect(mail(6), '203.0.113.3', 10, limits)).rejects.toThrow('Too much mail is being received');
});

test('what was received makes room again, for its address and for all', async () => {
  const limits = limitsOf(20);
  for (let i = 0; i < 5; i++) {
    using _ = await collect(mail(10), '203.0.113.1', 10, limits);
  }
  using _relayed = await collect(mail(10), RELAY, 10, limits);
  using _more = await collect(mail(10), RELAY, 10, limits);
});

test('addresses of one network are one client, and a trusted relay is none', () => {
  const { clientOf } = limitsOf(20);
  expect(clientOf('2001:db8::1')).toBe(clientOf('2001:db8::2'));
  expect(clientOf('2001:db8::1')).not.toBe(clientOf('2001:db8:0:1::1'));
  expect(clientOf(RELAY)).toBeUndefined();
});

test('an address may begin so many mails in a minute, which its first one begins; a trusted relay any number', () => {
  let now = 1_000;
  const limits = createLimits(CONFIG, () => now);
  for (const ip of ['203.0.113.1', '203.0.113.1', '203.0.113.2', RELAY, RELAY, RELAY]) limits.begin(ip);
  expect(() => limits.begin('203.0.113.1')).toThrow('Too much from your address');
  now += 40_000;
  limits.begin('203.0.113.2');
  expect(() => limits.begin('203.0.113.2')).toThrow('Too much from your address');
  now += 20_001;
  limits.begin('203.0.113.1');
  limits.begin('203.0.113.2');
});
