import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import type { PageContent } from '@parley/reading/pages';
import {
  both,
  canonicalOfHeader,
  headerTags,
  isPdfAddress,
  NO_TAGS,
  pageOfSite,
  pageUrlOf,
  type RobotsTags,
} from '@parley/reading/sites';
import { isHtml, stripInvisible } from '@parley/reading/text';
import type { Fetched, Head } from '@parley/runtime/outbound';
import { ReadingFailed } from '@parley/runtime/sandbox';
import { LoadError, PassingFailure } from './http/load-error.ts';
import { isPassing, seconds, size, statusSentence } from './http/sentences.ts';
import type { FailedPage, LoadedPage, MissedPage, Previous, Site, StoredBytes, Visit } from './page.ts';
import { SiteGivenUp, UnreadablePage } from './patience.ts';
import { encodePdf, isPdf, MAX_PDF_BYTES, type PdfText } from './pdf.ts';

const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 20_000;

const UNLISTED: Visit = { links: [], bytes: 0 };
const NO_TEXT = 'No readable text was found on this page.';
const NEEDS_SCRIPT =
  'This page shows its text only with JavaScript, which is not run here. Have the site send its text as HTML (rendered on the server), or upload the text as a document.';

/** A page before it is read. */
interface Known {
  readonly previous?: Previous | undefined;
  /** True if to list it under its own address, whatever it declares as its canonical one. */
  readonly asItself?: boolean;
}

/** Loads one page. Throws SiteGivenUp, or the signal's reason. */
export async function visitPage(site: Site, pageUrl: string, asItself = false): Promise<Visit> {
  const previous = await site.previous(pageUrl);
  let bytes: number | undefined;
  try {
    const fetched = await fetchPage(site, pageUrl, previous);
    bytes = fetched.body.length;
    const visit = await readPage(site, pageUrl, fetched, { previous, asItself });
    site.patience.answered();
    return visit;
  } catch (error) {
    if (!(error instanceof LoadError) || error instanceof SiteGivenUp) throw error;
    site.patience.failed(error);
    if (error instanceof PassingFailure) return missed(site, pageUrl, error.message, previous);
    return failed(site, pageUrl, error.message, bytes);
  }
}

/** Follows redirects within the site, as far as its robots.txt and the owner's choice allow. */
export async function fetchPage(site: Site, pageUrl: string, previous?: Previous): Promise<Fetched> {
  const get = (headers: Record<string, string>) =>
    site.fetcher.get(site.origin + pageUrl, {
      headers: {
        accept: 'text/html, application/xhtml+xml, text/plain;q=0.9, application/pdf;q=0.8, */*;q=0.1',
        ...headers,
      },
      maxBytes: isPdfAddress(pageUrl) ? MAX_PDF_BYTES : MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal: site.signal,
      accept: (head) => head.status < 300 && isReadable(head),
      follow: async (target) =>
        target.origin === site.origin && (await isChosen(site, pageUrlOf(target))) && isAllowed(site, target.href),
    });
  const fetched = await get({
    ...(previous?.etag && { 'if-none-match': previous.etag }),
    ...(previous?.lastModified && { 'if-modified-since': previous.lastModified }),
  });
  // After a redirect, 304 is about another page than the stored one.
  return fetched.status === 304 && fetched.redirects.length > 0 ? get({}) : fetched;
}

