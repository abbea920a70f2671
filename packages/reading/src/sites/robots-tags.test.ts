import { expect, test } from '@jest/globals';
import { canonicalOfHeader, headerTags, tagsOf } from './robots-tags.ts';

const NOTHING = { noindex: false, nofollow: false };
const url = 'http://example.org/docs/a';

test.each([
  ['noindex', { noindex: true, nofollow: false }],
  ['NoFollow , noarchive', { noindex: false, nofollow: true }],
  ['none', { noindex: true, nofollow: true }],
  ['index, follow, max-snippet:20', NOTHING],
  ['noindexing', NOTHING],
  ['', NOTHING],
])('a robots meta element that says "%s" is read', (content, tags) => {
  expect(tagsOf(content)).toEqual(tags);
});

test.each([
  [['noindex'], { noindex: true, nofollow: false }],
  [['noarchive, nofollow'], { noindex: false, nofollow: true }],
  [['googlebot: noindex, nofollow'], NOTHING],
  [['ParleyBot: noindex, nofollow'], { noindex: true, nofollow: true }],
  [['googlebot: noindex, parleybot: nofollow'], { noindex: false, nofollow: true }],
  [['unavailable_after: 25 Jun 2030 15:00:00 PST, noindex'], { noindex: true, nofollow: false }],
  [['googlebot: noindex', 'nofollow'], { noindex: false, nofollow: true }],
  [['googlebot: nofollow', 'otherbot: noindex'], NOTHING],
])('X-Robots-Tag headers %j mean %j for us', (values, tags) => {
  const headers = { 'x-robots-tag': values.join(',') };
  const head = values.length === 1 ? { headers } : { headers, repeated: { 'x-robots-tag': values } };
  expect(headerTags(head)).toEqual(tags);
});

test('a response without the header asks for nothing', () => {
  expect(headerTags({ headers: {} })).toEqual(NOTHING);
});

test.each([
  ['<http://example.org/b>; rel="canonical"', 'http://example.org/b'],
  ['</style.css>; rel=preload; as=style, <b?x=1,2>; rel=canonical', 'http://example.org/docs/b?x=1,2'],
  ['<b>; title="x"; rel=\'canonical\'', 'http://example.org/docs/b'],
  ['<b>; rel="next"', undefined],
  ['<http://[>; rel=canonical', undefined],
  ['canonical', undefined],
])('the Link header %s declares %s', (link, address) => {
  expect(canonicalOfHeader({ headers: { link }, url })).toBe(address);
});

test('a header as long as headers may be is read in no time', () => {
  const link = '<'.repeat(10_000) + '<a>;'.repeat(2_000) + ' '.repeat(10_000);
  expect(canonicalOfHeader({ headers: { link }, url })).toBeUndefined();
  expect(headerTags({ headers: { 'x-robots-tag': `${' a'.repeat(10_000)}:${' '.repeat(10_000)}` } })).toEqual(NOTHING);
});
