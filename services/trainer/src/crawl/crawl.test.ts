import { expect, test } from '@jest/globals';
import { crawlAll, links, redirect, site, testFetcher, text } from './testing/test-site.ts';

test('every page of the site is listed once, whatever its addresses, and other sites are not', async () => {
  const other = await site({ '/': links() });
  const { origin, asked } = await site({
    '/docs/': links('a', 'a#part', './a?utm_source=x', 'b?y=2&x=1', 'b?x=1&y=2', '/docs/', `${other.origin}/`, 'c.zip'),
    '/docs/a': links('../docs/', 'b?x=1&y=2'),
    '/docs/b?x=1&y=2': links('/outside'),
    '/outside': links(),
  });
  const { pages, end, outcomes } = await crawlAll(`${origin}/docs/#top`);
  expect(outcomes).toEqual({
    '/docs/': 'loaded',
    '/docs/a': 'loaded',
    '/docs/b?x=1&y=2': 'loaded',
    '/outside': 'loaded',
  });
  expect(end).toEqual({ limits: [], notes: [] });
  expect(pages[0]).toMatchObject({ pageUrl: '/docs/', url: `${origin}/docs/`, found: 3 });
  expect(pages.at(-1)!.found).toBe(4);
  expect(asked.filter((path) => path.startsWith('/docs/a'))).toEqual(['/docs/a']);
  expect(other.asked).toEqual([]);
});

