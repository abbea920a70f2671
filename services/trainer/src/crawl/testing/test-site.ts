import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach } from '@jest/globals';
import type { DocumentLimits } from '@parley/reading/documents';
import { parseAllowList } from '@parley/runtime/outbound';
import { createReaders } from '../../sandbox/readers.ts';
import { type CrawlEnd, type CrawlOptions, crawl } from '../crawl.ts';
import type { CrawlLimits } from '../crawl-limits.ts';
import { createFetcher, type Fetcher } from '../http/fetcher.ts';
import type { CrawledPage } from '../page.ts';

type Answer = string | ((request: IncomingMessage, response: ServerResponse) => unknown);

export const limits: CrawlLimits = {
  pages: 50,
  depth: 10,
  bytes: 10_000_000,
  millis: 60_000,
  concurrency: 4,
  perHostDelayMs: 0,
};
export const documentLimits: DocumentLimits = { pages: 100, rows: 100, characters: 100_000 };
export const readers = createReaders();
const ending: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ending.splice(0)) await end();
});
afterAll(() => readers.close());

/** A site with the given paths. A string is the body of an HTML page; missing paths are 404. */
export async function site(answers: Record<string, Answer>) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url!);
    const answer = answers[request.url!] ?? answers['*'];
    if (answer === undefined) response.writeHead(404).end();
    else if (typeof answer === 'string') response.setHeader('content-type', 'text/html').end(answer);
    else answer(request, response);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  ending.push(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, asked, answers };
}

export function testFetcher(): Fetcher {
  const fetcher = createFetcher({ allow: parseAllowList('127.0.0.0/8'), userAgent: 'ParleyBot/test' });
  ending.push(() => fetcher.close());
  return fetcher;
}

export async function crawlAll(start: string, options: Partial<CrawlOptions> = {}) {
  const crawling = crawl(start, { fetcher: testFetcher(), readers, limits, documentLimits, ...options });
  const pages: CrawledPage[] = [];
  let end: CrawlEnd = { limits: [], notes: [] };
  for (;;) {
    const next = await crawling.next();
    if (next.done) end = next.value;
    else pages.push(next.value);
    if (next.done) return { pages, end, outcomes: outcomesOf(pages) };
  }
}

/** The outcome of each page: `loaded`, `unchanged`, or why it failed. */
function outcomesOf(pages: readonly CrawledPage[]): Record<string, string> {
  return Object.fromEntries(
    pages.map((page) => [page.pageUrl, page.outcome === 'failed' ? page.reason : page.outcome]),
  );
}

export const links = (...hrefs: string[]) => `<p>A page.</p>${hrefs.map((href) => `<a href="${href}">x</a>`).join('')}`;
export const text =
  (body: string, type = 'text/plain') =>
  (_: IncomingMessage, response: ServerResponse) =>
    response.setHeader('content-type', type).end(body);
export const redirect = (location: string) => (_: IncomingMessage, response: ServerResponse) =>
  response.writeHead(302, { location }).end();
