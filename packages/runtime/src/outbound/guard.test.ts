import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDenyList } from './deny-list.ts';
import { allowFor, mayConnect, parseAllowList, vetLiteral, vetUrl } from './guard.ts';

const nobody = parseAllowList('');

/** Networks that must never be reached: the first address, and the number of variable bits. */
const PRIVATE_V4 = [
  [0x00000000, 24], // "this network"
  [0x0a000000, 24],
  [0x64400000, 22], // CGNAT
  [0x7f000000, 24],
  [0xa9fe0000, 16],
  [0xac100000, 20],
  [0xc0000000, 8],
  [0xc0000200, 8],
  [0xc0a80000, 16],
  [0xc6120000, 17],
  [0xcb007100, 8],
  [0xe0000000, 28], // multicast
  [0xf0000000, 28], // reserved, and broadcast
] as const;

const privateV4 = fc
  .constantFrom(...PRIVATE_V4)
  .chain(([network, bits]) => fc.integer({ min: 0, max: 2 ** bits - 1 }).map((host) => network + host));

const octets = (address: number) => [24, 16, 8, 0].map((shift) => (address >>> shift) & 255);

/** The spellings of an IPv4 address that a URL may use. */
const spellings: ((address: number) => string)[] = [
  (address) => octets(address).join('.'),
  (address) => `${octets(address).join('.')}.`,
  (address) => String(address),
  (address) => `0x${address.toString(16)}`,
  (address) => `0${address.toString(8)}`,
  (address) =>
    octets(address)
      .map((octet) => `0x${octet.toString(16)}`)
      .join('.'),
  (address) =>
    octets(address)
      .map((octet) => `0${octet.toString(8)}`)
      .join('.'),
  (address) => `${octets(address)[0]}.${address & 0xffffff}`,
  (address) => octets(address).join('。'),
  (address) => encodeURIComponent(octets(address).join('.')).replace(/\d/, (digit) => `%3${digit}`),
];

const groups = (address: number) => `${(address >>> 16).toString(16)}:${(address & 0xffff).toString(16)}`;

/** The ways to embed an IPv4 address in an IPv6 one. */
const wrappings: ((address: number) => string)[] = [
  (address) => `[::ffff:${octets(address).join('.')}]`,
  (address) => `[0:0:0:0:0:FFFF:${groups(address)}]`,
  (address) => `[::${groups(address)}]`,
  (address) => `[64:ff9b::${groups(address)}]`,
  (address) => `[64:ff9b:1::${groups(address)}]`,
  (address) => `[2002:${groups(address)}::1]`,
  (address) => `[2001:0:1234::${groups(~address >>> 0)}]`,
];

test('a private IPv4 address is refused in every spelling that a URL allows', () => {
  fc.assert(
    fc.property(privateV4, fc.constantFrom(...spellings, ...wrappings), (address, spell) => {
      expect(vetLiteral(new URL(`http://${spell(address)}/`), nobody)).toMatch(
        /is a private address; CRAWL_ALLOW|may not be read: OUTBOUND_DENY/,
      );
    }),
    { numRuns: 1000 },
  );
});

test('IPv4 embedded in IPv6 is refused even if the address is public', () => {
  for (const wrap of wrappings) expect(vetLiteral(new URL(`http://${wrap(0x08080808)}/`), nobody)).toBeDefined();
});

test('IPv6 is refused outside the public internet', () => {
  const network = fc.constantFrom('::', '::1', 'fe80::1', 'febf::1', 'fc00::1', 'fdff::1', 'fec0::1', 'ff02::1');
  const more = fc.constantFrom('100::1', '2001:db8::1', '3fff::1', '5f00::1', '4000::1', 'e000::1', '1::1');
  fc.assert(
    fc.property(fc.oneof(network, more), fc.boolean(), (address, upper) => {
      const literal = upper ? address.toUpperCase() : address;
      expect(vetLiteral(new URL(`http://[${literal}]/`), nobody)).toBeDefined();
      expect(mayConnect(literal, 'name', 80, nobody)).toBe(false);
    }),
  );
});

test('public addresses and names pass', () => {
  for (const host of ['8.8.8.8', '172.15.255.255', '172.32.0.0', '100.128.0.1', '[2606:4700::1111]', 'example.org'])
    expect(vetUrl(new URL(`https://${host}/`), nobody)).toBeUndefined();
});

test('only http and https without credentials pass', () => {
  for (const address of ['file:///etc/passwd', 'ftp://example.org/', 'gopher://example.org/', 'data:text/html,x'])
    expect(vetUrl(new URL(address), nobody)).toMatch(/http and https/);
  expect(vetUrl(new URL('http://user@example.org/'), nobody)).toMatch(/user name or a password/);
  expect(vetUrl(new URL('http://:secret@example.org/'), nobody)).toMatch(/user name or a password/);
});

test('a CIDR allows its addresses and no others', () => {
  const allow = parseAllowList(' 10.1.0.0/16, fd00::/8 ');
  expect(mayConnect('10.1.255.255', 'wiki', 80, allow)).toBe(true);
  expect(mayConnect('10.2.0.0', 'wiki', 80, allow)).toBe(false);
  expect(mayConnect('fd12::1', 'wiki', 80, allow)).toBe(true);
  expect(mayConnect('fc00::1', 'wiki', 80, allow)).toBe(false);
  expect(mayConnect('::ffff:10.1.0.1', 'wiki', 80, allow)).toBe(false);
});