test('a loaded page has its text, bytes, hash and validators', async () => {
  const body = '<title>Title</title><p>Text.</p>';
  const { origin } = await site({
    '/': (_, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html', etag: '"1"', 'last-modified': 'Mon, 01 Jan 2024' })
        .end(body),
  });
  const { pages } = await crawlAll(origin);
  expect(pages).toEqual([
    {
      outcome: 'loaded',
      pageUrl: '/',
      url: `${origin}/`,
      title: 'Title',
      text: '[["text","Text."]]',
      kept: 1,
      language: undefined,
      raw: Buffer.from(body),
      contentType: 'text/html',
      contentHash: expect.stringMatching(/^[\da-f]{64}$/),
      etag: '"1"',
      lastModified: 'Mon, 01 Jan 2024',
      links: [],
      found: 1,
    },
  ]);
});

test('plain text and markdown are pages; anything that is not text is not listed', async () => {
  const { origin } = await site({
    '/': links('notes', 'guide', 'image', 'data', 'xhtml'),
    '/notes': text('Just notes.'),
    '/guide': text('# The guide\n\nSteps.', 'text/markdown; charset=utf-8'),
    '/image': text('x', 'image/png'),
    '/data': text('{}', 'application/json'),
    '/xhtml': text('<html><head><script src="x"/></head><body><p>XHTML.</p></body></html>', 'application/xhtml+xml'),
  });
  const { pages, outcomes } = await crawlAll(origin);
  expect(outcomes).toEqual({ '/': 'loaded', '/notes': 'loaded', '/guide': 'loaded', '/xhtml': 'loaded' });
  const byName = new Map(pages.map((page) => [page.pageUrl, page]));
  expect(byName.get('/notes')).toMatchObject({ title: 'notes', text: '[["text","Just notes."]]', kept: 1 });
  expect(byName.get('/guide')).toMatchObject({ title: 'The guide', text: '[[1,"The guide"],["text","Steps."]]' });
  expect(byName.get('/xhtml')).toMatchObject({ text: '[["text","XHTML."]]' });
});

test('a page that fails is listed with a sentence, and any links on it are followed', async () => {
  const { origin } = await site({
    '/': links('missing', 'broken', 'empty', 'large', 'cut'),
    '/broken': (_, response) => response.writeHead(500).end(),
    '/empty': '<a href="behind"></a>',
    '/behind': links(),
    '/large': (_, response) => response.writeHead(200, { 'content-length': 6_000_000 }).flushHeaders(),
    '/cut': (request) => request.socket.destroy(),
  });
  expect((await crawlAll(origin)).outcomes).toEqual({
    '/': 'loaded',
    '/missing': 'The page answered 404 Not Found.',
    '/broken': 'The page answered 500 Internal Server Error.',
    '/empty': 'No readable text was found on this page.',
    '/behind': 'loaded',
    '/large': 'The page is larger than 5 MB.',
    '/cut': '127.0.0.1 closed the connection before the page was complete.',
  });
});

test('redirects name a page; those that leave the site, or lead to what robots.txt refuses, are not listed', async () => {
  const other = await site({ '/': links() });
  const { origin } = await site({
    '/': links('old', 'new', 'away', 'refused'),
    '/robots.txt': text('User-agent: *\nDisallow: /private'),
    '/old': redirect('/new'),
    '/new': links(),
    '/away': redirect(`${other.origin}/`),
    '/refused': redirect('/private'),
  });
  const { outcomes, pages } = await crawlAll(origin);
  expect(outcomes).toEqual({ '/': 'loaded', '/new': 'loaded' });
  expect(pages).toHaveLength(2);
  expect(other.asked).toEqual([]);
});

test('the site is the origin that the start page redirects to, and its own robots.txt holds', async () => {
  const target = await site({
    '/home': links('next', 'secret'),
    '/next': links(),
    '/robots.txt': text('User-agent: ParleyBot\nDisallow: /secret'),
  });
  const start = await site({ '/': redirect(`${target.origin}/home`) });
  expect((await crawlAll(start.origin)).outcomes).toEqual({ '/home': 'loaded', '/next': 'loaded' });
  expect(target.asked[0]).toBe('/robots.txt');
  expect(target.asked).not.toContain('/secret');
});

test('pages without links to them are found through the sitemap', async () => {
  const { origin, answers } = await site({ '/': links(), '/island': links(), '/private': links() });
  const entry = (path: string) => `<url><loc> ${origin}${path} </loc></url>`;
  answers['/robots.txt'] = text(`User-agent: *\nDisallow: /private\nSitemap: ${origin}/index.xml`);
  answers['/index.xml'] = text(
    `<sitemapindex><sitemap><loc>${origin}/map.xml</loc></sitemap></sitemapindex>`,
    'text/xml',
  );
  answers['/map.xml'] = text(
    `<urlset>${entry('/island')}${entry('/private')}${entry('/a?b=1&amp;a=2')}</urlset>`,
    'text/xml',
  );
  expect((await crawlAll(origin)).outcomes).toEqual({
    '/': 'loaded',
    '/island': 'loaded',
    '/a?a=2&b=1': 'The page answered 404 Not Found.',
  });
});

test('a site that cannot be entered fails with a sentence; a start page that the site refuses is a failed page', async () => {
  const { origin } = await site({
    '/pdf': text('%PDF', 'application/pdf'),
    '/robots.txt': text('User-agent: *\nDisallow: /private'),
    '/loop': redirect('/loop'),
  });
  expect((await crawlAll(`${origin}/gone`)).outcomes).toEqual({ '/gone': 'The page answered 404 Not Found.' });
  await expect(crawlAll(`${origin}/pdf`)).rejects.toThrow('leads to application/pdf, not to a web page');
  await expect(crawlAll(`${origin}/private/x`)).rejects.toThrow('robots.txt does not let ParleyBot read');
  await expect(crawlAll(`${origin}/loop`)).rejects.toThrow('redirects more than 5 times');
  await expect(crawlAll('http://10.0.0.1/')).rejects.toThrow('CRAWL_ALLOW');
});

test.each([
  [503, 'robots.txt answers 503'],
  [429, 'robots.txt answers 429'],
])('a robots.txt that answers %i forbids the site for now', async (status, sentence) => {
  const { origin, asked } = await site({
    '/': links(),
    '/robots.txt': (_, response) => response.writeHead(status).end(),
  });
  await expect(crawlAll(origin)).rejects.toThrow(sentence);
  expect(asked).toEqual(['/robots.txt']);
});

test("the site's crawl delay is kept between requests", async () => {
  const times: number[] = [];
  const { origin } = await site({
    '/': links('a', 'b'),
    '/robots.txt': text('User-agent: *\nCrawl-delay: 0.2'),
    '*': (_, response) => {
      times.push(performance.now());
      response.setHeader('content-type', 'text/html').end(links());
    },
  });
  const began = performance.now();
  await crawlAll(origin);
  expect(times).toHaveLength(3); // two pages and the sitemap
  // Not since the first one arrived: on a slow machine it may be late, and the others on time.
  expect(times[2]! - began).toBeGreaterThan(595);
});

test('two crawls of one site keep its delay between them', async () => {
  let count = 0;
  const { origin } = await site({
    '/robots.txt': text('User-agent: *\nCrawl-delay: 0.2'),
    '*': (_, response) => {
      count++;
      response.setHeader('content-type', 'text/html').end(links());
    },
  });
  const fetcher = testFetcher();
  const began = performance.now();
  await Promise.all([crawlAll(`${origin}/a`, { fetcher }), crawlAll(`${origin}/b`, { fetcher })]);
  expect(count).toBe(4); // a page and the sitemap, twice
  expect(performance.now() - began).toBeGreaterThan(595);
});

test('an unchanged page is recognised by its validators or its bytes, and its links are followed', async () => {
  const { origin, answers } = await site({
    '/': (request, response) =>
      request.headers['if-none-match'] === '"1"'
        ? response.writeHead(304).end()
        : response.writeHead(200, { 'content-type': 'text/html', etag: '"1"' }).end(links('same', 'edited')),
    '/same': links('leaf'),
    '/edited': links(),
    '/leaf': links(),
  });
  const first = await crawlAll(origin);
  answers['/edited'] = '<p>Edited.</p>';
  const kept = new Map(first.pages.flatMap((page) => (page.outcome === 'loaded' ? [[page.pageUrl, page]] : [])));
  const second = await crawlAll(origin, { previous: async (pageUrl) => kept.get(pageUrl) });
  expect(second.outcomes).toEqual({
    '/': 'unchanged',
    '/same': 'unchanged',
    '/edited': 'loaded',
    '/leaf': 'unchanged',
  });
});

test('a page that has come to redirect is read, although the other one takes its validators for its own', async () => {
  const html = { 'content-type': 'text/html', etag: '"1"' };
  const { origin, answers } = await site({
    '/': links('old'),
    '/old': (_, response) => response.writeHead(200, html).end('<p>Old.</p>'),
    '/new': (request, response) =>
      request.headers['if-none-match'] === '"1"'
        ? response.writeHead(304).end()
        : response.writeHead(200, html).end('<p>New.</p>'),
  });
  const first = await crawlAll(origin);
  answers['/old'] = (_, response) => response.writeHead(301, { location: '/new' }).end();
  const kept = new Map(first.pages.flatMap((page) => (page.outcome === 'loaded' ? [[page.pageUrl, page]] : [])));
  const second = await crawlAll(origin, { previous: async (pageUrl) => kept.get(pageUrl) });
  expect(second.outcomes).toEqual({ '/': 'unchanged', '/new': 'loaded' });
});
