import robotsModule from 'robots-parser';
import type { Fetched, Fetcher } from '../http/fetcher.ts';
import { LoadError } from '../http/load-error.ts';

/** Its types describe an ES module, but it is CommonJS: the function is the module itself. */
const robotsParser = robotsModule as unknown as typeof robotsModule.default;

/** The name that robots.txt files address. */
export const ROBOT = 'ParleyBot';

const MAX_BYTES = 500 * 1024; // RFC 9309 2.5: what is beyond may be ignored
const MAX_DELAY_MS = 10_000;
const MAX_SITEMAPS = 20;
const TIMEOUT_MS = 20_000;
/** All matching of one crawl takes milliseconds; 500 KB of wildcards written against us take hours. */
const MAX_MATCHING_MS = 10_000;

export interface Robots {
  /** Throws a LoadError once the rules have taken more time than rules can need. */
  allows(url: string): boolean;
  /** Between two requests; 0 where the site names none, never above 10 s. */
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
}

/**
 * The rules of one site, as RFC 9309 reads them: a robots.txt that isn't there allows everything. One that can't be
 * had (5xx, 429, no answer) forbids everything, which is a LoadError that says so.
 */
export async function loadRobots(fetcher: Fetcher, origin: string, signal?: AbortSignal): Promise<Robots> {
  const address = `${origin}/robots.txt`;
  const { status, body } = await fetchRobots(fetcher, address, signal);
  if (status >= 500 || status === 429) {
    throw new LoadError(`The site can't be read while its robots.txt answers ${status}. Train again later.`);
  }
  return rulesOf(address, status >= 200 && status < 300 ? body.toString('utf8') : '');
}

async function fetchRobots(fetcher: Fetcher, address: string, signal?: AbortSignal): Promise<Fetched> {
  try {
    return await fetcher.get(address, { maxBytes: MAX_BYTES, truncate: true, timeoutMs: TIMEOUT_MS, signal });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    throw new LoadError(`The site's robots.txt could not be read. ${error.message}`, { cause: error });
  }
}

function rulesOf(address: string, text: string): Robots {
  const rules = robotsParser(address, text.replace(/^\uFEFF/, ''));
  const delay = rules.getCrawlDelay(ROBOT) ?? 0;
  let spent = 0;
  return {
    allows(url) {
      if (spent > MAX_MATCHING_MS) throw new LoadError("The site's robots.txt is too complex to be honoured.");
      const began = performance.now();
      const allowed = rules.isAllowed(url, ROBOT) !== false;
      spent += performance.now() - began;
      return allowed;
    },
    delayMs: Math.min(Math.max(delay * 1000, 0), MAX_DELAY_MS),
    sitemaps: rules.getSitemaps().slice(0, MAX_SITEMAPS),
  };
}
