import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { languageOf } from '@parley/language';
import { readContent } from '@parley/reading/pages';
import { split } from '@parley/reading/split';
import { unpacked } from '../packages.ts';
import type { FitSite } from './sites.ts';

/** A chunk as training makes it, without its vector. */
export interface FitChunk {
  id: string;
  source: string;
  index: number;
  title: string;
  url: string;
  text: string;
  headings: string[];
  section: number;
  language: string;
}

/** Chunks taken of one page: a site is more than one long page. */
const PAGE_CHUNKS = 40;
const ORIGIN = 'https://example.com';

/** The chunks of a site, as training makes them of its first pages. */
export async function chunksOf(site: FitSite, limit: number): Promise<FitChunk[]> {
  const root = join(await unpacked(site.from), site.root);
  const files = await readdir(root, { recursive: true });
  const chunks: FitChunk[] = [];
  for (const path of files.filter((file) => /\.html?$/.test(file) && site.pages.test(file)).sort()) {
    if (chunks.length >= limit) break;
    const body = await readFile(join(root, path));
    chunks.push(...pageChunks(path, body, site.language).slice(0, PAGE_CHUNKS));
  }
  return chunks;
}

export function pageChunks(source: string, body: Uint8Array, language: string): FitChunk[] {
  const url = `${ORIGIN}/${source}`;
  const { title, text } = readContent({ body, contentType: 'text/html', url, origin: ORIGIN });
  const pieces = text === '' ? [] : split({ text, isBlocks: true });
  // Translations are not complete.
  if (languageOf(pieces.map(({ text }) => text).join('\n')) !== language) return [];
  return pieces.map(({ text, headings, section }, index) => ({
    id: `${source}#${index}`,
    ...{ source, index, title, url, text, headings: [...headings], section, language },
  }));
}