test('a pair allows one port of one host, by name or by address', () => {
  const allow = parseAllowList('Wiki.Internal:8080,127.0.0.1:3000,[::1]:80');
  expect(mayConnect('10.0.0.1', 'wiki.internal', 8080, allow)).toBe(true);
  expect(mayConnect('10.0.0.1', 'wiki.internal.', 8080, allow)).toBe(true);
  expect(mayConnect('10.0.0.1', 'wiki.internal', 80, allow)).toBe(false);
  expect(mayConnect('10.0.0.1', 'other.internal', 8080, allow)).toBe(false);
  expect(mayConnect('127.0.0.1', 'localhost', 3000, allow)).toBe(true);
  expect(mayConnect('127.0.0.1', 'localhost', 3001, allow)).toBe(false);
  expect(vetLiteral(new URL('http://127.1:3000/'), allow)).toBeUndefined();
  expect(vetLiteral(new URL('http://[0::1]/'), allow)).toBeUndefined();
  expect(vetLiteral(new URL('https://[::1]/'), allow)).toBeDefined();
});

test.each([
  'localhost',
  '10.0.0.1',
  '10.0.0.0/33',
  '010.0.0.0/8',
  '10/8',
  'fd00::/129',
  'wiki:0',
  'wiki:65536',
  'http://wiki:80',
  'wiki:80/path',
  'user@wiki:80',
  '10.0.0.0/8@acme',
  '10.0.0.0/8@5f0c6d1e-8f4b-4c7e-9d2a-1b3c5d7e9f01@x',
])('the entry %s is refused by name', (entry) => {
  const read = () => parseAllowList(`10.0.0.0/8, ${entry}`);

  expect(read).toThrow(`"${entry}"`);
});

test.each([
  ['169.254.169.254', '169.254.0.0/16'],
  ['100.100.100.200', '100.64.0.0/10'],
  ['192.0.0.192', '192.0.0.0/24'],
  ['fd00:ec2::254', 'fd00::/8'],
  ['::ffff:169.254.169.254', '::ffff:0:0/96'],
  ['169.254.42.42', '169.254.0.0/16'],
  ['fd00:42::42', 'fd00::/8'],
  ['fe80::a9fe:a9fe', 'fe80::/10'],
  ['168.63.129.16', ''],
])("a cloud platform's own address %s is never reached, even if CRAWL_ALLOW has %s", (address, range) => {
  const allow = parseAllowList([range, 'metadata:80'].filter(Boolean).join());
  expect(mayConnect(address, 'metadata', 80, allow)).toBe(false);
  const url = new URL(`http://${address.includes(':') ? `[${address}]` : address}/`);
  expect(vetLiteral(url, allow)).toMatch(/may not be read: OUTBOUND_DENY/);
});

test.each([
  ['64:ff9b::a9fe:a9fe', '64:ff9b::/96'],
  ['64:ff9b:1::a9fe:a9fe', '64:ff9b:1::/48'],
  ['2002:a9fe:a9fe::1', '2002::/16'],
  ['::a9fe:a9fe', '::/96'],
])('%s is the IPv4 address in it, which is never reached, even if CRAWL_ALLOW has %s', (address, range) => {
  expect(mayConnect(address, 'metadata', 80, parseAllowList(`${range}, metadata:80`))).toBe(false);
});

test('an IPv6 address that only ends like a denied IPv4 one is not denied', () => {
  const allow = parseAllowList('', parseDenyList('10.0.0.0/8'));
  expect(mayConnect('2606:4700::a00:1', 'name', 443, allow)).toBe(true);
});

test('an entry for an account allows nothing to another', () => {
  const [acme, other] = ['5f0c6d1e-8f4b-4c7e-9d2a-1b3c5d7e9f01', '0d9c8b7a-6f5e-4d3c-8b2a-190817263544'];
  const allow = parseAllowList(
    `10.1.0.0/16, 10.2.0.0/16@${acme}, wiki.internal:8080@${acme.toUpperCase()}, 10.3.0.0/16@${other}`,
    parseDenyList('10.2.9.0/24'),
  );
  const reached = (account: string, address: string, host = 'name', port = 80) =>
    mayConnect(address, host, port, allowFor(allow, account));
  for (const account of [acme, other, 'anyone']) expect(reached(account, '10.1.0.1')).toBe(true);
  expect([acme, other, 'anyone'].map((account) => reached(account, '10.2.0.1'))).toEqual([true, false, false]);
  expect([acme, other].map((account) => reached(account, '10.3.0.1'))).toEqual([false, true]);
  expect([acme, other].map((account) => reached(account, '10.9.0.1', 'wiki.internal', 8080))).toEqual([true, false]);
  expect(reached(acme, '10.2.9.1')).toBe(false);
  expect(mayConnect('10.2.0.1', 'name', 80, allow)).toBe(false);
});

test('OUTBOUND_DENY closes networks and ports that would be open, public or allowed', () => {
  const allow = parseAllowList('10.0.0.0/8', parseDenyList('10.9.0.0/16, 203.0.114.0/24, 2a00:1::/32, 25'));
  expect(mayConnect('10.8.0.1', 'wiki', 80, allow)).toBe(true);
  for (const [address, port] of [
    ['10.9.0.1', 80],
    ['203.0.114.7', 443],
    ['2a00:1::1', 443],
    ['8.8.8.8', 25],
    ['10.8.0.1', 25],
  ] as const)
    expect(mayConnect(address, 'wiki', port, allow)).toBe(false);
});

test.each(['10.0.0.1', 'wiki:80', '0', '65536', '10.0.0.0/33', 'http'])(
  'the denied entry %s is refused by name',
  (entry) => {
    expect(() => parseDenyList(`25, ${entry}`)).toThrow(`OUTBOUND_DENY has "${entry}"`);
  },
);
