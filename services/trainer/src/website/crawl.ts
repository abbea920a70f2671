import type { Fetcher } from '../http/fetcher.ts';
import { LoadError } from '../http/load-error.ts';
import { seconds } from '../http/sentences.ts';
import { pageOfSite } from './address.ts';
import type { Extractor } from './extractor.ts';
import { createFrontier, type Step } from './frontier.ts';
import {
  type FailedPage,
  type LoadedPage,
  type Previous,
  readPage,
  type Site,
  type UnchangedPage,
  type Visit,
  visitPage,
} from './page.ts';
import { createPool } from './pool.ts';
import { openSite } from './site.ts';
import { readSitemaps } from './sitemap.ts';

/** Addresses remembered for each page that may be listed: some lead nowhere, a calendar leads on for ever. */
const ADDRESSES_PER_PAGE = 10;

export interface CrawlLimits {
  /** Pages listed, whatever their outcome. */
  readonly pages: number;
  /** Links from the start page; pages of a sitemap are one link away. */
  readonly depth: number;
  /** Of all pages together, after decompression; what is under way when it is reached is still taken. */
  readonly bytes: number;
  readonly millis: number;
  readonly concurrency: number;
  /** Between the beginnings of two requests; a longer crawl delay of the site wins. */
  readonly perHostDelayMs: number;
}

export interface CrawlOptions {
  readonly fetcher: Fetcher;
  readonly extractor: Extractor;
  readonly limits: CrawlLimits;
  readonly signal?: AbortSignal;
  /** What is kept of a page from an earlier crawl; then it is asked for only if it has changed. */
  readonly previous?: (pageUrl: string) => Promise<Previous | undefined>;
}

/** `found` counts the pages known so far: listed, under way and waiting. */
export type CrawledPage = (LoadedPage | UnchangedPage | FailedPage) & { readonly found: number };

export interface CrawlEnd {
  /** The limit that left pages of the site unread, if one did. */
  readonly limit?: 'pages' | 'depth' | 'bytes' | 'time';
}

/**
 * The pages of the site that an address leads to (the origin of the start page after redirects, all of it), breadth
 * first, each once. Throws a LoadError if the site can't be entered, and the signal's reason once that is aborted.
 */
export async function* crawl(start: string, options: CrawlOptions): AsyncGenerator<CrawledPage, CrawlEnd> {
  const { fetcher, extractor, limits, previous = async () => undefined } = options;
  const left = new AbortController();
  const deadline = AbortSignal.timeout(limits.millis);
  const signal = AbortSignal.any([left.signal, deadline, ...(options.signal ? [options.signal] : [])]);
  const pages = pagesOfSite(start, limits, { fetcher, extractor, previous, signal });
  let listed = false;
  try {
    for (;;) {
      const next = await pages.next();
      if (next.done) return next.value;
      yield next.value;
      listed = true;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!deadline.aborted) throw error;
    if (!listed) throw new LoadError(`The site could not be read within ${seconds(limits.millis)}.`);
    return { limit: 'time' };
  } finally {
    left.abort();
  }
}

type SiteParts = Pick<Site, 'fetcher' | 'extractor' | 'previous' | 'signal'>;

const SITEMAPS: Step = { pageUrl: '/sitemap.xml', depth: 0 };

async function* pagesOfSite(
  start: string,
  limits: CrawlLimits,
  parts: SiteParts,
): AsyncGenerator<CrawledPage, CrawlEnd> {
  const { site, pageUrl, fetched, previous } = await openSite(start, limits.perHostDelayMs, parts);
  const frontier = createFrontier({
    depth: limits.depth,
    addresses: limits.pages * ADDRESSES_PER_PAGE,
    allows: (name) => site.robots.allows(site.origin + name),
  });
  const pool = createPool<Step, Visit>(site.signal);
  let bytes = 0;
  const hasRoom = () =>
    pool.size < limits.concurrency && frontier.listed + pool.size < limits.pages && bytes < limits.bytes;

  frontier.add([pageUrl], 0);
  pool.start(frontier.next()!, readPage(site, pageUrl, fetched, previous));
  pool.start(SITEMAPS, visitSitemaps(site));
  while (pool.size > 0) {
    const [step, visit] = await pool.next();
    bytes += visit.bytes;
    frontier.add(visit.links, step.depth + 1);
    const isNew = visit.page && frontier.list(visit.page.pageUrl);
    while (hasRoom()) {
      const next = frontier.next();
      if (!next) break;
      pool.start(next, visitPage(site, next.pageUrl));
    }
    const found = frontier.listed + frontier.waiting + pool.size - (pool.has(SITEMAPS) ? 1 : 0);
    if (isNew) yield { ...visit.page!, found };
  }
  if (!frontier.next()) return { limit: frontier.left };
  return { limit: bytes < limits.bytes ? 'pages' : 'bytes' };
}

async function visitSitemaps({ fetcher, origin, robots, signal }: Site): Promise<Visit> {
  const pages = await readSitemaps(fetcher, [...robots.sitemaps, origin + SITEMAPS.pageUrl], signal);
  return { links: pages.flatMap((page) => pageOfSite(page, origin) ?? []), bytes: 0 };
}
