import { Readability } from '@mozilla/readability';
import { parseUrl } from '@parley/runtime/parse-url';
import { type CheerioAPI, load } from 'cheerio';
import { parseHTML } from 'linkedom';
import { type Node, textOf } from './html-text.ts';
import { removeHidden, visible } from './hygiene.ts';

/** Readability finds less than this on about one page of documentation in twenty. */
const SHORTEST_ARTICLE = 200;
/** Of the main part's text and headings; below it Readability took one of many equal parts for all of them. */
const SMALLEST_SHARE = 0.5;
/** Readability's time grows with the square of the depth and with the number of elements. */
const DEEPEST_ARTICLE = 100;
const MOST_ELEMENTS = 20_000;
const MAX_LINKS = 2000;
/** They repeat every heading of a page and would be found in its stead. */
const TABLE_OF_CONTENTS = '.toc, #toc, .table-of-contents, #table-of-contents, [role="doc-toc"], .contents.topic';

export interface Extracted {
  readonly title: string;
  /** As `textOf` writes it; empty where the page shows none. */
  readonly text: string;
  /** Absolute http and https addresses, each once, in the order of the page. */
  readonly links: string[];
  readonly canonical?: string;
  readonly lang?: string;
}

/** What a reader gets from a page. Hostile HTML can keep this busy for minutes: run it in the worker of extractor.ts. */
export function extract(html: string, address: string): Extracted {
  const $ = load(html);
  const base = baseOf($, address);
  const links = linksOf($, base);
  const canonical = absolute($('link[rel="canonical" i]').attr('href'), base);
  const lang = $('html').attr('lang')?.trim().slice(0, 35) || undefined;
  removeHidden($);
  const title = visible($('title').first().text() || $('h1').first().text());
  const contents = $(TABLE_OF_CONTENTS).remove();
  const text = contentOf($) || textOfAll(contents.toArray());
  return { title: title.replace(/\s+/g, ' ').trim().slice(0, 300), text, links, canonical, lang };
}

function baseOf($: CheerioAPI, address: string): string {
  return absolute($('base[href]').attr('href'), address) ?? address;
}

function linksOf($: CheerioAPI, base: string): string[] {
  const links = new Set<string>();
  for (const anchor of $('a[href], area[href]')) {
    const link = absolute($(anchor).attr('href'), base);
    if (link) links.add(link);
    if (links.size === MAX_LINKS) break;
  }
  return [...links];
}

function absolute(href: string | undefined, base: string): string | undefined {
  if (!href || !parseUrl(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Readability's article, unless it misses much of what the page declares to be its main part, or misses nearly all. */
function contentOf($: CheerioAPI): string {
  const declared = declaredContent($);
  const article = isReadable($) ? articleOf($.html()) : '';
  if (article.length >= SHORTEST_ARTICLE && !missesMuch(article, declared)) return article;
  return declared || bodyOf($);
}

function missesMuch(article: string, declared: string): boolean {
  const headings = (text: string) => text.match(/^#/gm)?.length ?? 0;
  return article.length < declared.length * SMALLEST_SHARE || headings(article) < headings(declared) * SMALLEST_SHARE;
}

function declaredContent($: CheerioAPI): string {
  const parts = ['main, [role="main"]', 'article'].map((part) => textOfAll($(part).toArray()));
  return parts.find((text) => text.length >= SHORTEST_ARTICLE) ?? '';
}

function bodyOf($: CheerioAPI): string {
  $('nav, footer, aside, [role="navigation"], [role="search"], [role="contentinfo"], [role="banner"]').remove();
  return textOfAll($('body').toArray());
}

function textOfAll(roots: readonly Node[]): string {
  return roots
    .map((root) => textOf(root))
    .filter(Boolean)
    .join('\n\n');
}

function isReadable($: CheerioAPI): boolean {
  if ($('*').length > MOST_ELEMENTS) return false;
  let level = $('body').children();
  for (let depth = 0; level.length > 0; depth++) {
    if (depth === DEEPEST_ARTICLE) return false;
    level = level.children();
  }
  return true;
}

function articleOf(html: string): string {
  const { document } = parseHTML(html);
  const article = new Readability(document, { charThreshold: SHORTEST_ARTICLE, disableJSONLD: true }).parse();
  return article?.content ? textOfAll(load(article.content)('body').toArray()) : '';
}
