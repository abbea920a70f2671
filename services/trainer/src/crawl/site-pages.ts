import { everyPage } from './choice.ts';
import type { Copies } from './copies.ts';
import type { CrawlLimit, CrawlLimits } from './crawl-limits.ts';
import type { CrawlNotes } from './crawl-notes.ts';
import { createFrontier, type Frontier, type Step } from './frontier.ts';
import { LoadError } from './http/load-error.ts';
import type { CrawledPage, Site, Visit } from './page.ts';
import { createPool } from './pool.ts';
import { type OpenedSite, openSite } from './site.ts';
import { createSiteRecord } from './site-record.ts';
import { readSitemaps } from './sitemap.ts';
import { isChosen, readPage, visitPage } from './visit.ts';

/** Addresses remembered per listed page: some lead nowhere, and a calendar is endless. */
const ADDRESSES_PER_PAGE = 10;

/** Addresses checked against patterns and robots.txt per job. */
const BATCH = 500;

const SITEMAPS: Step = { pageUrl: '/sitemap.xml', depth: 0 };

export interface SitePagesOptions {
  readonly limits: CrawlLimits;
  readonly dependencies: Omit<Site, 'origin' | 'robots'>;
  readonly earlier: () => AsyncIterable<string>;
  readonly copies: Copies;
  readonly notes: CrawlNotes;
}

/** The pages of a site, each once. Returns the limits that left some unread. */
export async function* pagesOfSite(
  address: string,
  options: SitePagesOptions,
): AsyncGenerator<CrawledPage, readonly CrawlLimit[]> {
  const { limits, dependencies } = options;
  const opened = await openSite(address, limits.perHostDelayMs, dependencies);
  const { site } = opened;
  const frontier = createFrontier({ depth: limits.depth, addresses: limits.pages * ADDRESSES_PER_PAGE });
  const pool = createPool<Step, Visit>(site.signal);
  const record = createSiteRecord(frontier, options.copies, options.notes);
  let bytes = 0;
  const hasRoom = () =>
    pool.size < limits.concurrency && frontier.listed + pool.size < limits.pages && bytes < limits.bytes;
  let asked = 0;
  const fill = () => {
    while (hasRoom()) {
      const next = frontier.next();
      if (!next) break;
      asked++;
      pool.start(next, visitPage(site, next.pageUrl));
    }
  };

  frontier.add([opened.pageUrl], 0);
  const start = visitStart(opened);
  const listed = start.then((visited) => visited.listed);
  pool.start(frontier.next()!, listed);
  pool.start(SITEMAPS, visitSitemaps(site, options.notes));
  for (;;) {
    while (pool.size > 0) {
      const [step, visit] = await pool.next();
      bytes += visit.bytes;
      const page = record.enter(step, visit);
      await addAllowed(site, frontier, visit.links, step.depth + 1);
      if (visit.canonical !== undefined) frontier.add([visit.canonical], step.depth);
      fill();
      const found = frontier.listed + frontier.waiting + pool.size - (pool.has(SITEMAPS) ? 1 : 0);
      if (page) yield { ...page, found };
    }
    if (record.isShaken()) await addEarlier(site, frontier, options.earlier());
    fill();
    const alone = pool.size === 0 && hasRoom() ? record.standIn() : undefined;
    if (alone !== undefined) pool.start({ pageUrl: alone, depth: 1 }, visitPage(site, alone, true));
    if (pool.size === 0) break;
  }
  const isCut = frontier.next() !== undefined || record.standIn() !== undefined;
  const cutBy: CrawlLimit[] = isCut ? [bytes < limits.bytes ? 'pages' : 'bytes'] : [];
  const hit = [...new Set([...frontier.left, ...cutBy])];
  if (hit.length === 0 && frontier.listed === 0 && asked === 0) checkChosen(site, await start);
  return hit;
}

interface Start {
  readonly visit: Visit;
  readonly isChosen: boolean;
  /** The start page is read for its links even if it is not chosen. */
  readonly listed: Visit;
}

async function visitStart({ site, pageUrl, fetched, previous }: OpenedSite): Promise<Start> {
  const visit = await readPage(site, pageUrl, fetched, { previous });
  const { page, links, bytes } = visit;
  const isStartChosen = await isChosen(site, page?.pageUrl ?? pageUrl);
  return { visit, isChosen: isStartChosen, listed: isStartChosen ? visit : { links, bytes } };
}

/** @throws LoadError if nothing was read because the patterns choose nothing. */
function checkChosen({ choice }: Site, { visit, isChosen }: Start) {
  if (choice === everyPage || isChosen) return;
  const { page } = visit;
  const unread = page?.outcome === 'failed' && `The start page, which has the links, could not be read: ${page.reason}`;
  throw new LoadError(
    `No page of this website matches its include and exclude patterns. ${unread || 'Change them, then train it again.'}`,
  );
}

async function addEarlier(site: Site, frontier: Frontier, earlier: AsyncIterable<string>) {
  const pages: string[] = [];
  for await (const pageUrl of earlier) pages.push(pageUrl);
  await addAllowed(site, frontier, pages, 1);
}

async function addAllowed(site: Site, frontier: Frontier, links: readonly string[], depth: number) {
  for (let from = 0; from < links.length; from += BATCH) {
    const unknown = frontier.unknown(links.slice(from, from + BATCH));
    const mayVisit = new Set(await visitable(site, unknown));
    frontier.add([...mayVisit], depth);
    frontier.refuse(unknown.filter((pageUrl) => !mayVisit.has(pageUrl)));
  }
}

/** Returns the pages that are chosen, and that robots.txt allows. */
async function visitable({ origin, choice, robots }: Site, pageUrls: readonly string[]): Promise<string[]> {
  const isChosen = await choice(pageUrls);
  const chosen = pageUrls.filter((_, i) => isChosen[i]);
  const isAllowed = await robots.allows(chosen.map((pageUrl) => origin + pageUrl));
  return chosen.filter((_, i) => isAllowed[i]);
}

async function visitSitemaps(site: Site, notes: CrawlNotes): Promise<Visit> {
  const read = await readSitemaps(site, site.robots.sitemaps, site.origin + SITEMAPS.pageUrl);
  notes.sitemaps(read);
  return { links: read.pages, bytes: 0, isIncomplete: read.isIncomplete };
}
