import type { IncomingMessage } from 'node:http';
import { BlockList } from 'node:net';
import { expect, test } from '@jest/globals';
import { readEnv } from '@parley/runtime';
import { readConfig } from '../config.ts';
import { clientAddress } from './client-address.ts';
import { createFailureLimit } from './failure-limit.ts';

const proxies = new BlockList();
proxies.addSubnet('10.0.0.0', 8);
proxies.addSubnet('fd00::', 8, 'ipv6');
const of = (remoteAddress: string, forwarded?: string) =>
  clientAddress(proxies)({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded },
  } as unknown as IncomingMessage);

test.each([
  ['an IPv4 address', '192.0.2.1', undefined, '192.0.2.1'],
  ['an IPv4 address on an IPv6 socket', '::ffff:192.0.2.1', undefined, '192.0.2.1'],
  ['the /64 of an IPv6 address', '2001:db8:1:2:3:4:5:6', undefined, '2001:db8:1:2::/64'],
  ['the same from a short form', '2001:db8::1', undefined, '2001:db8:0:0::/64'],
  ['with a zone', 'fe80::1%eth0', undefined, 'fe80:0:0:0::/64'],
  ['a client that says what it likes', '192.0.2.1', '198.51.100.1', '192.0.2.1'],
  ['behind a proxy', '10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['behind a mapped proxy', '::ffff:10.0.0.1', '198.51.100.1', '198.51.100.1'],
  ['behind two proxies', 'fd00::1', 'spoofed, 198.51.100.1, 10.0.0.2', '198.51.100.1'],
  ['with ports', '10.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
  ['IPv6 with a port', '10.0.0.1', '[2001:db8::1]:4711', '2001:db8:0:0::/64'],
  ['behind a proxy that says nothing', '10.0.0.1', undefined, '10.0.0.1'],
  ['behind a proxy that says nonsense', '10.0.0.1', '198.51.100.1, unknown', '10.0.0.1'],
  ['only proxies', '10.0.0.1', '10.0.0.3, 10.0.0.2', '10.0.0.3'],
])('%s', (_, remote, forwarded, address) => {
  expect(of(remote, forwarded)).toBe(address);
});

test('the allowance of an address resets each minute', () => {
  let now = Date.parse('2026-01-01T00:00:30Z');
  const limit = createFailureLimit({ perMinute: 2, clock: () => now });
  limit.take('a');
  limit.take('a');
  limit.take('b');
  expect(limit.take('a')?.message).toContain('Try again in 30 s.');
  limit.giveBack('a');
  expect(limit.take('a')).toBeUndefined();
  now += 30_000;
  expect(limit.take('a')).toBeUndefined();
});

test('the table of addresses is bounded', () => {
  const limit = createFailureLimit({ perMinute: 1, maxAddresses: 3 });
  for (const address of ['a', 'b', 'c']) limit.take(address);
  expect(limit.take('b')?.status).toBe(429);
  for (let i = 0; i < 3; i++) limit.take(`x${i}`);
  expect(limit.take('b')).toBeUndefined();
});

const REQUIRED = {
  PARLEY_SECRET: 'x'.repeat(32),
  MONGODB_URI: 'mongodb://localhost',
  AUTH_ADDRESS: 'a:1',
  KNOWLEDGE_ADDRESS: 'a:1',
  ASSISTANTS_ADDRESS: 'a:1',
  CONVERSATIONS_ADDRESS: 'a:1',
  EVENTS_ADDRESS: 'a:1',
  OBJECTS_DIR: '/nowhere',
};
const proxiesOf = (TRUSTED_PROXIES?: string) => readConfig(readEnv({ ...REQUIRED, TRUSTED_PROXIES })).trustedProxies;

test('no proxy is trusted unless it is listed', () => {
  expect(proxiesOf().rules).toEqual([]);
  const listed = proxiesOf('10.0.0.0/8, 192.0.2.7,fd00::/8');
  expect(listed.check('10.1.2.3')).toBe(true);
  expect([listed.check('192.0.2.7'), listed.check('192.0.2.8'), listed.check('fd12::1', 'ipv6')]).toEqual([
    true,
    false,
    true,
  ]);
});

test.each(['proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0.0/8,', '::/129'])('no list: %s', (text) => {
  expect(() => proxiesOf(text)).toThrow('TRUSTED_PROXIES must be');
});
