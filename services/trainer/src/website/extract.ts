import { Readability } from '@mozilla/readability';
import { type CheerioAPI, load } from 'cheerio';
import { parseHTML } from 'linkedom';
import { type Node, textOf } from './html-text.ts';
import { removeHidden, visible } from './hygiene.ts';

/** Readability finds less than this on about one page of documentation in twenty. */
const SHORTEST_ARTICLE = 200;
/** Of the text of the whole page; an article below it has lost what a page of many equal parts is about. */
const SMALLEST_SHARE = 0.5;
/** Readability's time grows with the square of the depth and with the number of elements. */
const DEEPEST_ARTICLE = 100;
const MOST_ELEMENTS = 20_000;
const MAX_LINKS = 5000;

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
  return { title: title.replace(/\s+/g, ' ').trim().slice(0, 300), text: contentOf($), links, canonical, lang };
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
  if (!href || !URL.canParse(href, base)) return undefined;
  const url = new URL(href, base);
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Readability's article, or else what the page itself calls its main part, or else all of it. */
function contentOf($: CheerioAPI): string {
  const whole = ownContent($);
  const article = isReadable($) ? articleOf($.html()) : '';
  return article.length >= Math.max(SHORTEST_ARTICLE, whole.length * SMALLEST_SHARE) ? article : whole;
}

function ownContent($: CheerioAPI): string {
  for (const part of ['main, [role="main"]', 'article']) {
    const text = $(part)
      .toArray()
      .map((element) => blocksOf(element))
      .join('\n\n');
    if (text.length >= SHORTEST_ARTICLE) return text;
  }
  $('nav, footer, aside, [role="navigation"], [role="search"], [role="contentinfo"], [role="banner"]').remove();
  return blocksOf($('body').get(0));
}

function blocksOf(root: Node | undefined): string {
  return root ? visible(textOf(root)).trim() : '';
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
  return article?.content ? blocksOf(load(article.content)('body').get(0)) : '';
}
