import { sectionsOf } from './sections.ts';
import type { Pages } from './site.ts';

/** A question of an FAQ with its answer, as its page has them. */
export interface FaqEntry {
  question: string;
  html: string;
}

/** How the pages of a source mark a question, in the first group, and what ends an answer besides the next question. */
interface Markup {
  pages: RegExp;
  question: RegExp;
  end: RegExp;
}

/** The sources with an FAQ. */
const MARKUP: Record<string, Markup> = {
  git: {
    pages: /^gitfaq\.html$/,
    question: /<dt class="hdlist1">(.*?)<\/dt>/gs,
    end: /<h2|<div id="footer/,
  },
  sqlite: {
    pages: /^faq\.html$/,
    question: /<p><b>\(\d+\) (.*?)<\/b><\/p>/gs,
    end: /<a name="q\d+"|<p align="center"|<script/,
  },
  fetchmail: {
    pages: /^fetchmail-FAQ\.html$/,
    question: /<h2>(<a (?:id="[A-Z]\d+" )?name="[A-Z]\d+">.*?)<\/h2>/gs,
    end: /<h1|<hr/,
  },
  python: {
    pages: /^faq\/(?!index)/,
    question: /<h[23]>(.*?)<a class="headerlink".*?<\/h[23]>/gs,
    end: /<div class="sphinxsidebar"/,
  },
};

export const FAQ_SOURCES: readonly string[] = Object.keys(MARKUP);

/** Headings of groups have nothing below them but the next heading, and some entries say only that they are obsolete. */
const SHORTEST_ANSWER = 40;

/** All questions of a source's FAQ that have an answer. */
export function faqOf(source: string, pages: Pages): FaqEntry[] {
  const markup = MARKUP[source]!;
  return [...pages].filter(([path]) => markup.pages.test(path)).flatMap(([, html]) => entriesOf(html, markup));
}

function entriesOf(html: string, { question, end }: Markup): FaqEntry[] {
  const found = [...html.matchAll(question)];
  const entries = found.map((match, i) => {
    const rest = html.slice(match.index + match[0].length, found[i + 1]?.index);
    const length = rest.search(end);
    return { question: plain(match[1]!).replace(NUMBER, ''), html: length < 0 ? rest : rest.slice(0, length) };
  });
  return entries.filter((entry) => plain(entry.html).length >= SHORTEST_ANSWER);
}

const NUMBER = /^[A-Z]\d+\. */;

const plain = (html: string): string =>
  sectionsOf(html)
    .map(({ own }) => own)
    .join(' ')
    .replace(/\s+/g, ' ')
    .trim();

/** Each answer as a page by itself: without its question, and without links, because it stands alone. */
export function barePages(title: string, entries: readonly FaqEntry[]): Pages {
  return new Map(
    entries.map(({ html }, i) => [
      barePath(i),
      `<!doctype html><html lang="en"><head><title>${title}</title></head><body>${html.replace(/\shref="[^"]*"/g, '')}</body></html>`,
    ]),
  );
}

/** Where the answer of an entry is. */
export const barePath = (i: number): string => `answers/${i + 1}.html`;
