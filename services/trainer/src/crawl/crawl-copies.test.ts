import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { crawlAll, limits, links, redirect, site, text } from './testing/test-site.ts';

const canonical = (href: string, body = links()) => `<link rel="canonical" href="${href}">${body}`;
const withHeader = (name: string, value: string, body: string) => (_: unknown, response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/html', [name]: value }).end(body);

test('a page that declares another one to be the canonical one is that page, whose own content is read', async () => {
  const other = await site({ '/': links() });
  const { origin, asked } = await site({
    '/': links('print?id=1', 'print?id=2', 'header', 'article', 'stranger', 'self'),
    '/article': canonical('/article', '<p>The article.</p>'),
    '/print?id=1': canonical('/article', '<p>The article, for printing.</p>'),
    '/print?id=2': canonical('/hidden?utm_source=x', '<p>Printed.</p>'),
    '/hidden': '<p>Behind its copy only.</p>',
    '/header': withHeader('link', '<../article>; rel="canonical"', '<p>A copy.</p>'),
    '/stranger': canonical(`${other.origin}/`, '<p>Its own.</p>'),
    '/self': canonical('self#top', '<p>Itself.</p>'),
  });
  const { outcomes, pages, end } = await crawlAll(origin);
  expect(outcomes).toEqual({
    '/': 'loaded',
    '/article': 'loaded',
    '/hidden': 'loaded',
    '/stranger': 'loaded',
    '/self': 'loaded',
  });
  expect(pages.find(({ pageUrl }) => pageUrl === '/article')).toMatchObject({ text: '[["text","The article."]]' });
  expect(asked.filter((path) => path === '/article')).toHaveLength(1);
  expect(end.notes).toEqual([expect.stringMatching(/^3 pages .*\(canonical\)/)]);
  expect(other.asked).toEqual([]);
});

test('where the canonical page can not be read, one of the pages that declare it is listed under its own address', async () => {
  const { origin } = await site({
    '/': links('a', 'b', 'c', 'gone', 'd'),
    '/a': canonical('/missing', '<p>One.</p>'),
    '/b': canonical('/missing', '<p>Another.</p>'),
    '/c': canonical('/gone', '<p>A third.</p>'),
    '/d': canonical('/secret', '<p>A fourth.</p>'),
    '/secret': '<meta name="robots" content="noindex"><p>Not to be trained.</p>',
  });
  const { outcomes } = await crawlAll(origin);
  expect(outcomes).toEqual({
    '/': 'loaded',
    '/a': 'loaded',
    '/c': 'loaded',
    '/gone': 'The page answered 404 Not Found.',
    '/d': 'loaded',
  });
});

test('canonical addresses in a circle, in a chain, or made up without end neither end the crawl nor drop other pages', async () => {
  const { origin, asked } = await site({
    '/': links('a', 'b', 'one', 'endless', 'honest'),
    '/a': canonical('/b', '<p>A.</p>'),
    '/b': canonical('/a', '<p>B.</p>'),
    '/one': canonical('/two', '<p>One.</p>'),
    '/two': canonical('/three', '<p>Two.</p>'),
    '/three': '<p>Three.</p>',
    '/honest': '<p>Honest.</p>',
    '*': ({ url }, response) =>
      response.setHeader('content-type', 'text/html').end(canonical(`${url}x`, `<p>Page ${url}.</p>`)),
  });
  const { outcomes, pages } = await crawlAll(origin, { limits: { ...limits, pages: 10 } });
  expect(pages.length).toBeLessThanOrEqual(10);
  expect(outcomes).toMatchObject({ '/': 'loaded', '/a': 'loaded', '/three': 'loaded', '/honest': 'loaded' });
  expect(outcomes).not.toHaveProperty('/b');
  expect(outcomes).not.toHaveProperty('/one');
  expect(asked.length).toBeLessThan(250);
});

test('a page that claims the address of another one does not take its place', async () => {
  const { origin } = await site({
    '/': links('impostor', 'real'),
    '/impostor': canonical('/real', '<p>False.</p>'),
    '/real': '<p>True.</p>',
  });
  const { pages } = await crawlAll(origin, { limits: { ...limits, concurrency: 1 } });
  expect(pages.map(({ pageUrl }) => pageUrl)).toEqual(['/', '/real']);
  expect(pages[1]).toMatchObject({ text: '[["text","True."]]' });
});

test('a page that declares an address which redirects back to it is itself', async () => {
  const { origin } = await site({ '/': links('a'), '/a': canonical('/a/', '<p>A.</p>'), '/a/': redirect('/a') });
  expect((await crawlAll(origin)).outcomes).toEqual({ '/': 'loaded', '/a': 'loaded' });
});

test('the same content with and without a slash, an index file or a query is listed once; that of other paths is not', async () => {
  const same = '<p>The same.</p>';
  const { origin } = await site({
    '/': links('docs', 'docs/', 'docs/index.html', 'docs?print=1', 'other', 'news', 'news/'),
    '/docs': same,
    '/docs/': same,
    '/docs/index.html': same,
    '/docs?print=1': same,
    '/other': same,
    '/news': '<p>All news.</p>',
    '/news/': '<p>Other news.</p>',
  });
  const { outcomes, end } = await crawlAll(origin, { limits: { ...limits, concurrency: 1 } });
  expect(Object.keys(outcomes)).toEqual(['/', '/docs', '/other', '/news', '/news/']);
  expect(end.notes).toEqual([expect.stringMatching(/^3 pages have the same content under more than one address/)]);
});

test('a page marked noindex is not listed but its links are followed; one marked nofollow is listed without them', async () => {
  const meta = (content: string, href: string, name = 'robots') =>
    `<meta name="${name}" content="${content}">${links(href)}`;
  const { origin, asked } = await site({
    '/': links('noindex', 'nofollow', 'none', 'bot', 'header', 'header2', 'plain', 'google'),
    '/noindex': meta('noindex', '/behind-noindex'),
    '/behind-noindex': '<p>Behind.</p>',
    '/nofollow': meta('NOFOLLOW', '/behind-nofollow'),
    '/none': meta('none', '/behind-none'),
    '/bot': meta('noindex', '/behind-bot', 'ParleyBot'),
    '/behind-bot': '<p>Behind.</p>',
    '/google': meta('noindex', '/', 'googlebot'),
    '/header': withHeader('x-robots-tag', 'otherbot: nofollow, parleybot: noindex', links('/behind-header')),
    '/behind-header': '<p>Behind.</p>',
    '/header2': withHeader('x-robots-tag', 'nofollow', links('/behind-header2')),
    '/plain': (_, response) =>
      response.writeHead(200, { 'content-type': 'text/plain', 'x-robots-tag': 'noindex' }).end('Plain.'),
  });
  const { outcomes, end } = await crawlAll(origin);
  expect(Object.keys(outcomes).sort()).toEqual(
    ['/', '/behind-bot', '/behind-header', '/behind-noindex', '/google', '/header2', '/nofollow'].sort(),
  );
  for (const behind of ['nofollow', 'none', 'header2']) expect(asked).not.toContain(`/behind-${behind}`);
  expect(end.notes).toEqual([
    expect.stringMatching(/^5 pages ask.*\(noindex\)/),
    expect.stringMatching(/^3 pages ask.*\(nofollow\)/),
  ]);
});

test('a link marked nofollow is not followed, unless another one leads to the same page', async () => {
  const link = (href: string, rel: string) => `<a href="${href}" rel="${rel}">x</a>`;
  const { origin, asked } = await site({
    '/': `<p>Home.</p>${link('/a', 'external nofollow')}${link('/b', 'nofollow')}${link('/b', 'next')}`,
    '/b': '<p>B.</p>',
  });
  expect((await crawlAll(origin)).outcomes).toEqual({ '/': 'loaded', '/b': 'loaded' });
  expect(asked).not.toContain('/a');
});

test('a page whose text only scripts would show fails with what to do; one that merely has scripts is read', async () => {
  const app = (body: string) =>
    `<html><head><title>Shop</title></head><body>${body}<script src="/app.js"></script></body></html>`;
  const { origin } = await site({
    '/': links('root', 'notice', 'empty', 'rendered', 'short'),
    '/root': app('<noscript>You need to enable JavaScript to run this app.</noscript><div id="root">Loading…</div>'),
    '/notice': app('<p>Shop</p><noscript><b>Please enable JavaScript</b></noscript>'),
    '/empty': app('<div class="page"></div>'),
    '/rendered': app(`<div id="app"><p>${'Sold here is everything. '.repeat(10)}</p></div>`),
    '/short': app(
      '<p>Open from nine to five, on Sundays from ten to four.</p><noscript>Enable JavaScript to see the comments.</noscript>',
    ),
  });
  const { outcomes } = await crawlAll(origin);
  const needsScript = expect.stringMatching(/only with JavaScript.*upload the text/);
  expect(outcomes).toEqual({
    '/': 'loaded',
    '/root': needsScript,
    '/notice': needsScript,
    '/empty': needsScript,
    '/rendered': 'loaded',
    '/short': 'loaded',
  });
});

test('what limits left out of sitemaps and of one page is noted', async () => {
  const many = Array.from({ length: 2_001 }, (_, i) => `/?page=${i}`);
  const { origin } = await site({
    '/': links(...many),
    '/robots.txt': ({ headers }, response) =>
      response.end(
        `User-agent: *\nSitemap: http://${headers.host}/none.xml\nSitemap: http://${headers.host}/index.xml`,
      ),
    '/index.xml': ({ headers }, response) =>
      response.end(
        `<sitemapindex>${Array.from({ length: 30 }, (_, i) => `<loc>http://${headers.host}/${i}.xml</loc>`).join('')}</sitemapindex>`,
      ),
    '*': text('<urlset></urlset>', 'text/xml'),
    '/none.xml': (_, response) => response.writeHead(404).end(),
  });
  const { end } = await crawlAll(origin, { limits: { ...limits, pages: 1 } });
  expect(end).toEqual({
    limits: ['pages'],
    notes: [
      expect.stringContaining('more links than are followed'),
      'A sitemap of the site could not be read.',
      expect.stringContaining("Of the site's sitemaps, the first 20 were read."),
    ],
  });
});
