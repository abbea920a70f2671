import { BlockList } from 'node:net';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { baseUrl } from './base-url.ts';
import { contentDisposition } from './content-disposition.ts';

const request = (headers: Record<string, string>, remoteAddress = '192.0.2.1') =>
  ({ headers, socket: { remoteAddress } }) as never;

test('the base URL is the public one, or the address that the client used', () => {
  const none = new BlockList();
  expect(baseUrl('https://api.example.com', none)(request({ host: 'x' }))).toBe('https://api.example.com/v1');
  expect(baseUrl(undefined, none)(request({ host: 'localhost:8080' }))).toBe('http://localhost:8080/v1');
  for (const host of ['', 'a b', ':80', '[']) expect(() => baseUrl(undefined, none)(request({ host }))).toThrow(/Host/);
});

test('only a trusted proxy is believed about the address that the client used', () => {
  const proxies = new BlockList();
  proxies.addAddress('10.0.0.1');
  const forwarded = { host: 'inner', 'x-forwarded-host': 'api.example.com', 'x-forwarded-proto': 'https' };
  expect(baseUrl(undefined, proxies)(request(forwarded, '::ffff:10.0.0.1'))).toBe('https://api.example.com/v1');
  expect(baseUrl(undefined, proxies)(request(forwarded))).toBe('http://inner/v1');
});

test('any file name makes one header of printable ASCII, and comes back whole unless it is unsafe', () => {
  const name = fc.string({ unit: 'binary', maxLength: 200 });
  fc.assert(
    fc.property(name, (name) => {
      const header = contentDisposition(name);
      expect(header).toMatch(/^attachment; filename="[\x20-\x21\x23-\x5b\x5d-\x7e]*"; filename\*=UTF-8''[\w.~%!*-]*$/);
      const decoded = decodeURIComponent(header.slice(header.indexOf("''") + 2));
      expect(decoded).toHaveLength(name.length);
      if (/^[\w .ä€(),;=-]*$/.test(name)) expect(decoded).toBe(name);
    }),
  );
  expect(contentDisposition('a/b\\c"\r\nX: y.pdf')).toBe(
    'attachment; filename="a_b_c___X_ y.pdf"; filename*=UTF-8\'\'a_b_c___X_%20y.pdf',
  );
});
