import type { Copies } from './copies.ts';
import type { CrawlNotes } from './crawl-notes.ts';
import type { Frontier, Step } from './frontier.ts';
import type { SitePage, Visit } from './page.ts';

/** The pages that a crawl has read, and those that it leaves out. */
export interface SiteRecord {
  /** Enters a visit; returns its page if that is to be listed. */
  enter(step: Step, visit: Visit): SitePage | undefined;
  /** True once, after something that leads to pages could not be read for a reason that may pass. */
  isShaken(): boolean;
  /** The next page to be read although it declares another one to be the canonical one, see `Copies`. */
  standIn(): string | undefined;
}

export function createSiteRecord(frontier: Frontier, copies: Copies, notes: CrawlNotes): SiteRecord {
  const read = new Set<string>();
  let shaken = false;
  let wasShaken = false;

  function isListed(step: Step, page: SitePage): boolean {
    if (page.outcome === 'failed') return !copies.isOnlyDeclared(page.pageUrl) && frontier.list(page.pageUrl);
    read.add(step.pageUrl).add(page.pageUrl);
    return copies.isNew(page.pageUrl, page.contentHash) && frontier.list(page.pageUrl);
  }

  return {
    enter(step, visit) {
      const { page, canonical } = visit;
      notes.visited(visit);
      copies.linked(visit.links);
      if (canonical !== undefined) copies.disclaim(step.pageUrl, canonical, frontier.unknown([canonical]).length === 0);
      if (visit.isIncomplete || (page && isMissed(page))) shaken = true;
      return page && isListed(step, page) ? page : undefined;
    },
    isShaken() {
      const isFirst = shaken && !wasShaken;
      wasShaken ||= shaken;
      return isFirst;
    },
    standIn: () => copies.next((pageUrl) => read.has(pageUrl)),
  };
}

function isMissed(page: SitePage): boolean {
  if (page.outcome === 'failed') return page.mayPass === true;
  return page.outcome === 'missed' || (page.outcome === 'loaded' && page.missed !== undefined);
}
