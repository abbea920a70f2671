import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import type { Fetched, Head } from '@parley/runtime/outbound';
import type { Fetcher } from '../http/fetcher.ts';
import { LoadError } from '../http/load-error.ts';
import { seconds, statusSentence } from '../http/sentences.ts';
import type { Reader } from '../reading/readers.ts';
import { ReadingFailed } from '../reading/reading-failed.ts';
import { pageOfSite, pageUrlOf } from './address.ts';
import type { Choice } from './choice.ts';
import { isHtml, type PageContent } from './page-content.ts';
import { type Patience, SiteGivenUp, UnreadablePage } from './patience.ts';
import type { Robots } from './robots.ts';

const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 20_000;

/** A page as an earlier crawl stored it. */
export interface Previous {
  readonly etag?: string;
  readonly lastModified?: string;
  readonly contentHash: string;
  readonly links: readonly string[];
  /** Another version of this code read its text: its bytes are needed again. */
  readonly isOutdated?: boolean;
}

/** What loading a page of a site needs. */
export interface Site {
  readonly origin: string;
  readonly robots: Robots;
  readonly choice: Choice;
  /** Respects the site's crawl delay. */
  readonly fetcher: Fetcher;
  readonly reader: Reader;
  readonly patience: Patience;
  readonly signal: AbortSignal;
  readonly previous: (pageUrl: string) => Promise<Previous | undefined>;
}

interface Page {
  /** Path and normalised query: the page's name within its site. */
  readonly pageUrl: string;
  readonly url: string;
}

export interface LoadedPage extends Page {
  readonly outcome: 'loaded';
  readonly title: string;
  /** Encoded blocks. */
  readonly text: string;
  readonly kept: number;
  readonly language?: string | undefined;
  readonly raw: Buffer;
  readonly contentType: string;
  /** SHA-256 of `raw`, in hex. */
  readonly contentHash: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** The pages of its site that it links to, as their `pageUrl`. */
  readonly links: readonly string[];
}

/** The site answered 304, or the bytes are the same. */
export interface UnchangedPage extends Page {
  readonly outcome: 'unchanged';
}

export interface FailedPage extends Page {
  readonly outcome: 'failed';
  /** A sentence that a person can act on. */
  readonly reason: string;
  /** Of the response, if it was read. */
  readonly bytes?: number;
}

export interface Visit {
  /** Absent for pages that are not listed: on other sites, not chosen, disallowed by robots.txt, or not text. */
  readonly page?: LoadedPage | UnchangedPage | FailedPage;
  readonly links: readonly string[];
  readonly bytes: number;
}

const UNLISTED: Visit = { links: [], bytes: 0 };

/** Loads one page. Throws SiteGivenUp, or the signal's reason. */
export async function visitPage(site: Site, pageUrl: string): Promise<Visit> {
  try {
    const previous = await site.previous(pageUrl);
    const visit = await readPage(site, pageUrl, await fetchPage(site, pageUrl, previous), previous);
    site.patience.answered();
    return visit;
  } catch (error) {
    if (!(error instanceof LoadError) || error instanceof SiteGivenUp) throw error;
    site.patience.failed(error);
    return failed(site, pageUrl, error.message);
  }
}

/** Follows redirects within the site, as far as its robots.txt and the owner's choice allow. */
export async function fetchPage(site: Site, pageUrl: string, previous?: Previous): Promise<Fetched> {
  const get = (headers: Record<string, string>) =>
    site.fetcher.get(site.origin + pageUrl, {
      headers: { accept: 'text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.1', ...headers },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal: site.signal,
      accept: (head) => head.status < 300 && isText(head),
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

export async function readPage(site: Site, pageUrl: string, fetched: Fetched, previous?: Previous): Promise<Visit> {
  const { status, body } = fetched;
  if (status === 304 && previous) return unchanged(site, pageUrl, previous, 0);
  if (fetched.redirect) return UNLISTED;
  if (status < 200 || status >= 300) return failed(site, pageUrl, statusSentence(status));
  const landed = pageOfSite(fetched.url, site.origin);
  if (!landed || !isText(fetched)) return UNLISTED;
  const contentHash = createHash('sha256').update(body).digest('hex');
  if (contentHash === previous?.contentHash && landed === pageUrl && !previous.isOutdated)
    return unchanged(site, pageUrl, previous, body.length);
  const content = await contentOf(site, fetched);
  const { links } = content;
  const name = await nameOf(site, content, fetched.redirects.length > 0 ? landed : pageUrl);
  if (!content.text) return { ...failed(site, name, 'No readable text was found on this page.', body.length), links };
  const page: LoadedPage = {
    ...pageOf(site, name),
    outcome: 'loaded',
    title: content.title || basename(name) || new URL(site.origin).host,
    text: content.text,
    kept: content.kept,
    language: content.language,
    raw: body,
    contentType: fetched.headers['content-type'] ?? 'text/html',
    contentHash,
    etag: fetched.headers['etag'],
    lastModified: fetched.headers['last-modified'],
    links,
  };
  return { page, links, bytes: body.length };
}

/** HTML, plain text and Markdown; a response without a type is taken for HTML. */
export function isText({ headers }: Head): boolean {
  return (
    isHtml(headers['content-type']) || /^text\/(plain|markdown|x-markdown)\b/i.test(headers['content-type']!.trim())
  );
}

async function contentOf(site: Site, { url, headers, body }: Fetched): Promise<PageContent> {
  const { origin, reader, signal } = site;
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

function unreadable({ reason, timeoutMs }: ReadingFailed): string {
  const within = reason === 'time' ? ` within ${seconds(timeoutMs)}` : '';
  return `The page is too complex: its text could not be found${within}.`;
}

/** The page's canonical name, if that may be read, too. */
async function nameOf(site: Site, { canonical }: PageContent, otherwise: string): Promise<string> {
  if (!canonical || canonical === otherwise) return otherwise;
  const mayRead = (await isChosen(site, canonical)) && (await isAllowed(site, site.origin + canonical));
  return mayRead ? canonical : otherwise;
}

async function isAllowed({ robots }: Site, url: string): Promise<boolean> {
  return (await robots.allows([url]))[0]!;
}

export async function isChosen({ choice }: Site, pageUrl: string): Promise<boolean> {
  return (await choice([pageUrl]))[0]!;
}

function pageOf(site: Site, pageUrl: string): Page {
  return { pageUrl, url: site.origin + pageUrl };
}

function unchanged(site: Site, pageUrl: string, { links }: Previous, bytes: number): Visit {
  return { page: { ...pageOf(site, pageUrl), outcome: 'unchanged' }, links, bytes };
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
