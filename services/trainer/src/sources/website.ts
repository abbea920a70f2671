import type { KnowledgeItemDoc } from '@parley/corpus';
import { type CrawlEnd, crawl } from '../crawl/crawl.ts';
import { LoadError } from '../crawl/http/load-error.ts';
import type { CrawledPage, FailedPage } from '../crawl/page.ts';
import { decodePdf, isPdf, type PdfText } from '../crawl/pdf.ts';
import { type KeptPage, type KeptPages, openKeptPages } from './kept-pages.ts';
import type { ChunkQuota } from './limits.ts';
import { type Run, type Source, type Step, total, type Written } from './source.ts';

const VANISHED = 'The page has not changed, but its stored text is gone. Train the item again.';
const MISSED = 'What an earlier training read of it is still searched.';

/** Pages that kept what they had. */
const missedNote = (count: number) =>
  count === 1
    ? 'One page could not be read this time, for a reason that may pass. It keeps what an earlier training read.'
    : `${count.toLocaleString('en')} pages could not be read this time, for reasons that may pass. They keep what an earlier training read.`;

/**
 * The pages of a website, one per step, each with its own state. A page that has not changed since an earlier build is not
 * downloaded again: its text is taken from that build. So is that of a page that can't be read for a reason that may pass.
 *
 * @throws LoadError if no page could be read.
 */
export async function* loadWebsite(item: KnowledgeItemDoc<'website'>, run: Run): AsyncGenerator<Step> {
  const { dependencies, job, quota, signal } = run;
  const kept = await openKeptPages(dependencies.corpus, dependencies.objects, job, signal);
  let read = 0;
  let missed = 0;
  let firstFailure: Failure | undefined;
  for await (const page of untilFull(crawlOf(item, kept, run), quota)) {
    const { pageUrl, found } = page;
    const text = page.outcome === 'failed' ? page : await textOf(page, kept, signal);
    if ('reason' in text) {
      firstFailure ??= { pageUrl, reason: text.reason };
      await dependencies.corpus.subPages.record(job, pageUrl, { failed_with: text.reason, bytes: text.bytes });
      yield { sources: [], found };
      continue;
    }
    const missedFor = missedReason(page);
    if (missedFor === undefined) read++;
    else {
      missed++;
      firstFailure ??= { pageUrl, reason: missedFor };
    }
    const note = [missedFor && `${missedFor} ${MISSED}`, text.note].filter(Boolean).join(' ');
    yield { sources: sourcesOf(page, text), found, done: recorder(run, pageUrl, text, note) };
  }
  if (missed > 0) quota.note(missedNote(missed));
  if (read === 0 && firstFailure)
    throw new LoadError(`No page of this website could be read. ${firstFailure.pageUrl}: ${firstFailure.reason}`);
}

interface Failure {
  readonly pageUrl: string;
  readonly reason: string;
}

function crawlOf({ account, website }: KnowledgeItemDoc<'website'>, kept: KeptPages, run: Run) {
  const { dependencies, crawlLimits, documentLimits, signal } = run;
  const { fetchers, readers } = dependencies;
  return crawl(website.base_url, {
    fetcher: fetchers.of(account),
    readers,
    limits: crawlLimits,
    documentLimits,
    signal,
    patterns: { include: website.include ?? [], exclude: website.exclude ?? [] },
    previous: kept.previous,
    earlier: kept.all,
  });
}

/** Pages until the quota is full; it records why the crawl left out others. */
async function* untilFull(
  pages: AsyncGenerator<CrawledPage, CrawlEnd>,
  quota: ChunkQuota,
): AsyncGenerator<CrawledPage> {
  try {
    while (!quota.isFull) {
      const next = await pages.next();
      if (next.done) return quota.crawled(next.value);
      yield next.value;
    }
    quota.stopped();
  } finally {
    await pages.return({ limits: [], notes: [] });
  }
}

/** The stored text of a page, with what was left out of it. */
interface PageText {
  readonly content: KeptPage;
  readonly text: string;
  readonly bytes: number;
  readonly pdf: PdfText | undefined;
  readonly note: string;
}

async function textOf(
  page: Exclude<CrawledPage, FailedPage>,
  kept: KeptPages,
  signal: AbortSignal,
): Promise<PageText | { reason: string; bytes?: number }> {
  const stored =
    page.outcome === 'loaded'
      ? { content: await kept.keep(page), text: page.text, bytes: page.raw.length }
      : await kept.keepAgain(page, signal);
  if (!stored) return { reason: page.outcome === 'missed' ? page.reason : VANISHED };
  const pdf = isPdf(stored.content.content_type) ? decodePdf(stored.text) : undefined;
  return { ...stored, pdf, note: pdf?.note ?? '' };
}

function missedReason(page: CrawledPage): string | undefined {
  if (page.outcome === 'missed') return page.reason;
  return page.outcome === 'loaded' ? page.missed : undefined;
}

/** A page is one text; a PDF has one for each of its pages, which a viewer opens by `#page=`. */
function sourcesOf({ pageUrl, url }: CrawledPage, { content, text, pdf }: PageText): Source[] {
  const { title, language } = content;
  if (!pdf) return [{ id: pageUrl, title, url, text, isBlocks: true, language }];
  return pdf.pages.map(({ place, text }) => ({
    id: `${pageUrl}#${place.replace(' ', '=')}`,
    title: `${title}, ${place}`,
    url: `${url}#${place.replace(' ', '=')}`,
    text,
  }));
}

function recorder({ dependencies, job }: Run, pageUrl: string, { content, bytes }: PageText, own: string) {
  return (written: readonly Written[]) => {
    const { leftOut, chunks } = total(written);
    const note = [own, leftOut?.reason].filter(Boolean).join(' ');
    const outcome =
      leftOut?.all && chunks === 0
        ? { failed_with: leftOut.reason, bytes }
        : { content, bytes, chunks, ...(note && { note }) };
    return dependencies.corpus.subPages.record(job, pageUrl, outcome);
  };
}
