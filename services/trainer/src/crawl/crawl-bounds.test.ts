import { EventEmitter, once } from 'node:events';
import { expect, test } from '@jest/globals';
import { crawl } from './crawl.ts';
import type { CrawlLimit, CrawlLimits } from './crawl-limits.ts';
import {
  crawlAll,
  documentLimits,
  limits,
  links,
  readers,
  redirect,
  site,
  testFetcher,
  text,
} from './testing/test-site.ts';

test.each<[CrawlLimit, Partial<CrawlLimits>, number]>([
  ['pages', { pages: 7 }, 7],
  ['depth', { depth: 3 }, 4],
  ['bytes', { bytes: 500 }, 1],
  ['time', { millis: 1500 }, 1],
])('a calendar without end is bounded by %s', async (limit, bound, least) => {
  const { origin } = await site({
    '*': (request, response) => {
      const day = Number(new URL(request.url!, 'http://x').searchParams.get('day'));
      response.setHeader('content-type', 'text/html').end(`<p>Day ${day}.</p>${links(`/?day=${day + 1}`)}`);
    },
  });
  const { pages, end } = await crawlAll(`${origin}/?day=0`, {
    limits: { ...limits, pages: 100_000, depth: 1e6, ...bound },
  });
  expect(end).toEqual({ limits: [limit], notes: [] });
  expect(pages.length).toBeGreaterThanOrEqual(least);
  if (limit === 'pages' || limit === 'depth') expect(pages).toHaveLength(least);
});

test('a site on which every address redirects to another one ends', async () => {
  const { origin } = await site({
    '/': links('a'),
    '/robots.txt': text(''),
    '*': (request, response) => redirect(`${request.url}x`)(request, response),
  });
  expect((await crawlAll(origin)).outcomes).toEqual({ '/': 'loaded', '/a': 'The page redirects more than 5 times.' });
});

test("an aborted crawl ends at once, not with the page it waits for, and with its signal's reason", async () => {
  const abort = new AbortController();
  let stoppedAt = 0;
  const { origin } = await site({
    '/': links('slow'),
    '/slow': () => {
      stoppedAt = performance.now();
      abort.abort(new Error('lease lost'));
    },
  });
  await expect(crawlAll(origin, { signal: abort.signal })).rejects.toThrow('lease lost');
  expect(performance.now() - stoppedAt).toBeLessThan(5_000); // a page may take 20 s
});

test('a caller that stops early ends the requests in flight', async () => {
  const answers = new EventEmitter();
  const held = once(answers, 'held');
  const { origin } = await site({ '/': links('slow'), '/slow': (_, response) => answers.emit('held', response) });
  for await (const page of crawl(origin, { fetcher: testFetcher(), readers, limits, documentLimits })) {
    expect(page.pageUrl).toBe('/');
    await held;
    break;
  }
  const [response] = await held;
  await once(response, 'close');
});
