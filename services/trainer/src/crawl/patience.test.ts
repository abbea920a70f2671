import { expect, test } from '@jest/globals';
import { ReadingFailed } from '@parley/runtime/sandbox';
import type { Reader, Readers } from '../sandbox/readers.ts';
import { LateAnswer, LoadError } from './http/load-error.ts';
import { createPatience, SiteGivenUp } from './patience.ts';
import { crawlAll, limits, links, readers, site, testFetcher } from './testing/test-site.ts';

const paths = Array.from({ length: 50 }, (_, i) => `/${i}`);

test('a site is given up after five pages that are too complex to be read', async () => {
  const { origin, asked } = await site({
    '/': links(...paths),
    '*': '<p>x',
  });
  await expect(crawlAll(origin, { readers: tired(readers) })).rejects.toThrow(
    'The site was given up: 5 of its pages are too complex to be read.',
  );
  expect(asked.length).toBeLessThan(20);
});

/** Numbered pages fail as those do that keep a reader busy for 20 s, which is too long for a test. */
const tired = (readers: Readers): Readers => ({
  ...readers,
  reader() {
    const reader = readers.reader();
    const read: Reader['read'] = (name, input, signal) =>
      'url' in input && /\/\d+$/.test(input.url)
        ? Promise.reject(new ReadingFailed('time', 20_000))
        : reader.read(name, input, signal);
    return { read };
  },
});

test('a site is given up after ten slow pages in a row', async () => {
  const fetcher = testFetcher();
  const hurried = { ...fetcher, get: hurry(fetcher.get) };
  const { origin, asked } = await site({
    '/': links(...paths),
    '/robots.txt': (_, response) => response.writeHead(404).end(),
    '*': (_, response) => void response.writeHead(200, { 'content-type': 'text/html' }).write('<p>'),
  });
  await expect(crawlAll(origin, { fetcher: hurried, limits: { ...limits, concurrency: 2 } })).rejects.toThrow(
    'The site was given up: 10 pages in a row did not answer in time.',
  );
  expect(asked.length).toBeLessThan(20);
});

/** A page may take 20 s, which is too long for a test. */
const hurry =
  (get: ReturnType<typeof testFetcher>['get']): typeof get =>
  (url, options) =>
    get(url, { ...options, timeoutMs: /\/\d+$/.test(url) ? 300 : options.timeoutMs });

test('other failures and answers in between do not count', () => {
  const patience = createPatience();
  for (let i = 0; i < 30; i++) {
    patience.failed(new LateAnswer('late'));
    if (i % 9 === 8) patience.answered();
  }
  for (let i = 0; i < 30; i++) patience.failed(new LoadError('404'));
  for (let i = 0; i < 9; i++) patience.failed(new LateAnswer('late'));
  expect(() => patience.failed(new LateAnswer('late'))).toThrow(SiteGivenUp);
});
