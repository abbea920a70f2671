import { gunzipSync } from 'node:zlib';
import { MAX_ADDRESS, pageOfSite } from './address.ts';

/** Before and after decompression. */
export const MAX_SITEMAP_BYTES = 10_000_000;
const MAX_ADDRESSES = 50_000; // the protocol's limit for one file
const MAX_INDEXED = 20;

const ENTITIES = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

export interface SitemapBytes {
  readonly body: Uint8Array;
  readonly origin: string;
}

export interface Sitemap {
  /** The sitemaps listed in an index. */
  readonly index: readonly string[];
  /** The pages of the site, as their `pageUrl`. */
  readonly pages: readonly string[];
  /** True if there are more than are read. */
  readonly isCut: boolean;
}

/**
 * Uses patterns instead of a parser: a hostile file would keep an XML parser busy for minutes. Runs as a reading job.
 * Throws zlib's error for a damaged or oversized file.
 */
export function parseSitemap({ body, origin }: SitemapBytes): Sitemap {
  const isGzip = body[0] === 0x1f && body[1] === 0x8b;
  const bytes = isGzip ? gunzipSync(body, { maxOutputLength: MAX_SITEMAP_BYTES }) : Buffer.from(body);
  const xml = bytes.toString('utf8');
  const isIndex = /<sitemapindex\b/.test(xml);
  const found = new Set<string>();
  let count = 0;
  let isCut = false;
  for (const [, address] of xml.matchAll(/<loc>\s*(?:<!\[CDATA\[\s*)?([^<\s]+?)\s*(?:\]\]>\s*)?<\/loc>/g)) {
    isCut = count === MAX_ADDRESSES || (isIndex && found.size === MAX_INDEXED);
    if (isCut) break;
    count++;
    const plain = address!.replace(/&(amp|lt|gt|quot|apos);/g, (_, name: keyof typeof ENTITIES) => ENTITIES[name]);
    const named = isIndex ? plain : pageOfSite(plain, origin);
    if (named && named.length <= MAX_ADDRESS) found.add(named);
  }
  return isIndex ? { index: [...found], pages: [], isCut } : { index: [], pages: [...found], isCut };
}
