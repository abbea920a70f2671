import type { RobotsFacts, RobotsText } from '@parley/reading/sites';
import type { Fetched } from '@parley/runtime/outbound';
import { ReadingFailed } from '@parley/runtime/sandbox';
import type { Reader } from '../sandbox/readers.ts';
import type { Fetcher } from './http/fetcher.ts';
import { LoadError } from './http/load-error.ts';
import { SiteGivenUp } from './patience.ts';

const MAX_BYTES = 500 * 1024; // RFC 9309 2.5: the rest may be ignored
const TIMEOUT_MS = 20_000;

export interface Robots extends RobotsFacts {
  /** Returns whether each address may be requested. Throws SiteGivenUp if evaluating the rules takes too long. */
  allows(urls: readonly string[]): Promise<readonly boolean[]>;
}

/**
 * The rules of one site, by RFC 9309: a missing robots.txt allows everything; an unreachable one (5xx, 429, no answer)
 * forbids everything, which is a LoadError.
 */
export async function loadRobots(
  { fetcher, reader, signal }: { fetcher: Fetcher; reader: Reader; signal: AbortSignal },
  origin: string,
): Promise<Robots> {
  const address = `${origin}/robots.txt`;
  const { status, body } = await fetchRobots(fetcher, address, signal);
  if (status >= 500 || status === 429) {
    throw new LoadError(`The site can't be read while its robots.txt answers ${status}. Train again later.`);
  }
  if (status < 200 || status >= 300 || body.length === 0)
    return { delayMs: 0, sitemaps: [], allows: async (urls) => urls.map(() => true) };
  const robots: RobotsText = { address, text: body };
  return {
    ...(await giveUpOn(reader.read('robots', robots, signal))),
    allows: async (urls) => (urls.length === 0 ? [] : giveUpOn(reader.read('allowed', { ...robots, urls }, signal))),
  };
}

async function giveUpOn<T>(reading: Promise<T>): Promise<T> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof ReadingFailed)) throw error;
    throw new SiteGivenUp("The site's robots.txt is too complex to be honoured.", { cause: error });
  }
}

async function fetchRobots(fetcher: Fetcher, address: string, signal: AbortSignal): Promise<Fetched> {
  try {
    return await fetcher.get(address, { maxBytes: MAX_BYTES, truncate: true, timeoutMs: TIMEOUT_MS, signal });
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    throw new LoadError(`The site's robots.txt could not be read. ${error.message}`, { cause: error });
  }
}
