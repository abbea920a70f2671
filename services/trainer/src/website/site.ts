import { setTimeout as delay } from 'node:timers/promises';
import { parseUrl } from '@parley/runtime/parse-url';
import { type Fetched, type Fetcher, redirectOf } from '../http/fetcher.ts';
import { LoadError } from '../http/load-error.ts';
import { canonical, pageUrlOf } from './address.ts';
import { fetchPage, isText, type Previous, type Site } from './page.ts';
import { loadRobots, ROBOT } from './robots.ts';

const MAX_HOPS = 5;

export interface OpenedSite {
  readonly site: Site;
  readonly pageUrl: string;
  readonly fetched: Fetched;
  readonly previous: Previous | undefined;
}

/**
 * Finds the site that a start address leads to, and its start page. No site is asked for a page before its robots.txt
 * is. Throws a LoadError when the site can't be asked, or its start is no page.
 */
export async function openSite(
  start: string,
  delayMs: number,
  parts: Pick<Site, 'fetcher' | 'extractor' | 'signal' | 'previous'>,
): Promise<OpenedSite> {
  if (!parseUrl(start)) throw new LoadError(`"${start.slice(0, 200)}" is not an address.`);
  let url = canonical(new URL(start));
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    const { origin } = url;
    const robots = await loadRobots(parts.fetcher, origin, parts.signal);
    if (!robots.allows(url.href)) {
      throw new LoadError(`The site's robots.txt does not let ${ROBOT} read ${url.href.slice(0, 200)}.`);
    }
    const fetcher = paced(parts.fetcher, Math.max(delayMs, robots.delayMs));
    const site: Site = { ...parts, fetcher, origin, robots };
    const pageUrl = pageUrlOf(url);
    const previous = await parts.previous(pageUrl);
    const fetched = await fetchPage(site, pageUrl, previous);
    const target = redirectOf(fetched);
    if (!target) return { site, pageUrl, fetched: page(fetched), previous };
    url = canonical(target);
  }
  throw new LoadError(`The page redirects more than ${MAX_HOPS} times.`);
}

/** A start page that the site refuses is listed with its reason; what is no page at all can't be. */
function page(fetched: Fetched): Fetched {
  const { status, headers } = fetched;
  if (status >= 200 && status < 300 && !isText(fetched))
    throw new LoadError(`The address leads to ${headers['content-type']}, not to a web page.`);
  return fetched;
}

/** A fetcher whose requests begin at least `delayMs` apart. */
function paced(fetcher: Fetcher, delayMs: number): Fetcher {
  let nextAt = 0;
  return {
    ...fetcher,
    async get(url, options) {
      const wait = nextAt - performance.now();
      nextAt = Math.max(nextAt, performance.now()) + delayMs;
      if (wait > 0) await delay(wait, undefined, { signal: options.signal });
      return fetcher.get(url, options);
    },
  };
}
