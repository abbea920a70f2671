import { type BlockKind, isOneRun, separator, type TextBlock } from '../text/blocks.ts';

/** A part of a section that no piece cuts. */
export interface Atom {
  readonly text: string;
  /** Between it and the one before it. */
  readonly before: string;
  /** How good a place to begin a piece it is; NEVER, if it belongs to the one before it. */
  readonly cut: number;
  /** The sentence that introduces it, for a piece that begins with it; empty if none does. */
  readonly lead: string;
}

export const NEVER = 0;
/** Inside a sentence. */
export const IN_SENTENCE = 1;
const IN_BLOCK = 2;
const AFTER_SENTENCE = 3;
const AFTER_ITEM = 4;
const AFTER_BLOCK = 5;

/** UTF-16 units. */
const LONGEST = 400;
const LONGEST_LEAD = 300;
const MAX_LEADS = 3;

const END = /[.!?…؟।]["'”’)\]]{0,3}\s+(?![\s\p{Ll}])|[。！？]["'”’）」]{0,3}\s*|\n+/gu;
const LINE_END = /\n+/g;
const COLON = /[:：]["'”’)\]*_]{0,4}$/;

/** A sentence that ends with a colon, while what it announces is read. */
interface Lead {
  readonly text: string;
  /** Indentation: what is announced by an item of a list is indented further. */
  readonly depth: number;
  /** It announces no more than one block. */
  readonly isTerm: boolean;
  /** The first block that it announces. */
  kind: BlockKind | undefined;
}

/** The atoms of a section: sentences, items, rows and lines of code, or parts of them if they are too long. */
export function* atomsOf(blocks: readonly TextBlock[]): Generator<Atom> {
  let leads: Lead[] = [];
  let last: TextBlock | undefined;
  for (const block of blocks) {
    leads = leads.filter((lead) => stillAnnounces(lead, block));
    const lead = leadOf(leads);
    let before = last ? separator(last.kind, block.kind) : '';
    let cut = last ? cutBetween(last, block) : AFTER_BLOCK;
    let end = '';
    for (const part of partsOf(block)) {
      yield { text: part.text, before, cut, lead };
      before = part.after;
      end = part.text;
      cut = endsWithColon(end) ? NEVER : part.cut;
    }
    if (endsWithColon(end) || block.kind === 'term')
      leads.push({ text: lastWords(end), depth: depthOf(block), isTerm: block.kind === 'term', kind: undefined });
    last = block;
  }
}

/** Joins several leads: the inner ones remain. */
function leadOf(leads: readonly Lead[]): string {
  let all = '';
  for (const { text } of leads.slice(-MAX_LEADS).reverse()) {
    const more = all ? `${text}\n${all}` : text;
    if (more.length > LONGEST_LEAD) break;
    all = more;
  }
  return all;
}

const endsWithColon = (text: string): boolean => COLON.test(text.slice(-6));
const lastWords = (text: string): string =>
  text.length <= LONGEST_LEAD ? text : text.slice(-LONGEST_LEAD).replace(/^\S*\s/, '');

function depthOf({ kind, text }: TextBlock): number {
  return kind === 'item' || kind === 'inner' ? /^ */.exec(text)![0].length : -1;
}

function stillAnnounces(lead: Lead, block: TextBlock): boolean {
  if (lead.depth >= 0) return (block.kind === 'item' || block.kind === 'inner') && depthOf(block) > lead.depth;
  if (lead.kind === undefined) {
    lead.kind = block.kind;
    return true;
  }
  return (
    !lead.isTerm &&
    lead.kind !== 'text' &&
    (isOneRun(lead.kind, block.kind) || (lead.kind === 'code' && block.kind === 'code'))
  );
}

function cutBetween(last: TextBlock, { kind }: TextBlock): number {
  if (last.kind === 'term' || endsWithColon(last.text)) return NEVER;
  if (kind === 'code') return last.kind === 'code' ? IN_BLOCK : NEVER;
  if (kind === 'inner' || ((kind === 'item' || kind === 'row') && last.kind === 'text')) return IN_BLOCK;
  return isOneRun(last.kind, kind) || kind === 'term' ? AFTER_ITEM : AFTER_BLOCK;
}

interface Part {
  readonly text: string;
  /** White space after it. */
  readonly after: string;
  /** How good the end of it is to end a piece. */
  readonly cut: number;
}

function* partsOf({ kind, text }: TextBlock): Generator<Part> {
  let start = 0;
  for (const end of text.matchAll(kind === 'code' ? LINE_END : END)) {
    const next = end.index + end[0].length;
    if (next === text.length) break;
    yield* cutLong(text, start, next, end[0].startsWith('\n') ? IN_BLOCK : AFTER_SENTENCE);
    start = next;
  }
  yield* cutLong(text, start, text.length, AFTER_SENTENCE);
}

/** A sentence, in parts if it is too long. */
function* cutLong(text: string, from: number, end: number, cut: number): Generator<Part> {
  let start = from;
  while (end - start > LONGEST) {
    const space = text.slice(start, start + LONGEST).lastIndexOf(' ');
    const to = space > LONGEST / 2 ? start + space + 1 : wholeCharacter(text, start + LONGEST);
    yield partOf(text.slice(start, to), IN_SENTENCE);
    start = to;
  }
  yield partOf(text.slice(start, end), cut);
}

function partOf(raw: string, cut: number): Part {
  const text = raw.trimEnd();
  // Blank parts stay as they are: they are part of the text.
  return text ? { text, after: raw.slice(text.length), cut } : { text: raw, after: '', cut: NEVER };
}

const wholeCharacter = (text: string, at: number): number =>
  /[\uD800-\uDBFF]/.test(text.charAt(at - 1)) && /[\uDC00-\uDFFF]/.test(text.charAt(at)) ? at - 1 : at;
