import { setTimeout as delay } from 'node:timers/promises';
import { canonical, pageUrlOf, ROBOT } from '@parley/reading/sites';
import type { Fetched } from '@parley/runtime/outbound';
import { parseUrl } from '@parley/runtime/parse-url';
import { everyPage } from './choice.ts';
import type { Fetcher } from './http/fetcher.ts';
import { LoadError } from './http/load-error.ts';
import type { Previous, Site } from './page.ts';
import { loadRobots } from './robots.ts';
import { fetchPage, isText } from './visit.ts';

const MAX_HOPS = 5;

export interface OpenedSite {
  readonly site: Site;
  readonly pageUrl: string;
  readonly fetched: Fetched;
  readonly previous: Previous | undefined;
}

/**
 * Finds the site that a start address leads to, and its start page. Reads each site's robots.txt before any page of it.
 * Throws a LoadError if the site may not or cannot be read, or its start is not a page.
 */
export async function openSite(
  start: string,
  delayMs: number,
  dependencies: Omit<Site, 'origin' | 'robots'>,
): Promise<OpenedSite> {
  const first = parseUrl(start);
  if (!first) throw new LoadError(`"${start.slice(0, 200)}" is not an address.`);
  let url = canonical(first);
  for (let hop = 0; hop <= MAX_HOPS; hop++) {
    const { origin } = url;
    const robots = await loadRobots(dependencies, origin);
    if (!(await robots.allows([url.href]))[0]) {
      throw new LoadError(`The site's robots.txt does not let ${ROBOT} read ${url.href.slice(0, 200)}.`);
    }
    const fetcher = paced(dependencies.fetcher, Math.max(delayMs, robots.delayMs));
    const site: Site = { ...dependencies, fetcher, origin, robots };
    const pageUrl = pageUrlOf(url);
    const previous = await dependencies.previous(pageUrl);
    // Read for its links, even if it is not chosen itself.
    const fetched = await fetchPage({ ...site, choice: everyPage }, pageUrl, previous);
    if (!fetched.redirect) return { site, pageUrl, fetched: page(fetched), previous };
    url = canonical(fetched.redirect);
  }
  throw new LoadError(`The page redirects more than ${MAX_HOPS} times.`);
}

/** A start page with an error status is listed with its reason; something that is not a page can't be. */
function page(fetched: Fetched): Fetched {
  const { status, headers } = fetched;
  if (status >= 200 && status < 300 && !isText(fetched))
    throw new LoadError(`The address leads to ${headers['content-type']!.slice(0, 100)}, not to a web page.`);
  return fetched;
}

/** When the next request to each host may start, by the clock of this process; shared by all crawls with one fetcher. */
const starts = new WeakMap<Fetcher, Map<string, number>>();
/** Hosts remembered; those whose time has come are forgotten first. */
const MAX_HOSTS = 1_000;

/** A fetcher whose requests to one host start at least `delayMs` apart, also from those of other crawls. */
function paced(fetcher: Fetcher, delayMs: number): Fetcher {
  const nextAt = starts.get(fetcher) ?? new Map<string, number>();
  starts.set(fetcher, nextAt);
  return {
    ...fetcher,
    async get(url, options) {
      const host = parseUrl(url)?.host ?? '';
      const now = performance.now();
      const at = Math.max(nextAt.get(host) ?? 0, now);
      if (nextAt.size >= MAX_HOSTS) for (const [other, due] of nextAt) if (due <= now) nextAt.delete(other);
      nextAt.set(host, at + delayMs);
      if (at > now) await delay(at - now, undefined, { signal: options.signal });
      return fetcher.get(url, options);
    },
  };
}
