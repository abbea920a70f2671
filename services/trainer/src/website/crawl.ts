import { setMaxListeners } from 'node:events';
import type { PathPatterns } from '@parley/corpus/path-patterns';
import { linkedSignal } from '@parley/runtime';
import type { Fetcher } from '../http/fetcher.ts';
import { LoadError } from '../http/load-error.ts';
import { seconds } from '../http/sentences.ts';
import type { Readers } from '../reading/readers.ts';
import { choiceOf, everyPage } from './choice.ts';
import { createFrontier, type Frontier, type Step } from './frontier.ts';
import {
  type FailedPage,
  isChosen,
  type LoadedPage,
  type Previous,
  readPage,
  type Site,
  type UnchangedPage,
  type Visit,
  visitPage,
} from './page.ts';
import { createPatience } from './patience.ts';
import { createPool } from './pool.ts';
import { openSite } from './site.ts';
import { readSitemaps } from './sitemap.ts';

/** Addresses remembered per listed page: some lead nowhere, and a calendar is endless. */
const ADDRESSES_PER_PAGE = 10;

export interface CrawlLimits {
  /** Pages listed, whatever their outcome. */
  readonly pages: number;
  /** Links from the start page; pages of a sitemap are one link away. */
  readonly depth: number;
  /** For all pages together, after decompression; requests in flight when it is reached still count. */
  readonly bytes: number;
  readonly millis: number;
  readonly concurrency: number;
  /** Between the starts of two requests; a longer crawl delay of the site takes precedence. */
  readonly perHostDelayMs: number;
}

export interface CrawlOptions {
  readonly fetcher: Fetcher;
  readonly readers: Readers;
  readonly limits: CrawlLimits;
  readonly signal?: AbortSignal;
  /** The page as an earlier crawl stored it, for a conditional request. */
  readonly previous?: (pageUrl: string) => Promise<Previous | undefined>;
  /** Which pages to read; by default, all. */
  readonly patterns?: PathPatterns;
}

/** `found` counts the pages known so far: listed, in progress and waiting. */
export type CrawledPage = (LoadedPage | UnchangedPage | FailedPage) & { readonly found: number };

export interface CrawlEnd {
  /** The limit that left pages of the site unread, if one did. */
  readonly limit?: 'pages' | 'depth' | 'bytes' | 'time';
}

/**
 * The pages of the site that an address leads to (the origin of the start page after redirects, all of it), breadth
 * first, each once. Pages that the patterns do not choose are neither listed nor requested, except that the start page is
 * read for its links. Throws a LoadError if the site can't be entered, and the signal's reason once that is aborted.
 */
export async function* crawl(start: string, options: CrawlOptions): AsyncGenerator<CrawledPage, CrawlEnd> {
  const { fetcher, readers, limits, previous = async () => undefined, patterns = ALL } = options;
  const left = new AbortController();
  using bounds = linkedSignal([left.signal, ...(options.signal ? [options.signal] : [])], limits.millis);
  // Each request and each job in progress adds a listener.
  setMaxListeners(0, bounds.signal);
  const { signal } = bounds;
  const reader = readers.reader();
  const choice = choiceOf(patterns, reader, signal);
  const parts = { fetcher, reader, choice, patience: createPatience(), previous, signal };
  const pages = pagesOfSite(start, limits, parts);
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
    if (!bounds.late) throw error;
    if (!listed) throw new LoadError(`The site could not be read within ${seconds(limits.millis)}.`);
    return { limit: 'time' };
  } finally {
    left.abort();
  }
}

const ALL: PathPatterns = { include: [], exclude: [] };

/** Addresses checked against patterns and robots.txt per job. */
const BATCH = 500;

const SITEMAPS: Step = { pageUrl: '/sitemap.xml', depth: 0 };

async function* pagesOfSite(
  start: string,
  limits: CrawlLimits,
  parts: Omit<Site, 'origin' | 'robots'>,
): AsyncGenerator<CrawledPage, CrawlEnd> {
  const { site, pageUrl, fetched, previous } = await openSite(start, limits.perHostDelayMs, parts);
  const frontier = createFrontier({
    depth: limits.depth,
    addresses: limits.pages * ADDRESSES_PER_PAGE,
  });
  const pool = createPool<Step, Visit>(site.signal);
  let bytes = 0;
  const hasRoom = () =>
    pool.size < limits.concurrency && frontier.listed + pool.size < limits.pages && bytes < limits.bytes;

  frontier.add([pageUrl], 0);
  const startPage = readPage(site, pageUrl, fetched, previous);
  pool.start(frontier.next()!, listedIfChosen(site, startPage));
  pool.start(SITEMAPS, visitSitemaps(site));
  while (pool.size > 0) {
    const [step, visit] = await pool.next();
    bytes += visit.bytes;
    await addAllowed(site, frontier, visit.links, step.depth + 1);
    const isNew = visit.page && frontier.list(visit.page.pageUrl);
    while (hasRoom()) {
      const next = frontier.next();
      if (!next) break;
      pool.start(next, visitPage(site, next.pageUrl));
    }
    const found = frontier.listed + frontier.waiting + pool.size - (pool.has(SITEMAPS) ? 1 : 0);
    if (isNew) yield { ...visit.page!, found };
  }
  if (!frontier.next()) {
    if (frontier.listed === 0 && !frontier.left && site.choice !== everyPage) throw nothingChosen(await startPage);
    return { limit: frontier.left };
  }
  return { limit: bytes < limits.bytes ? 'pages' : 'bytes' };
}

/** The start page is read for its links even if it is not chosen. */
async function listedIfChosen(site: Site, startPage: Promise<Visit>): Promise<Visit> {
  const { page, ...visit } = await startPage;
  return page && (await isChosen(site, page.pageUrl)) ? { page, ...visit } : visit;
}

function nothingChosen({ page }: Visit): LoadError {
  const unread = page?.outcome === 'failed' && `The start page, which has the links, could not be read: ${page.reason}`;
  return new LoadError(
    `No page of this website matches its include and exclude patterns. ${unread || 'Change them, then train it again.'}`,
  );
}

async function addAllowed(site: Site, frontier: Frontier, links: readonly string[], depth: number) {
  for (let from = 0; from < links.length; from += BATCH) {
    const unknown = frontier.unknown(links.slice(from, from + BATCH));
    const mayVisit = new Set(await visitable(site, unknown));
    frontier.add([...mayVisit], depth);
    frontier.refuse(unknown.filter((pageUrl) => !mayVisit.has(pageUrl)));
  }
}

/** Those of the pages that are chosen, and that robots.txt allows. */
async function visitable({ origin, choice, robots }: Site, pageUrls: readonly string[]): Promise<string[]> {
  const isChosen = await choice(pageUrls);
  const chosen = pageUrls.filter((_, i) => isChosen[i]);
  const isAllowed = await robots.allows(chosen.map((pageUrl) => origin + pageUrl));
  return chosen.filter((_, i) => isAllowed[i]);
}

async function visitSitemaps(site: Site): Promise<Visit> {
  const sitemaps = [...site.robots.sitemaps, site.origin + SITEMAPS.pageUrl];
  return { links: await readSitemaps(site, sitemaps), bytes: 0 };
}
