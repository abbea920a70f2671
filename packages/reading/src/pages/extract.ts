import { parseUrl } from '@parley/runtime/parse-url';
import { type CheerioAPI, load } from 'cheerio';
import { both, isCanonical, isForUs, NO_TAGS, type RobotsTags, tagsOf } from '../sites/robots-tags.ts';
import type { Block } from '../text/blocks.ts';
import { stripInvisible } from '../text/strip-invisible.ts';
import { findBoilerplate } from './boilerplate.ts';
import { blocksOf } from './html-blocks.ts';
import { needsScript, scriptSigns } from './needs-script.ts';
import type { Node } from './node.ts';
import { removeHidden } from './sanitize-html.ts';

const MAX_LINKS = 2000;
const LONGEST_TITLE = 300;
/** UTF-16 units of a page of links only: as much as says what is there. An index has more and would be found for every word. */
const LONGEST_LISTS = 3_000;

export interface Extracted {
  readonly title: string;
  /** Empty if the page shows no text. */
  readonly blocks: readonly Block[];
  /** The share of the visible text that the blocks hold, from 0 to 1. */
  readonly kept: number;
  /** Absolute http and https addresses without duplicates, in page order, without those marked `nofollow`. */
  readonly links: string[];
  /** True if there are more links than are followed. */
  readonly hasMoreLinks: boolean;
  /** The tags in its robots meta elements. */
  readonly tags: RobotsTags;
  /** True if it shows its text, or most of it, only to a browser that runs its scripts. */
  readonly needsScript: boolean;
  readonly canonical?: string;
  readonly lang?: string;
}

/** The readable content of a page. Hostile HTML can keep this busy for minutes: it runs as a reading job. */
export function extract(html: string, address: string): Extracted {
  const $ = load(html);
  const base = baseOf($, address);
  const { links, hasMore } = linksOf($, base);
  const canonical = absolute(canonicalOf($), base);
  const tags = robotsOf($);
  const lang = $('html').attr('lang') || $('html').attr('xml:lang');
  const signs = scriptSigns($);
  removeHidden($);
  const title = stripInvisible($('title').first().text() || $('h1').first().text());
  const { blocks, kept } = contentOf($('body')[0] as Node | undefined);
  return {
    title: title.replace(/\s+/g, ' ').trim().slice(0, LONGEST_TITLE),
    blocks,
    kept,
    links,
    hasMoreLinks: hasMore,
    tags,
    needsScript: needsScript(blocks, signs),
    canonical,
    lang,
  };
}

function baseOf($: CheerioAPI, address: string): string {
  return absolute($('base[href]').attr('href'), address) ?? address;
}

function linksOf($: CheerioAPI, base: string): { links: string[]; hasMore: boolean } {
  const links = new Set<string>();
  for (const anchor of $('a[href], area[href]')) {
    if (/\bnofollow\b/i.test($(anchor).attr('rel') ?? '')) continue;
    const link = absolute($(anchor).attr('href'), base);
    if (!link || links.has(link)) continue;
    if (links.size === MAX_LINKS) return { links: [...links], hasMore: true };
    links.add(link);
  }
  return { links: [...links], hasMore: false };
}

const canonicalOf = ($: CheerioAPI): string | undefined =>
  $('link[rel][href]')
    .toArray()
    .find(({ attribs }) => isCanonical(attribs['rel']!))?.attribs['href'];

const robotsOf = ($: CheerioAPI): RobotsTags =>
  $('meta[name][content]')
    .toArray()
    .filter(({ attribs }) => isForUs(attribs['name']))
    .map(({ attribs }) => tagsOf(attribs['content']!))
    .reduce(both, NO_TAGS);

function absolute(href: string | undefined, base: string): string | undefined {
  const url = href && parseUrl(href, base);
  if (!url) return undefined;
  url.hash = '';
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : undefined;
}

/** Returns what a reader would read; of a page that has nothing else, the first of its links. */
function contentOf(body: Node | undefined): { blocks: Block[]; kept: number } {
  if (!body) return { blocks: [], kept: 0 };
  const { dropped, visible } = findBoilerplate(body);
  const { blocks, characters } = blocksOf(body, dropped);
  if (hasText(blocks)) return { blocks, kept: share(characters, visible) };
  const lists = blocksOf(body, findBoilerplate(body, true).dropped);
  const { blocks: all } = hasText(lists.blocks) ? lists : blocksOf(body, new Set());
  const some = firstOf(all);
  const read = some.reduce((sum, { text }) => sum + text.replace(/\s+/g, '').length, 0);
  return { blocks: some, kept: share(read, visible) };
}

const hasText = (blocks: readonly Block[]): boolean => blocks.some(({ kind }) => kind !== 'heading');

function firstOf(blocks: readonly Block[]): Block[] {
  let length = 0;
  return blocks.filter(({ text }) => {
    length += text.length;
    return length <= LONGEST_LISTS;
  });
}

const share = (part: number, whole: number): number => (whole > 0 ? Math.min(part / whole, 1) : 0);