export async function readPage(site: Site, pageUrl: string, fetched: Fetched, known: Known = {}): Promise<Visit> {
  const { status, body } = fetched;
  const { previous } = known;
  if (status === 304 && previous) {
    if (!previous.isOutdated) return unchanged(site, pageUrl, previous, fetched);
    const stored = await previous.stored?.();
    if (stored) return readBytes(site, pageUrl, storedAnswer(fetched, stored, previous), known);
    return readPage(site, pageUrl, await fetchPage(site, pageUrl), { ...known, previous: undefined });
  }
  if (fetched.redirect) return UNLISTED;
  if (isPassing(status)) return missed(site, pageUrl, statusSentence(status), previous);
  if (status < 200 || status >= 300) return failed(site, pageUrl, statusSentence(status));
  const landed = pageOfSite(fetched.url, site.origin);
  if (!landed || !isReadable(fetched)) return UNLISTED;
  if (body.length > MAX_BYTES && !isPdf(fetched.headers['content-type']))
    return failed(site, pageUrl, `The page is larger than ${size(MAX_BYTES)}.`, body.length);
  const stored = landed === pageUrl ? previous : await site.previous(landed);
  if (stored && !stored.isOutdated && stored.contentHash === hashOf(body))
    return unchanged(site, landed, stored, fetched);
  return readBytes(site, pageUrl, fetched, known);
}

/** The same page as if it had just been sent. */
const storedAnswer = (
  answer: Fetched,
  { body, contentType, contentLanguage }: StoredBytes,
  previous: Previous,
): Fetched => ({
  ...answer,
  status: 200,
  body,
  headers: {
    ...(previous.etag && { etag: previous.etag }),
    ...(previous.lastModified && { 'last-modified': previous.lastModified }),
    ...answer.headers,
    'content-type': contentType,
    ...(contentLanguage && { 'content-language': contentLanguage }),
  },
});

/** HTML, plain text and Markdown; a response without a type is taken for HTML. */
export function isText({ headers }: Head): boolean {
  return (
    isHtml(headers['content-type']) || /^text\/(plain|markdown|x-markdown)\b/i.test(headers['content-type']!.trim())
  );
}

const isReadable = (head: Head): boolean => isText(head) || isPdf(head.headers['content-type']);

async function readBytes(site: Site, pageUrl: string, fetched: Fetched, { asItself }: Known): Promise<Visit> {
  const { body, headers, redirects } = fetched;
  const name = redirects.length > 0 ? pageOfSite(fetched.url, site.origin)! : pageUrl;
  const content = await contentOf(site, name, fetched);
  const tags = both(content.tags, headerTags(fetched));
  const read = {
    links: tags.nofollow ? [] : content.links,
    bytes: body.length,
    ...signsOf(tags),
    ...(content.hasMoreLinks && !tags.nofollow && { hasMoreLinks: true }),
  };
  if (tags.noindex) return read;
  const canonical = asItself ? undefined : await canonicalOf(site, content, fetched, [pageUrl, name]);
  if (canonical !== undefined) return { ...read, canonical };
  const reason = content.needsScript ? NEEDS_SCRIPT : content.text ? undefined : NO_TEXT;
  if (reason !== undefined) return { ...failed(site, name, reason, body.length), ...read };
  const page: LoadedPage = {
    ...pageOf(site, name),
    outcome: 'loaded',
    title: content.title || basename(name) || new URL(site.origin).host,
    text: content.text,
    kept: content.kept,
    language: content.language,
    raw: body,
    contentType: headers['content-type'] ?? 'text/html',
    contentHash: hashOf(body),
    etag: headers['etag'],
    lastModified: headers['last-modified'],
    links: read.links,
  };
  return { ...read, page };
}

const signsOf = ({ noindex, nofollow }: RobotsTags) => ({
  ...(noindex && { isNoindex: true }),
  ...(nofollow && { isNofollow: true }),
});

const hashOf = (body: Buffer): string => createHash('sha256').update(body).digest('hex');

async function contentOf(site: Site, pageUrl: string, { url, headers, body }: Fetched): Promise<PageContent> {
  const { origin, reader, signal, pdfs } = site;
  if (isPdf(headers['content-type'])) return pdfContent(pageUrl, await pdfs.read(body, signal));
  try {
    return await reader.read(
      'page',
      { body, contentType: headers['content-type'], contentLanguage: headers['content-language'], url, origin },
      signal,
    );
  } catch (error) {
    if (!(error instanceof ReadingFailed)) throw error;
    throw new UnreadablePage(unreadable(error), { cause: error });
  }
}

