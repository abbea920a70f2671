import type { Copies } from './copies.ts';
import type { Visit } from './page.ts';
import type { ReadSitemaps } from './sitemap.ts';

/** A crawl's omissions, besides those of its limits. */
export interface CrawlNotes {
  visited(visit: Visit): void;
  sitemaps(read: ReadSitemaps): void;
  /** One sentence for each kind. */
  sentences(copies: Copies): string[];
}

export function createCrawlNotes(): CrawlNotes {
  let noindex = 0;
  let nofollow = 0;
  let manyLinks = 0;
  let sitemaps: readonly string[] = [];
  return {
    visited({ isNoindex, isNofollow, hasMoreLinks }) {
      if (isNoindex) noindex++;
      if (isNofollow) nofollow++;
      if (hasMoreLinks) manyLinks++;
    },
    sitemaps({ notes }) {
      sitemaps = notes;
    },
    sentences: ({ disclaimed, same }) => [
      ...some(
        noindex,
        'asks',
        'ask',
        'not to be indexed (noindex) and was not trained',
        'not to be indexed (noindex) and were not trained',
      ),
      ...some(nofollow, 'asks', 'ask', 'not to follow its links (nofollow)', 'not to follow their links (nofollow)'),
      ...some(
        disclaimed,
        'names',
        'name',
        'another page as its original (canonical) and was not trained a second time',
        'other pages as their originals (canonical) and were not trained a second time',
      ),
      ...some(
        same,
        'has',
        'have',
        'the same content under more than one address and was trained once',
        'the same content under more than one address and were trained once',
      ),
      ...some(
        manyLinks,
        'has',
        'have',
        'more links than are followed from one page',
        'more links than are followed from one page',
      ),
      ...sitemaps,
    ],
  };
}

/** "One page asks …." or "7 pages ask ….", or nothing. */
function some(count: number, verb: string, verbs: string, what: string, whats: string): string[] {
  if (count === 0) return [];
  return [count === 1 ? `One page ${verb} ${what}.` : `${count.toLocaleString('en')} pages ${verbs} ${whats}.`];
}
