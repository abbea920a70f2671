import { LateAnswer, LoadError } from '../http/load-error.ts';
import { ReadingFailed } from '../reading/reading-failed.ts';
import type { Site } from './page.ts';
import { MAX_SITEMAP_BYTES, type Sitemap } from './sitemap-file.ts';

const MAX_FILES = 20;
const MAX_ADDRESSES = 50_000;
/** Files that timed out, in download or parsing; after this many the rest is skipped. */
const MAX_COSTLY = 2;
const TIMEOUT_MS = 20_000;

type Parts = Pick<Site, 'fetcher' | 'reader' | 'origin' | 'signal'>;

/**
 * The pages of the site that sitemaps and their index files list, as their `pageUrl`. Unreadable files are skipped:
 * links lead to pages, too.
 */
export async function readSitemaps(parts: Parts, sitemaps: readonly string[]): Promise<string[]> {
  const files = [...new Set(sitemaps)];
  const pages = new Set<string>();
  let costly = 0;
  for (let next = 0; next < Math.min(files.length, MAX_FILES) && costly < MAX_COSTLY; next++) {
    const sitemap = await readSitemap(parts, files[next]!);
    if (sitemap === 'costly') costly++;
    if (typeof sitemap === 'string') continue;
    files.push(...sitemap.index.filter((file) => !files.includes(file)));
    for (const page of sitemap.pages) if (pages.size < MAX_ADDRESSES) pages.add(page);
  }
  return [...pages];
}

async function readSitemap({ fetcher, reader, origin, signal }: Parts, address: string) {
  try {
    const { status, body } = await fetcher.get(address, { maxBytes: MAX_SITEMAP_BYTES, timeoutMs: TIMEOUT_MS, signal });
    if (status !== 200) return 'unreadable';
    return (await reader.read('sitemap', { body, origin }, signal)) satisfies Sitemap;
  } catch (error) {
    if (error instanceof LateAnswer) return 'costly';
    if (error instanceof ReadingFailed) return error.reason === 'error' ? 'unreadable' : 'costly';
    if (error instanceof LoadError) return 'unreadable';
    throw error;
  }
}
