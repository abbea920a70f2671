import type { Reader } from '../sandbox/readers.ts';
import type { Choice } from './choice.ts';
import type { Fetcher } from './http/fetcher.ts';
import type { Patience } from './patience.ts';
import type { PdfReader } from './pdf.ts';
import type { Robots } from './robots.ts';

/** A page as an earlier crawl stored it. */
export interface Previous {
  readonly etag?: string;
  readonly lastModified?: string;
  readonly contentHash: string;
  readonly links: readonly string[];
  /** Another version of this code read its text: its bytes are needed again. */
  readonly isOutdated?: boolean;
  /** The bytes, if they are still there. */
  readonly stored?: () => Promise<StoredBytes | undefined>;
}

export interface StoredBytes {
  readonly body: Buffer;
  readonly contentType: string;
  readonly contentLanguage?: string | undefined;
}

/** The dependencies of loading a page of a site. */
export interface Site {
  readonly origin: string;
  readonly robots: Robots;
  readonly choice: Choice;
  /** Respects the site's crawl delay. */
  readonly fetcher: Fetcher;
  readonly reader: Reader;
  readonly pdfs: PdfReader;
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
  /** Encoded blocks; of a PDF, see `encodePdf`. */
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
  /** Why the bytes are those of an earlier crawl. */
  readonly missed?: string;
}

/** The site answered 304, or the bytes are the same. */
export interface UnchangedPage extends Page {
  readonly outcome: 'unchanged';
  readonly contentHash: string;
  readonly previous: Previous;
}

/** It could not be read for a reason that may pass; an earlier crawl has read it. */
export interface MissedPage extends Page {
  readonly outcome: 'missed';
  readonly contentHash: string;
  readonly previous: Previous;
  readonly reason: string;
}

export interface FailedPage extends Page {
  readonly outcome: 'failed';
  /** A sentence that a person can act on. */
  readonly reason: string;
  /** It may be readable later. */
  readonly mayPass?: boolean;
  /** Size of the response, if it was read. */
  readonly bytes?: number;
}

export type SitePage = LoadedPage | UnchangedPage | MissedPage | FailedPage;

/** `found` counts the pages known so far: listed, in progress and waiting. */
export type CrawledPage = SitePage & { readonly found: number };

export interface Visit {
  /**
   * Absent for pages that are not listed: on other sites, not chosen, disallowed by robots.txt, neither text nor PDF,
   * `noindex`, or another page by their own account.
   */
  readonly page?: SitePage;
  /** To follow; empty if the page or its server asks not to. */
  readonly links: readonly string[];
  readonly bytes: number;
  /** The page asks not to be trained. */
  readonly isNoindex?: boolean;
  /** The page asks not to follow its links. */
  readonly isNofollow?: boolean;
  /** The page has more links than are followed. */
  readonly hasMoreLinks?: boolean;
  /** Something that leads to pages could not be read for a reason that may pass. */
  readonly isIncomplete?: boolean;
  /** The `pageUrl` that the page declares to be its own; it is chosen and allowed. */
  readonly canonical?: string;
}