/** Its title is the name of its file. */
const pdfContent = (pageUrl: string, pdf: PdfText): PageContent => ({
  title: fileName(pageUrl),
  text: encodePdf(pdf),
  kept: 1,
  links: [],
  tags: NO_TAGS,
  needsScript: false,
});

/** As people read it, without the query. */
function fileName(pageUrl: string): string {
  const name = basename(pageUrl.replace(/\?.*$/s, ''));
  try {
    return stripInvisible(decodeURIComponent(name));
  } catch {
    return name;
  }
}

function unreadable({ reason, timeoutMs }: ReadingFailed): string {
  const within = reason === 'time' ? ` within ${seconds(timeoutMs)}` : '';
  return `The page is too complex: its text could not be found${within}.`;
}

/** The page's canonical name, if that is another one, and may be read, too. */
async function canonicalOf(site: Site, { canonical }: PageContent, fetched: Fetched, own: readonly string[]) {
  const declared = canonicalOfHeader(fetched);
  const name = canonical ?? (declared && pageOfSite(declared, site.origin));
  // A page that redirects to the one that declares it is the same.
  const redirects = fetched.redirects.map((address) => pageOfSite(address, site.origin));
  if (!name || own.includes(name) || redirects.includes(name)) return undefined;
  return (await isChosen(site, name)) && (await isAllowed(site, site.origin + name)) ? name : undefined;
}

async function isAllowed({ robots }: Site, url: string): Promise<boolean> {
  return (await robots.allows([url]))[0]!;
}

export async function isChosen({ choice }: Site, pageUrl: string): Promise<boolean> {
  return (await choice([pageUrl]))[0]!;
}

const pageOf = (site: Site, pageUrl: string) => ({ pageUrl, url: site.origin + pageUrl });

/** @param fetched the answer that says so: its headers may have changed although its bytes have not. */
function unchanged(site: Site, pageUrl: string, previous: Previous, fetched: Fetched): Visit {
  const { links, contentHash } = previous;
  const tags = headerTags(fetched);
  const visit = { links: tags.nofollow ? [] : links, bytes: fetched.body.length, ...signsOf(tags) };
  if (tags.noindex) return visit;
  return { ...visit, page: { ...pageOf(site, pageUrl), outcome: 'unchanged', contentHash, previous } };
}

/** @param bytes of the response, if it was read. */
function failed(site: Site, pageUrl: string, reason: string, bytes?: number): Visit {
  const page: FailedPage = {
    ...pageOf(site, pageUrl),
    outcome: 'failed',
    reason,
    ...(bytes !== undefined && { bytes }),
  };
  return { page, links: [], bytes: bytes ?? 0 };
}

/** A page that could not be read for a reason that may pass keeps what it had. */
async function missed(site: Site, pageUrl: string, reason: string, previous?: Previous): Promise<Visit> {
  const { page, ...visit } = failed(site, pageUrl, reason);
  const nothing: Visit = { ...visit, page: { ...page!, mayPass: true } as FailedPage };
  if (!previous) return nothing;
  const { links, contentHash } = previous;
  const kept: MissedPage = { ...pageOf(site, pageUrl), outcome: 'missed', contentHash, previous, reason };
  if (!previous.isOutdated) return { page: kept, links, bytes: 0 };
  const stored = await previous.stored?.();
  if (!stored) return nothing;
  const answer = { url: site.origin + pageUrl, status: 200, headers: {}, body: stored.body, redirects: [] };
  const again = await readBytes(site, pageUrl, storedAnswer(answer, stored, previous), { asItself: true });
  return again.page?.outcome === 'loaded' ? { ...again, bytes: 0, page: { ...again.page, missed: reason } } : nothing;
}
