import { withoutVariation } from '@parley/reading/sites';

/** Which pages of a crawl are other pages of it under another address. */
export interface Copies {
  /**
   * Records that a page declares another one to be the canonical one. Only the page itself may say so.
   *
   * @param isKnown whether anything else leads to that one
   */
  disclaim(pageUrl: string, canonical: string, isKnown: boolean): void;
  /** Returns whether a page is known only because another one declares it to be the canonical one. */
  isOnlyDeclared(pageUrl: string): boolean;
  /** Records that links lead to these pages. */
  linked(pageUrls: readonly string[]): void;
  /** Records what was read at an address. False if an address that differs only as servers ignore it had the same. */
  isNew(pageUrl: string, contentHash: string): boolean;
  /**
   * The next page that nothing was read for: its canonical one could not be, nor another page that declares the same. It
   * stands for itself, and is to be read before the next one is asked for. Each is returned once.
   */
  next(isRead: (pageUrl: string) => boolean): string | undefined;
  readonly disclaimed: number;
  readonly same: number;
}

/** Declarations that lead from one page to the next; longer chains and circles lead nowhere. */
const LONGEST_CHAIN = 5;

export function createCopies(): Copies {
  const canonicals = new Map<string, string>();
  const waiting: string[] = [];
  /** By canonical page: the one that was read in its place. */
  const standIns = new Map<string, string>();
  const declared = new Set<string>();
  const read = new Map<string, string>();
  let same = 0;
  let asked = 0;

  function isSettled(pageUrl: string, isRead: (pageUrl: string) => boolean): boolean {
    let at = canonicals.get(pageUrl);
    for (let i = 0; at !== undefined && i < LONGEST_CHAIN; i++) {
      const standIn = standIns.get(at);
      if (isRead(at) || (standIn !== undefined && isRead(standIn))) return true;
      at = canonicals.get(at);
    }
    return false;
  }

  return {
    disclaim(pageUrl, canonical, isKnown) {
      canonicals.set(pageUrl, canonical);
      waiting.push(pageUrl);
      if (!isKnown) declared.add(canonical);
    },
    isOnlyDeclared: (pageUrl) => declared.has(pageUrl),
    linked(pageUrls) {
      for (const pageUrl of pageUrls) declared.delete(pageUrl);
    },
    isNew(pageUrl, contentHash) {
      const key = `${contentHash} ${withoutVariation(pageUrl)}`;
      const first = read.get(key) ?? pageUrl;
      read.set(key, first);
      if (first !== pageUrl) same++;
      return first === pageUrl;
    },
    next(isRead) {
      while (asked < waiting.length) {
        const pageUrl = waiting[asked++]!;
        if (isSettled(pageUrl, isRead)) continue;
        standIns.set(canonicals.get(pageUrl)!, pageUrl);
        canonicals.delete(pageUrl);
        return pageUrl;
      }
      return undefined;
    },
    get disclaimed() {
      return canonicals.size;
    },
    get same() {
      return same;
    },
  };
}
