import { MAX_SITEMAP_BYTES, type Sitemap } from '@parley/reading/sites';
import { ReadingFailed } from '@parley/runtime/sandbox';
import { LateAnswer, LoadError, PassingFailure } from './http/load-error.ts';
import { isPassing } from './http/sentences.ts';
import type { Site } from './page.ts';

const MAX_FILES = 20;
const MAX_ADDRESSES = 50_000;
/** Files that timed out, in download or parsing; after this many the rest is skipped. */
const MAX_COSTLY = 2;
const TIMEOUT_MS = 20_000;

type Dependencies = Pick<Site, 'fetcher' | 'reader' | 'origin' | 'signal'>;

export interface ReadSitemaps {
  /** The pages of the site that they list, as their `pageUrl`. */
  readonly pages: readonly string[];
  /** True if one could not be read for a reason that may pass. */
  readonly isIncomplete: boolean;
  /** The omissions, as sentences. */
  readonly notes: readonly string[];
}

const NOTES = {
  files: `Of the site's sitemaps, the first ${MAX_FILES} were read.`,
  addresses: `Of the addresses in the site's sitemaps, the first ${MAX_ADDRESSES.toLocaleString('en')} were read.`,
  costly: "The rest of the site's sitemaps was not read, because some took too long.",
  unread: (count: number) =>
    count === 1
      ? 'A sitemap of the site could not be read.'
      : `${count.toLocaleString('en')} sitemaps of the site could not be read.`,
};

/**
 * Reads sitemaps and their index files. Unreadable ones are skipped: links lead to pages, too.
 *
 * @param optional one that the site does not name, so that it may be missing
 */
export async function readSitemaps(
  dependencies: Dependencies,
  named: readonly string[],
  optional: string,
): Promise<ReadSitemaps> {
  const files = [...new Set([...named, optional])];
  const pages = new Set<string>();
  let costly = 0;
  let unread = 0;
  let isIncomplete = false;
  let isCut = false;
  let isIndexCut = false;
  let next = 0;
  for (; next < Math.min(files.length, MAX_FILES) && costly < MAX_COSTLY; next++) {
    const file = files[next]!;
    const sitemap = await readSitemap(dependencies, file);
    if ('failure' in sitemap) {
      if (sitemap.failure === 'costly') costly++;
      if (file !== optional || named.includes(file) || sitemap.mayPass) unread++;
      isIncomplete ||= sitemap.mayPass;
      continue;
    }
    files.push(...sitemap.index.filter((address) => !files.includes(address)));
    if (sitemap.index.length > 0) isIndexCut ||= sitemap.isCut;
    else isCut ||= sitemap.isCut;
    for (const page of sitemap.pages) {
      if (pages.size < MAX_ADDRESSES || pages.has(page)) pages.add(page);
      else isCut = true;
    }
  }
  const isLong = next < files.length || isIndexCut;
  const notes = [
    ...(unread > 0 ? [NOTES.unread(unread)] : []),
    ...(isLong ? [costly < MAX_COSTLY ? NOTES.files : NOTES.costly] : []),
    ...(isCut ? [NOTES.addresses] : []),
  ];
  return { pages: [...pages], isIncomplete, notes };
}

type Unread = { failure: 'costly' | 'unreadable'; mayPass: boolean };

async function readSitemap(
  { fetcher, reader, origin, signal }: Dependencies,
  address: string,
): Promise<Sitemap | Unread> {
  try {
    const { status, body } = await fetcher.get(address, { maxBytes: MAX_SITEMAP_BYTES, timeoutMs: TIMEOUT_MS, signal });
    if (status !== 200) return { failure: 'unreadable', mayPass: isPassing(status) };
    return await reader.read('sitemap', { body, origin }, signal);
  } catch (error) {
    if (error instanceof LoadError)
      return {
        failure: error instanceof LateAnswer ? 'costly' : 'unreadable',
        mayPass: error instanceof PassingFailure,
      };
    if (error instanceof ReadingFailed)
      return { failure: error.reason === 'error' ? 'unreadable' : 'costly', mayPass: false };
    throw error;
  }
}
