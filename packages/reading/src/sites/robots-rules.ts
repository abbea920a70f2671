import robotsModule from 'robots-parser';
import { MAX_ADDRESS } from './address.ts';

/** Typed as an ES module, but actually CommonJS: the function is the module itself. */
const robotsParser = robotsModule as unknown as typeof robotsModule.default;

/** The name by which robots.txt files address us. */
export const ROBOT = 'ParleyBot';

const MAX_SITEMAPS = 20;
const MAX_DELAY_MS = 10_000;
/** A longer pattern matches no address that is requested: each of its characters matches one, or is a wildcard. */
const LONGEST_LINE = 2 * MAX_ADDRESS + 100;

export interface RobotsText {
  /** Address of the robots.txt itself. */
  readonly address: string;
  readonly text: Uint8Array;
}

export interface RobotsFacts {
  /** Between two requests; 0 if the site sets none, at most 10 s. */
  readonly delayMs: number;
  readonly sitemaps: readonly string[];
}

/** Facts from a robots.txt. A hostile one can take minutes and gigabytes: run it as a reading job. */
export function readRobots(robots: RobotsText): RobotsFacts {
  const rules = rulesOf(robots);
  const delay = rules.getCrawlDelay(ROBOT) ?? 0;
  const sitemaps = rules.getSitemaps().filter((sitemap) => sitemap.length <= MAX_ADDRESS);
  return { delayMs: Math.min(Math.max(delay * 1000, 0), MAX_DELAY_MS), sitemaps: sitemaps.slice(0, MAX_SITEMAPS) };
}

/** Returns whether RFC 9309 lets us request each address. Run it as a reading job, like `readRobots`. */
export function allowedBy({ urls, ...robots }: RobotsText & { urls: readonly string[] }): boolean[] {
  const rules = rulesOf(robots);
  return urls.map((url) => url.length <= MAX_ADDRESS && rules.isAllowed(url, ROBOT) !== false);
}

function rulesOf({ address, text }: RobotsText) {
  const lines = Buffer.from(text)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .replace(/#.*/g, '')
    .replace(/\*{2,}/g, '*')
    .split(/[\r\n]+/);
  return robotsParser(address, lines.filter((line) => line.length <= LONGEST_LINE).join('\n'));
}
