import type { TrainingJob } from '@parley/corpus';
import { LoadError } from '../http/load-error.ts';
import type { Parts } from '../parts.ts';
import { type CrawledPage, type CrawlLimits, crawl } from '../website/crawl.ts';
import type { FailedPage } from '../website/page.ts';
import { type KeptPages, openKeptPages } from './kept-pages.ts';
import type { Step } from './source.ts';

const VANISHED = 'The page has not changed, but what an earlier training kept of it is gone. Train again.';

/**
 * The pages of a website, one a step, each with its own state. A page that has not changed since an earlier build is not
 * downloaded again: its text is taken from there.
 *
 * @throws LoadError where no page could be read.
 */
export async function* loadWebsite(
  { corpus, objects, fetcher, extractor }: Parts,
  limits: CrawlLimits,
  job: TrainingJob,
  signal: AbortSignal,
): AsyncGenerator<Step> {
  const kept = await openKeptPages(corpus, objects, job);
  const pages = crawl(job.document.website!.base_url, {
    fetcher,
    extractor,
    limits,
    signal,
    async previous(pageUrl) {
      const page = await kept.earlier(pageUrl);
      if (!page) return undefined;
      const { hash: contentHash, etag, last_modified: lastModified, links } = page;
      return { contentHash, links, ...(etag && { etag }), ...(lastModified && { lastModified }) };
    },
  });

  let loaded = 0;
  let firstFailure: FailedPage | undefined;
  for await (const page of pages) {
    const text = page.outcome === 'failed' ? page : await contentOf(page, kept, signal);
    if (text.outcome === 'failed') {
      firstFailure ??= text;
      await corpus.subPages.record(job, text.pageUrl, { failed_with: text.reason });
      yield { sources: [], found: page.found };
      continue;
    }
    loaded++;
    const { pageUrl, url } = page;
    const done = () => corpus.subPages.record(job, pageUrl, { content: text.content });
    const source = { id: pageUrl, title: text.content.title, url, text: text.text };
    yield { sources: [source], found: page.found, done };
  }
  if (loaded === 0 && firstFailure)
    throw new LoadError(`No page of this website could be read. ${firstFailure.pageUrl}: ${firstFailure.reason}`);
}

async function contentOf(page: Exclude<CrawledPage, FailedPage>, kept: KeptPages, signal: AbortSignal) {
  if (page.outcome === 'loaded') return { outcome: 'read', content: await kept.keep(page), text: page.text } as const;
  const again = await kept.keepAgain(page.pageUrl, signal);
  if (!again) return { ...page, outcome: 'failed', reason: VANISHED } as const;
  return { outcome: 'read', ...again } as const;
}
