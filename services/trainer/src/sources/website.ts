import type { KnowledgeItemDoc } from '@parley/corpus';
import { LoadError } from '../http/load-error.ts';
import type { Reader } from '../reading/readers.ts';
import type { Ledger, LeftOut } from '../training/limits.ts';
import { type CrawlEnd, type CrawledPage, crawl } from '../website/crawl.ts';
import type { FailedPage } from '../website/page.ts';
import { isOutdated, type KeptPages, openKeptPages } from './kept-pages.ts';
import type { Run, Step } from './source.ts';

const VANISHED = 'The page has not changed, but its stored text is gone. Train the item again.';

/**
 * The pages of a website, one per step, each with its own state. A page that has not changed since an earlier build is not
 * downloaded again: its text is taken from that build.
 *
 * @throws LoadError if no page could be read.
 */
export async function* loadWebsite(
  { website }: KnowledgeItemDoc<'website'>,
  { parts, job, crawlLimits, ledger, signal }: Run,
): AsyncGenerator<Step> {
  const { corpus, objects, fetcher, readers } = parts;
  const kept = await openKeptPages(corpus, objects, job);
  const pages = crawl(website.base_url, {
    fetcher,
    readers,
    limits: crawlLimits,
    signal,
    patterns: { include: website.include ?? [], exclude: website.exclude ?? [] },
    async previous(pageUrl) {
      const page = await kept.earlier(pageUrl);
      if (!page) return undefined;
      const { hash: contentHash, etag, last_modified: lastModified, links } = page;
      // Without its type, the bytes of a page can't be read again: it is downloaded.
      if (isOutdated(page) && !page.content_type) return { contentHash, links, isOutdated: true };
      return { contentHash, links, ...(etag && { etag }), ...(lastModified && { lastModified }) };
    },
  });

  const reader = readers.reader();
  let loaded = 0;
  let firstFailure: FailedPage | undefined;
  for await (const page of untilFull(pages, ledger)) {
    const text = page.outcome === 'failed' ? page : await contentOf(page, kept, reader, signal);
    if (text.outcome === 'failed') {
      firstFailure ??= text;
      await corpus.subPages.record(job, text.pageUrl, { failed_with: text.reason, bytes: text.bytes });
      yield { sources: [], found: page.found };
      continue;
    }
    loaded++;
    const { pageUrl, url } = page;
    const { content, bytes } = text;
    const done = (leftOut: LeftOut | undefined, chunks: number) =>
      corpus.subPages.record(
        job,
        pageUrl,
        leftOut?.all ? { failed_with: leftOut.reason, bytes } : { content, bytes, chunks, note: leftOut?.reason },
      );
    const { title, language } = content;
    const source = { id: pageUrl, title, url, text: text.text, isBlocks: true, language };
    yield { sources: [source], found: page.found, done };
  }
  if (loaded === 0 && firstFailure)
    throw new LoadError(`No page of this website could be read. ${firstFailure.pageUrl}: ${firstFailure.reason}`);
}

/** Pages until the ledger is full; it records why the crawl left out others. */
async function* untilFull(pages: AsyncGenerator<CrawledPage, CrawlEnd>, ledger: Ledger): AsyncGenerator<CrawledPage> {
  try {
    while (!ledger.isFull) {
      const next = await pages.next();
      if (next.done) return ledger.crawled(next.value);
      yield next.value;
    }
    ledger.stopped();
  } finally {
    await pages.return({});
  }
}

async function contentOf(page: Exclude<CrawledPage, FailedPage>, kept: KeptPages, reader: Reader, signal: AbortSignal) {
  if (page.outcome === 'loaded')
    return { outcome: 'read', content: await kept.keep(page), text: page.text, bytes: page.raw.length } as const;
  const again = await kept.keepAgain(page, reader, signal);
  if (!again) return { ...page, outcome: 'failed', reason: VANISHED, bytes: undefined } as const;
  return { outcome: 'read', ...again } as const;
}
