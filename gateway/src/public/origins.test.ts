import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { isAllowed, isOf } from './origins.ts';

const DOMAINS = ['www.example.com', 'localhost:3000', '*.shop.example', 'secure.example:443', '[::1]', '[::1]:8080'];

test.each([
  'https://www.example.com',
  'http://www.example.com',
  'http://localhost:3000',
  'https://localhost:3000',
  'https://a.shop.example',
  'https://a.b.shop.example',
  'https://secure.example',
  'http://[::1]',
  'http://[::1]:8080',
])('a page of %s may embed', (origin) => {
  expect(isAllowed(origin, DOMAINS)).toBe(true);
});

test.each([
  'https://www.example.com:8443',
  'http://www.example.com:443',
  'https://example.com',
  'https://xwww.example.com',
  'https://www.example.com.evil.example',
  'https://www.example.com/',
  'https://WWW.example.com',
  'https://user@www.example.com',
  'https://www.example.com:443',
  'ftp://www.example.com',
  'file://www.example.com',
  'http://localhost',
  'http://localhost:30000',
  'https://shop.example',
  'https://xshop.example',
  'https://a.shop.example:8443',
  'http://secure.example',
  'http://[::1]:3000',
  'null',
  '',
  'https://',
  'javascript://www.example.com',
])('a page of %j may not', (origin) => {
  expect(isAllowed(origin, DOMAINS)).toBe(false);
});

test('no text but a listed origin is ever allowed, and none breaks the check', () => {
  fc.assert(fc.property(fc.string(), (text) => !isAllowed(text, DOMAINS)));
  fc.assert(fc.property(fc.webUrl(), (url) => !isAllowed(new URL(url).origin, DOMAINS)));
});

test('an origin is of the host that serves the page, whatever a proxy made of the scheme', () => {
  expect(isOf('https://parley.example', 'parley.example')).toBe(true);
  expect(isOf('http://127.0.0.1:8080', '127.0.0.1:8080')).toBe(true);
  expect(isOf('https://parley.example:8443', 'parley.example')).toBe(false);
  expect(isOf('null', 'null')).toBe(false);
});
