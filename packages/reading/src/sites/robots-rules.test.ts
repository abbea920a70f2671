import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { allowedBy, readRobots } from './robots-rules.ts';

const robots = (text: string) => ({ address: 'http://example.org/robots.txt', text: Buffer.from(text) });
const allowed = (text: string, path: string) => allowedBy({ ...robots(text), urls: [`http://example.org${path}`] })[0];

test('adjacent wildcards mean no more than one', () => {
  const run = fc.integer({ min: 1, max: 5 }).map((count) => '*'.repeat(count));
  const part = fc.stringMatching(/^[ab]{0,2}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(part, run), { maxLength: 4 }), fc.stringMatching(/^[ab]{0,8}$/), (parts, path) => {
      const rule = (star: (run: string) => string) =>
        `User-agent: *\nDisallow: /${parts.map(([text, run]) => text + star(run)).join('')}c$`;
      expect(
        allowed(
          rule((run) => run),
          `/${path}c`,
        ),
      ).toBe(
        allowed(
          rule(() => '*'),
          `/${path}c`,
        ),
      );
    }),
  );
});

test('a rule longer than any address is left out; one that an address can match is not', () => {
  const long = 'a'.repeat(2_000);
  expect(allowed(`User-agent: *\nDisallow: /${'a*'.repeat(2_000)}`, `/${long}`)).toBe(false);
  expect(allowed(`User-agent: *\nDisallow: /\nAllow: /${long.repeat(3)}`, '/')).toBe(false);
});

test('an address of more than 2,048 characters is not allowed', () => {
  expect(allowed('User-agent: *\nDisallow: /private', `/${'a'.repeat(2_048)}`)).toBe(false);
});

test('comments, byte order marks and old line ends are read as RFC 9309 says', () => {
  expect(allowed('\uFEFFUser-agent: *\rDisallow: /private # all of it\r', '/private/x')).toBe(false);
  expect(allowed('User-agent: other\r\nDisallow: /\r\n', '/')).toBe(true);
});

test('the delay and the sitemaps are bounded', () => {
  const sitemaps = Array.from({ length: 30 }, (_, i) => `Sitemap: http://example.org/${i}.xml\n`).join('');
  const facts = readRobots(robots(`User-agent: *\nCrawl-delay: 1e9\nSitemap: ${'x'.repeat(3_000)}\n${sitemaps}`));
  expect(facts).toMatchObject({ delayMs: 10_000, sitemaps: expect.arrayContaining(['http://example.org/0.xml']) });
  expect(facts.sitemaps).toHaveLength(20);
});
