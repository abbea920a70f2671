import { place } from './questions.ts';
import { type Outline, rangeOf } from './sections.ts';

/** Tells where the addresses of sources lead. */
export interface Places {
  /** Returns whether a url leads to the page of a section (`page#anchor`). */
  leadsToPage(url: string, section: string): boolean;
  /** Returns whether its anchor leads to the very section, or to one inside it. */
  leadsTo(url: string, section: string): boolean;
}

/** Resolves the addresses of a site. */
export function placesOf(outline: Outline): Places {
  const parts = (url: string) => {
    const { pathname, hash } = new URL(url);
    return { page: decodeURIComponent(pathname).slice(1), anchor: decodeURIComponent(hash).slice(1) };
  };
  return {
    leadsToPage: (url, section) => parts(url).page === place(section).page,
    leadsTo(url, section) {
      const { page, anchor } = parts(url);
      const stated = place(section);
      if (page !== stated.page) return false;
      const sections = outline.get(page) ?? [];
      // Nothing can lead to a heading without an id.
      if (!sections.some(({ anchors }) => anchors.includes(stated.anchor))) return true;
      if (anchor === '') return false;
      const [range, at] = [rangeOf(sections, stated.anchor), rangeOf(sections, anchor)];
      return range !== undefined && at !== undefined && range.from <= at.from && at.from < range.to;
    },
  };
}
