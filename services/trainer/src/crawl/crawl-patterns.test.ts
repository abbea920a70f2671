import { expect, test } from '@jest/globals';
import { crawlAll, limits, links, redirect, site, text } from './testing/test-site.ts';

const choosing = (include: string[], exclude: string[] = []) => ({ patterns: { include, exclude } });

/** The pages that were requested. */
const pagesOf = (asked: readonly string[]) =>
  asked.filter((path) => path !== '/robots.txt' && path !== '/sitemap.xml').sort();

const SHOP = {
  '/': links('/docs/a', '/docs/b', '/blog/', '/about'),
  '/docs/a': links('/docs/old/c', '/blog/d'),
  '/docs/b': links(),
  '/docs/old/c': links('/docs/e'),
  '/docs/e': links(),
  '/blog/': links('/docs/hidden'),
  '/about': links(),
};

test('with include, only matching pages are requested and listed, and the start page is read for its links', async () => {
  const { origin, asked } = await site(SHOP);
  const { outcomes, end } = await crawlAll(origin, choosing(['/docs/']));
  expect(outcomes).toEqual({
    '/docs/a': 'loaded',
    '/docs/b': 'loaded',
    '/docs/old/c': 'loaded',
    '/docs/e': 'loaded',
  });
  expect(end).toEqual({ limits: [], notes: [] });
  expect(pagesOf(asked)).toEqual(['/', '/docs/a', '/docs/b', '/docs/e', '/docs/old/c']);
});

test('excluded pages are not requested, even if included, nor are pages behind them', async () => {
  const { origin, asked } = await site(SHOP);
  const { outcomes } = await crawlAll(origin, choosing(['/docs/', '/$'], ['/*/old/', '/docs/b$']));
  expect(outcomes).toEqual({ '/': 'loaded', '/docs/a': 'loaded' });
  expect(pagesOf(asked)).toEqual(['/', '/docs/a']);
});

test('an excluded start page counts neither as a page nor against the limit of pages', async () => {
  const { origin } = await site(SHOP);
  const one = await crawlAll(origin, { ...choosing(['/docs/']), limits: { ...limits, pages: 1, concurrency: 1 } });
  expect(one.pages).toHaveLength(1);
  expect(one.end).toMatchObject({ limits: ['pages'] });
  // Of the pages that the start page links to, two are chosen; the first of them links to one more.
  expect(one.pages[0]!.found).toBe(3);
});

test('pages of a sitemap are chosen, too', async () => {
  const map = ['/docs/x', '/docs/y', '/private'].map((path) => `<loc>ORIGIN${path}</loc>`).join('');
  const { origin, asked } = await site({
    '/': links(),
    '/sitemap.xml': ({ headers }, response) =>
      response.end(`<urlset>${map.replaceAll('ORIGIN', `http://${headers.host}`)}</urlset>`),
    '*': links(),
  });
  const { outcomes } = await crawlAll(origin, choosing(['/docs/'], ['/docs/y']));
  expect(outcomes).toEqual({ '/docs/x': 'loaded' });
  expect(asked).not.toContain('/private');
});

test('a redirect to a page that is not chosen is not followed; that of the start page is', async () => {
  const { origin, asked } = await site({
    '/': redirect('/home'),
    '/home': links('/docs/a', '/docs/moved', '/docs/here'),
    '/docs/a': links(),
    '/docs/moved': redirect('/private'),
    '/docs/here': redirect('/docs/a2'),
    '/docs/a2': links(),
    '/private': links(),
  });
  const { outcomes } = await crawlAll(origin, choosing(['/docs/']));
  expect(outcomes).toEqual({ '/docs/a': 'loaded', '/docs/a2': 'loaded' });
  expect(asked).not.toContain('/private');
});

test('a page that declares a canonical address that is not chosen is listed under its own', async () => {
  const { origin } = await site({
    '/docs/a': `<link rel="canonical" href="/b">${links()}`,
    '/docs/c': `<link rel="canonical" href="/docs/d">${links()}`,
    '/docs/d': links(),
    '/docs/home': links('x'),
    '/': `<link rel="canonical" href="/docs/home">${links('/docs/a', '/docs/c')}`,
  });
  const { outcomes } = await crawlAll(origin, choosing(['/docs/']));
  expect(outcomes).toEqual({ '/docs/a': 'loaded', '/docs/d': 'loaded' });
});

test('robots.txt applies to chosen pages, too', async () => {
  const { origin, asked } = await site({ ...SHOP, '/robots.txt': text('User-agent: *\nDisallow: /docs/b') });
  const { outcomes } = await crawlAll(origin, choosing(['/docs/'], ['/docs/old/']));
  expect(outcomes).toEqual({ '/docs/a': 'loaded' });
  expect(asked).not.toContain('/docs/b');
});

test('a crawl in which no page matches fails and says so; if the start page cannot be read, it says that, too', async () => {
  const { origin, answers } = await site({ ...SHOP });
  await expect(crawlAll(origin, choosing(['/nowhere/']))).rejects.toThrow(
    'No page of this website matches its include and exclude patterns. Change them, then train it again.',
  );
  await expect(crawlAll(origin, choosing([], ['/']))).rejects.toThrow('matches its include and exclude patterns');
  delete answers['/'];
  await expect(crawlAll(origin, choosing(['/docs/']))).rejects.toThrow(
    /matches its include and exclude patterns.*start page.*404/,
  );
});

test('a start page that is not chosen and fails is not listed, and the sitemap still leads to the pages', async () => {
  const { origin } = await site({
    '/sitemap.xml': ({ headers }, response) =>
      response.end(`<urlset><loc>http://${headers.host}/docs/a</loc></urlset>`),
    '/docs/a': links('/docs/b'),
    '/docs/b': links(),
  });
  expect((await crawlAll(origin, choosing(['/docs/']))).outcomes).toEqual({ '/docs/a': 'loaded', '/docs/b': 'loaded' });
});

test('a limit that left nothing but the start page is reported as that limit, not as patterns that match nothing', async () => {
  const { origin } = await site(SHOP);
  const { pages, end } = await crawlAll(origin, { ...choosing(['/docs/']), limits: { ...limits, depth: 0 } });
  expect([pages, end]).toEqual([[], { limits: ['depth'], notes: [] }]);
});

test('patterns made to stall a matcher, on a site of addresses made for them, end with their pages', async () => {
  const long = `/${'a'.repeat(1_900)}`;
  const many = Array.from({ length: 400 }, (_, i) => `${long}${i}`);
  const { origin } = await site({ '/': links(...many, '/x'), '/x': links() });
  const hostile = Array.from({ length: 50 }, (_, i) => `/${'*a'.repeat(90)}${'*aaab'.repeat(3)}${i}$`);
  const { outcomes } = await crawlAll(origin, choosing(['/x', ...hostile.slice(1)], hostile));
  expect(outcomes).toEqual({ '/x': 'loaded' });
});
