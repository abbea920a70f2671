import { createHash } from 'node:crypto';
import { basename } from 'node:path/posix';
import { type Fetched, type Fetcher, type Head, redirectOf } from '../http/fetcher.ts';
import { LoadError } from '../http/load-error.ts';
import { statusSentence } from '../http/sentences.ts';
import { pageOfSite } from './address.ts';
import { decode } from './charset.ts';
import type { Extracted } from './extract.ts';
import type { Extractor } from './extractor.ts';
import { visible } from './hygiene.ts';
import type { Robots } from './robots.ts';

const MAX_BYTES = 5_000_000;
const TIMEOUT_MS = 20_000;

/** What an earlier crawl kept of a page. */
export interface Previous {
  readonly etag?: string;
  readonly lastModified?: string;
  readonly contentHash: string;
  readonly links: readonly string[];
}

/** What every page of a site is loaded with. */
export interface Site {
  readonly origin: string;
  readonly robots: Robots;
  /** Keeps the site's crawl delay. */
  readonly fetcher: Fetcher;
  readonly extractor: Extractor;
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
  readonly text: string;
  readonly raw: Buffer;
  readonly contentType: string;
  /** SHA-256 of `raw`, in hex. */
  readonly contentHash: string;
  readonly etag?: string;
  readonly lastModified?: string;
  /** The pages of the site it leads to, as their `pageUrl`. */
  readonly links: readonly string[];
}

/** The site says so, or its bytes are the same. */
export interface UnchangedPage extends Page {
  readonly outcome: 'unchanged';
}

export interface FailedPage extends Page {
  readonly outcome: 'failed';
  /** A sentence a person can act on. */
  readonly reason: string;
}

export interface Visit {
  /** Nothing for what is not listed: other sites, what robots.txt refuses, what is not text. */
  readonly page?: LoadedPage | UnchangedPage | FailedPage;
  readonly links: readonly string[];
  readonly bytes: number;
}

const UNLISTED: Visit = { links: [], bytes: 0 };

/** Loads one page; only the signal's reason is thrown. */
export async function visitPage(site: Site, pageUrl: string): Promise<Visit> {
  try {
    const previous = await site.previous(pageUrl);
    return await readPage(site, pageUrl, await fetchPage(site, pageUrl, previous), previous);
  } catch (error) {
    if (!(error instanceof LoadError)) throw error;
    return failed(site, pageUrl, error.message);
  }
}

/** Follows redirects within the site, as far as its robots.txt allows. */
export async function fetchPage(site: Site, pageUrl: string, previous?: Previous): Promise<Fetched> {
  const get = (headers: Record<string, string>) =>
    site.fetcher.get(site.origin + pageUrl, {
      headers: { accept: 'text/html, application/xhtml+xml, text/plain;q=0.9, */*;q=0.1', ...headers },
      maxBytes: MAX_BYTES,
      timeoutMs: TIMEOUT_MS,
      signal: site.signal,
      accept: (head) => head.status < 300 && isText(head),
      follow: (target) => target.origin === site.origin && site.robots.allows(target.href),
    });
  const fetched = await get({
    ...(previous?.etag && { 'if-none-match': previous.etag }),
    ...(previous?.lastModified && { 'if-modified-since': previous.lastModified }),
  });
  // Another page than the one that was kept has not changed: that says nothing.
  return fetched.status === 304 && fetched.redirects.length > 0 ? get({}) : fetched;
}

export async function readPage(site: Site, pageUrl: string, fetched: Fetched, previous?: Previous): Promise<Visit> {
  const { status, body } = fetched;
  if (status === 304 && previous) return unchanged(site, pageUrl, previous, 0);
  if (redirectOf(fetched)) return UNLISTED;
  if (status < 200 || status >= 300) return failed(site, pageUrl, statusSentence(status));
  const landed = pageOfSite(fetched.url, site.origin);
  if (!landed || !isText(fetched)) return UNLISTED;
  const contentHash = createHash('sha256').update(body).digest('hex');
  if (contentHash === previous?.contentHash && landed === pageUrl)
    return unchanged(site, pageUrl, previous, body.length);
  const content = await contentOf(site, fetched);
  const links = pagesOf(site, content.links);
  const name = nameOf(site, content, fetched.redirects.length > 0 ? landed : pageUrl);
  if (!content.text)
    return { ...failed(site, name, 'No readable text was found on this page.'), links, bytes: body.length };
  const page: LoadedPage = {
    ...pageOf(site, name),
    outcome: 'loaded',
    title: content.title || basename(name) || new URL(site.origin).host,
    text: content.text,
    raw: body,
    contentType: fetched.headers['content-type'] ?? 'text/html',
    contentHash,
    etag: fetched.headers['etag'],
    lastModified: fetched.headers['last-modified'],
    links,
  };
  return { page, links, bytes: body.length };
}

/** HTML, plain text and markdown; an answer that names no type is taken for HTML. */
export function isText({ headers }: Head): boolean {
  return (
    isHtml(headers['content-type']) || /^text\/(plain|markdown|x-markdown)\b/i.test(headers['content-type']!.trim())
  );
}

function isHtml(contentType: string | undefined): boolean {
  return !contentType || /^(text\/html|application\/xhtml\+xml)\b/i.test(contentType.trim());
}

async function contentOf(site: Site, { url, headers, body }: Fetched): Promise<Extracted> {
  const contentType = headers['content-type'];
  const text = decode(body, contentType);
  if (isHtml(contentType)) return site.extractor.extract(expandSelfClosing(text, contentType), url);
  const title = /^#{1,6} +(.{1,300})/m.exec(text)?.[1]?.trim() ?? '';
  return { title, text: visible(text).trim(), links: [] };
}

/** In XHTML `<script/>` is closed; an HTML parser would take the rest of the page for its content. */
function expandSelfClosing(text: string, contentType = ''): string {
  return /xhtml/i.test(contentType)
    ? text.replace(/<(script|style|title|textarea|iframe|a|div|p|span)\b([^<>]*)\/>/gi, '<$1$2></$1>')
    : text;
}

/** A page is what it says it is, if that lies on its site and may be read there. */
function nameOf(site: Site, { canonical }: Extracted, otherwise: string): string {
  const named = canonical && pageOfSite(canonical, site.origin);
  return named && site.robots.allows(site.origin + named) ? named : otherwise;
}

function pagesOf(site: Site, links: readonly string[]): string[] {
  return [...new Set(links.flatMap((link) => pageOfSite(link, site.origin) ?? []))];
}

function pageOf(site: Site, pageUrl: string): Page {
  return { pageUrl, url: site.origin + pageUrl };
}

function unchanged(site: Site, pageUrl: string, { links }: Previous, bytes: number): Visit {
  return { page: { ...pageOf(site, pageUrl), outcome: 'unchanged' }, links, bytes };
}

function failed(site: Site, pageUrl: string, reason: string): Visit {
  return { page: { ...pageOf(site, pageUrl), outcome: 'failed', reason }, links: [], bytes: 0 };
}
