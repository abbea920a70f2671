import { pageOfSite } from '../sites/address.ts';
import { NO_TAGS, type RobotsTags } from '../sites/robots-tags.ts';
import { type Block, encodeBlocks } from '../text/blocks.ts';
import { decode } from '../text/charset.ts';
import { isHtml } from '../text/media-type.ts';
import { blocksOfText } from '../text/plain-blocks.ts';
import { stripInvisible } from '../text/strip-invisible.ts';
import { type Extracted, extract } from './extract.ts';

/** Bytes, encoded. Only markup without text and the indentation of lists can exceed what the crawler accepts. */
const LONGEST_TEXT = 12_000_000;
const LONGEST_LANGUAGE = 35;

export interface PageBytes {
  readonly body: Uint8Array;
  /** As the server sent it. */
  readonly contentType?: string | undefined;
  readonly contentLanguage?: string | undefined;
  readonly url: string;
  readonly origin: string;
}

export interface PageContent {
  readonly title: string;
  /** Encoded blocks; empty if the page shows no text. */
  readonly text: string;
  /** The share of the visible text that `text` holds, from 0 to 1. */
  readonly kept: number;
  /** BCP 47 tag, if the page or its server says so. */
  readonly language?: string | undefined;
  /** The pages of its site that it links to, as their `pageUrl`; none if it asks not to follow them. */
  readonly links: readonly string[];
  /** True if it has more links than are followed. */
  readonly hasMoreLinks?: boolean;
  /** The page's own robots tags, without those of its server. */
  readonly tags: RobotsTags;
  /** True if it shows its text only to a browser that runs its scripts; `text` has the rest, if any. */
  readonly needsScript: boolean;
  /** The `pageUrl` that it declares as its own, if that is on its site. */
  readonly canonical?: string | undefined;
}

/** The text and links of a page. Hostile bytes can keep this busy for minutes: run it as a reading job. */
export function readContent({ body, contentType, contentLanguage, url, origin }: PageBytes): PageContent {
  const extracted = extractedOf(decode(Buffer.from(body), contentType), contentType, url);
  const { title, blocks, kept, canonical, tags, needsScript, hasMoreLinks } = extracted;
  const text = blocks.length > 0 ? encodeBlocks(blocks) : '';
  if (Buffer.byteLength(text) > LONGEST_TEXT) throw new Error(`The text has more than ${LONGEST_TEXT} bytes.`);
  const language = languageTag(extracted.lang) ?? languageTag(contentLanguage);
  const links = new Set(tags.nofollow ? [] : extracted.links.flatMap((link) => pageOfSite(link, origin) ?? []));
  return {
    title,
    text,
    kept,
    language,
    links: [...links],
    ...(hasMoreLinks && !tags.nofollow && { hasMoreLinks }),
    tags,
    needsScript,
    canonical: canonical && pageOfSite(canonical, origin),
  };
}

function extractedOf(text: string, contentType: string | undefined, url: string): Extracted {
  if (isHtml(contentType)) return extract(expandSelfClosing(text, contentType), url);
  const title = /^#{1,6} +(.{1,300})/m.exec(text)?.[1]?.trim() ?? '';
  const blocks: Block[] = blocksOfText(stripInvisible(text));
  const kept = blocks.length > 0 ? 1 : 0;
  return { title, blocks, kept, links: [], hasMoreLinks: false, tags: NO_TAGS, needsScript: false };
}

/** A list of languages, as a server may send it, is of no use. */
function languageTag(language: string | undefined): string | undefined {
  const tag = language?.trim().replaceAll('_', '-');
  return tag && tag.length <= LONGEST_LANGUAGE && /^[a-z]{2,8}(-[a-z0-9]{1,8})*$/i.test(tag) ? tag : undefined;
}

/** XHTML closes `<script/>`; an HTML parser would take the rest of the page for its content. */
function expandSelfClosing(text: string, contentType = ''): string {
  return /xhtml/i.test(contentType)
    ? text.replace(/<(script|style|title|textarea|iframe|a|div|p|span)\b([^<>]*)\/>/gi, '<$1$2></$1>')
    : text;
}
