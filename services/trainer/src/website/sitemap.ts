import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Fetcher } from '../http/fetcher.ts';
import { LoadError } from '../http/load-error.ts';

const MAX_FILES = 20;
const MAX_BYTES = 10_000_000;
const MAX_ADDRESSES = 50_000; // what the protocol allows one file
const TIMEOUT_MS = 20_000;

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** The pages that sitemaps and their index files name. What can't be read is left out: links lead to pages, too. */
export async function readSitemaps(fetcher: Fetcher, sitemaps: readonly string[], signal: AbortSignal) {
  const files = [...new Set(sitemaps)];
  const pages: string[] = [];
  for (let next = 0; next < Math.min(files.length, MAX_FILES); next++) {
    const sitemap = parseSitemap(await fetchSitemap(fetcher, files[next]!, signal));
    files.push(...sitemap.index.filter((file) => !files.includes(file)).slice(0, MAX_FILES));
    pages.push(...sitemap.pages.slice(0, MAX_ADDRESSES - pages.length));
  }
  return pages;
}

async function fetchSitemap(fetcher: Fetcher, address: string, signal: AbortSignal): Promise<string> {
  try {
    const { status, body } = await fetcher.get(address, { maxBytes: MAX_BYTES, timeoutMs: TIMEOUT_MS, signal });
    if (status !== 200) return '';
    const gzipped = body[0] === 0x1f && body[1] === 0x8b;
    const xml = gzipped ? await promisify(gunzip)(body, { maxOutputLength: MAX_BYTES }) : body;
    return xml.toString('utf8');
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof LoadError || (error as { code?: unknown }).code) return '';
    throw error;
  }
}

/** Searched rather than parsed: a hostile file would keep an XML parser busy for minutes. */
export function parseSitemap(xml: string): { index: string[]; pages: string[] } {
  const addresses: string[] = [];
  for (const [, address] of xml.matchAll(/<loc>\s*(?:<!\[CDATA\[\s*)?([^<\s]+?)\s*(?:\]\]>\s*)?<\/loc>/g)) {
    addresses.push(address!.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]));
    if (addresses.length === MAX_ADDRESSES) break;
  }
  return /<sitemapindex\b/.test(xml) ? { index: addresses, pages: [] } : { index: [], pages: addresses };
}
