/** How much of a site a crawl reads. */
export interface CrawlLimits {
  /** Pages listed, whatever their outcome. */
  readonly pages: number;
  /** Links from the start page; pages of a sitemap are one link away. */
  readonly depth: number;
  /** For all pages together, after decompression; requests in flight when it is reached still count. */
  readonly bytes: number;
  readonly millis: number;
  readonly concurrency: number;
  /** Between the starts of two requests; a longer crawl delay of the site takes precedence. */
  readonly perHostDelayMs: number;
}

/** A limit that left pages of the site unread. */
export type CrawlLimit = 'pages' | 'depth' | 'bytes' | 'time';
