import { type Outline, place } from './questions.ts';
import { holds, type Places } from './score.ts';
import { rangeOf, textAt } from './sections.ts';

/** Resolves the addresses of a source's website. */
export function placesOf(outline: Outline): Places {
  const parts = (url: string) => {
    const { pathname, hash } = new URL(url);
    const sections = outline.get(decodeURIComponent(pathname).slice(1)) ?? [];
    return { page: decodeURIComponent(pathname).slice(1), sections, anchor: decodeURIComponent(hash).slice(1) };
  };
  return {
    holds(url, fact) {
      const { sections, anchor } = parts(url);
      return holds(textAt(sections, anchor) ?? '', fact);
    },
    leadsTo(url, section) {
      const { page, sections, anchor } = parts(url);
      const stated = place(section);
      if (page !== stated.page) return false;
      // Nothing can lead to a heading without an id.
      if (!sections.some(({ anchors }) => anchors.includes(stated.anchor))) return true;
      if (anchor === '') return false;
      const [range, at] = [rangeOf(sections, stated.anchor), rangeOf(sections, anchor)];
      return range !== undefined && at !== undefined && range.from <= at.from && at.from < range.to;
    },
  };
}
