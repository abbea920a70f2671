import { setMaxListeners } from 'node:events';
import type { DocumentLimits } from '@parley/reading/documents';
import type { PathPatterns } from '@parley/reading/sites';
import { linkedSignal } from '@parley/runtime';
import type { Readers } from '../sandbox/readers.ts';
import { choiceOf } from './choice.ts';
import { createCopies } from './copies.ts';
import type { CrawlLimit, CrawlLimits } from './crawl-limits.ts';
import { createCrawlNotes } from './crawl-notes.ts';
import type { Fetcher } from './http/fetcher.ts';
import { LoadError } from './http/load-error.ts';
import { seconds } from './http/sentences.ts';
import type { CrawledPage, Previous } from './page.ts';
import { createPatience } from './patience.ts';
import { createPdfReader } from './pdf.ts';
import { pagesOfSite } from './site-pages.ts';

export interface CrawlOptions {
  readonly fetcher: Fetcher;
  readonly readers: Readers;
  readonly limits: CrawlLimits;
  /** For each PDF of the site. */
  readonly documentLimits: DocumentLimits;
  readonly signal?: AbortSignal;
  /** The page as an earlier crawl stored it, for a conditional request. */
  readonly previous?: (pageUrl: string) => Promise<Previous | undefined>;
  /** The pages that an earlier crawl read, as their `pageUrl`: what led to them may be unavailable this time. */
  readonly earlier?: () => AsyncIterable<string>;
  /** Which pages to read; by default, all. */
  readonly patterns?: PathPatterns;
}

export interface CrawlEnd {
  /** The limits that left pages of the site unread. */
  readonly limits: readonly CrawlLimit[];
  /** Other omissions, as sentences. */
  readonly notes: readonly string[];
}

/**
 * The pages of the site that an address leads to (the origin of the start page after redirects, all of it), breadth
 * first, each once. Pages that the patterns do not choose are neither listed nor requested, except that the start page is
 * read for its links. Throws a LoadError if the site can't be entered, and the signal's reason once that is aborted.
 */
export async function* crawl(start: string, options: CrawlOptions): AsyncGenerator<CrawledPage, CrawlEnd> {
  const { fetcher, readers, limits, documentLimits, patterns = ALL } = options;
  const { previous = async () => undefined, earlier = NONE } = options;
  const left = new AbortController();
  using bounds = linkedSignal([left.signal, ...(options.signal ? [options.signal] : [])], limits.millis);
  // Each request and each job in progress adds a listener.
  setMaxListeners(0, bounds.signal);
  const { signal } = bounds;
  const reader = readers.reader();
  const pdfs = createPdfReader(readers, documentLimits);
  const choice = choiceOf(patterns, reader, signal);
  const dependencies = { fetcher, reader, pdfs, choice, patience: createPatience(), previous, signal };
  const found = { copies: createCopies(), notes: createCrawlNotes() };
  const pages = pagesOfSite(start, { limits, dependencies, earlier, ...found });
  const ended = (hit: readonly CrawlLimit[]): CrawlEnd => ({ limits: hit, notes: found.notes.sentences(found.copies) });
  let listed = false;
  try {
    for (;;) {
      const next = await pages.next();
      if (next.done) return ended(next.value);
      yield next.value;
      listed = true;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (!bounds.late) throw error;
    if (!listed) throw new LoadError(`The site could not be read within ${seconds(limits.millis)}.`);
    return ended(['time']);
  } finally {
    left.abort();
  }
}

const ALL: PathPatterns = { include: [], exclude: [] };
async function* NONE(): AsyncGenerator<string> {}
