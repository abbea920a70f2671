import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { canonical, isPdfAddress, pageOfSite, pageUrlOf, withoutVariation } from './address.ts';

const parameter = fc.tuple(
  fc.oneof(fc.constantFrom('utm_source', 'fbclid', 'gclid', 'a', 'b', 'A', ''), fc.string({ maxLength: 5 })),
  fc.string({ maxLength: 5 }),
);
const address = fc
  .tuple(fc.webPath(), fc.array(parameter, { maxLength: 5 }), fc.string({ maxLength: 5 }))
  .map(([path, query, hash]) => new URL(`https://example.org:443/${path}?${new URLSearchParams(query)}#${hash}`));

test('a canonical address is its own canonical form', () => {
  fc.assert(
    fc.property(address, (url) => {
      const once = canonical(url);
      expect(canonical(once).href).toBe(once.href);
      expect(canonical(new URL(once.href)).href).toBe(once.href);
      expect(pageUrlOf(new URL(url.origin + pageUrlOf(url)))).toBe(pageUrlOf(url));
    }),
  );
});

test('the order of the query, the fragment and tracking do not make another page', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,4}$/), { maxLength: 5 }), fc.string(), (names, hash) => {
      const url = new URL(`https://example.org/page?${names.map((name) => `${name}=1`).join('&')}`);
      const other = new URL(
        `https://example.org/page?utm_x=2&${names
          .reverse()
          .map((name) => `${name}=1`)
          .join('&')}#`,
      );
      other.hash = hash;
      expect(pageUrlOf(other)).toBe(pageUrlOf(url));
    }),
  );
});

test.each([
  ['http://example.org:80', '/'],
  ['http://example.org/a/../b#c', '/b'],
  ['http://example.org/a?b=2&a=1&UTM_Source=x&gclid=1', '/a?a=1&b=2'],
  ['http://example.org/a?', '/a'],
  ['http://example.org/a?mc_cid=1&yclid=2&b=1&_gl=3', '/a?b=1'],
  ['http://example.org/a?PHPSESSID=1&sessionid=2&sid=3', '/a?sid=3'],
  ['http://example.org/a;jsessionid=0AB.n1/b;jsessionid=2?x=1', '/a/b?x=1'],
  ['http://example.org/manual.PDF?v=1', '/manual.PDF?v=1'],
  ['http://example.org/a?x=2&x=1', '/a?x=2&x=1'],
  ['http://example.org/docs/', '/docs/'],
  ['http://example.org/docs/index.html', '/docs/index.html'],
])('%s is the page %s', (url, pageUrl) => {
  expect(pageOfSite(url, 'http://example.org')).toBe(pageUrl);
});

test.each([
  'https://example.org/',
  'http://www.example.org/',
  'http://example.org:8080/',
  'http://user@example.org/',
  'mailto:a@example.org',
  'http://example.org/manual.ZIP?v=1',
  `http://example.org/${'x'.repeat(3000)}`,
  'http://[',
])('%s is no page of http://example.org', (url) => {
  expect(pageOfSite(url, 'http://example.org')).toBeUndefined();
});

test('a PDF is known by the suffix of its path', () => {
  const addresses = ['/a.pdf', '/a.PDF?v=1', '/a?file=b.pdf', '/a.pdf/b', '/pdf'];
  expect(addresses.filter(isPdfAddress)).toEqual(['/a.pdf', '/a.PDF?v=1']);
});

test('the last slash, an index file and the query may vary; the rest of the path may not', () => {
  const same = ['/docs', '/docs/', '/docs/index.html', '/docs/Default.aspx?x=1', '/docs?print=1'];
  expect(new Set(same.map(withoutVariation))).toEqual(new Set(['/docs']));
  expect(new Set(['/', '/index.php'].map(withoutVariation))).toEqual(new Set(['']));
  expect(['/docs/a', '/docs/index', '/Docs', '/myindex.html'].map(withoutVariation)).toEqual([
    '/docs/a',
    '/docs/index',
    '/Docs',
    '/myindex.html',
  ]);
});
