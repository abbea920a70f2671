import { segmentsOf } from '@parley/language';

/** Where a part of a text stands. */
export interface Range {
  from: number;
  to: number;
}

/** `lines`: rows of a table, terms with their meanings, or an address; each says something by itself. */
type Kind = 'heading' | 'text' | 'list' | 'lines' | 'code';

interface Block extends Range {
  kind: Kind;
  lines: Line[];
}

/** A unit for the reader: a block, or several that say something only together. */
export interface Unit extends Range {
  /** `text`, unless it has a list, lines or code. */
  kind: Exclude<Kind, 'heading'>;
  /** Units that it may be cut between, in order: sentences, items, rows, code. */
  parts: readonly Range[];
  /** The sentence that introduces its list, table or code: one of the parts, or the end of the unit before. */
  lead?: Range;
}

interface Line extends Range {
  text: string;
  /** True if a blank line, or nothing, stands before it. */
  isApart: boolean;
}

const heading = /^ {0,3}#{1,6} \S/;
const item = /^\s*(?:[-*•–+]|\d{1,3}[.)]|[a-z][.)])\s+\S/iu;
const code = /^(?: {4}|\t)/;
/** Between the cells of a row. */
const cells = /\S \| \S|\S; \S/;
/** The end of a text that announces what follows it. */
const announcing = /[:：][\s"'”’»)\]*_]*$/u;
const ended = /[.!?…。！？؟।][\s"'”’»)\]」*_]*$/u;
/** The beginning of a text that goes on with a sentence after its code or its list. */
const goesOn = /^\s*[\p{Ll}.,;)]/u;
/** Characters; code up to this is one part. */
const WHOLE_CODE = 600;
/** Characters of a sentence that may introduce what follows without announcing it. */
const SHORT = 200;

/** Returns whether a text ends with a colon, so that a reader waits for the rest. */
export const isAnnouncing = (text: string): boolean => announcing.test(text.slice(-20));

/** Groups the blocks of a text, so that nothing is separated from what it needs to be understood. */
export function unitsOf(text: string): Unit[] {
  const units: (Unit & { blocks: Block[]; parts: Range[] })[] = [];
  for (const block of blocksOf(text)) {
    const last = units.at(-1);
    const parts = partsOf(text, block);
    const isOfUnit = last !== undefined && belongs(text, last.blocks.at(-1)!, block);
    const unit = isOfUnit ? last : { from: block.from, to: block.to, kind: 'text' as const, parts: [], blocks: [] };
    if (!isOfUnit) units.push(unit);
    const before = isOfUnit ? unit : last;
    if (unit.kind === 'text' && block.kind !== 'heading' && block.kind !== 'text') {
      unit.kind = block.kind;
      const lead = before?.blocks.at(-1)?.kind === 'text' ? before.parts.at(-1)! : undefined;
      if (lead && (isOfUnit || lead.to - lead.from <= SHORT)) unit.lead = lead;
    }
    unit.parts.push(...parts);
    unit.blocks.push(block);
    unit.to = block.to;
  }
  return units;
}

function belongs(text: string, last: Block, { kind, from }: Block): boolean {
  if (last.kind === 'heading' || isAnnouncing(text.slice(last.from, last.to))) return true;
  if (kind === 'text') return last.kind !== 'text' && goesOn.test(text.slice(from, from + 20));
  return last.kind === 'text' && (kind === 'code' || !ended.test(text.slice(last.from, last.to).slice(-20)));
}

/** Blocks are separated by blank lines, headings are lines of markdown, code is indented. */
function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  for (const line of linesOf(text)) {
    const last = blocks.at(-1);
    const kind = kindOf(line, last);
    if (last && continues(last, kind, line)) last.lines.push(line);
    else blocks.push({ kind, from: line.from, to: line.to, lines: [line] });
  }
  for (const block of blocks) {
    block.to = block.lines.at(-1)!.to;
    if (block.kind === 'text' && !isWrapped(block.lines)) block.kind = 'lines';
  }
  return blocks;
}

function linesOf(text: string): Line[] {
  let isApart = true;
  let from = 0;
  return text.split('\n').flatMap((line) => {
    const at = from;
    from += line.length + 1;
    const isBlank = line.trim() === '';
    const found = isBlank ? [] : [{ from: at, to: at + line.length, text: line, isApart }];
    isApart = isBlank;
    return found;
  });
}

function kindOf({ text, isApart }: Line, last: Block | undefined): Kind {
  const within = isApart || last?.kind === 'heading' ? undefined : last?.kind;
  if (within === 'code') return code.test(text) ? 'code' : 'text';
  if (heading.test(text)) return 'heading';
  // An indented line within a list belongs to its item.
  if (within === 'list' && /^\s/.test(text)) return 'list';
  if (!within && code.test(text)) return 'code';
  return item.test(text) ? 'list' : 'text';
}

/** Code may have blank lines, and so may lists. A list that follows its lead-in without one is a block of its own. */
function continues(last: Block, kind: Kind, { text, isApart }: Line): boolean {
  if (kind !== last.kind || kind === 'heading') return false;
  return !isApart || kind === 'code' || (kind === 'list' && item.test(text));
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

function partsOf(text: string, { kind, lines, from, to }: Block): Range[] {
  if (kind === 'text') return sentencesIn(text, { from, to });
  if (kind === 'list') return itemsOf(lines);
  if (kind === 'lines') return termsOf(lines);
  return to - from <= WHOLE_CODE ? [{ from, to }] : lines;
}

/** Lines that are indented further than the first belong to the item before them. */
function itemsOf(lines: readonly Line[]): Range[] {
  const margin = Math.min(...lines.map(indentOf));
  const items: Range[] = [];
  for (const line of lines) {
    const last = items.at(-1);
    if (last && indentOf(line) > margin) last.to = line.to;
    else items.push({ from: line.from, to: line.to });
  }
  return items;
}

const indentOf = ({ text }: Line): number => text.length - text.trimStart().length;

/** Returns whether a text has its lines only because its writer's window was narrow: no line has room for a word of the next. */
function isWrapped(lines: readonly Line[]): boolean {
  if (lines.length > 1 && lines.every(({ text }) => cells.test(text))) return false;
  const width = Math.max(...lines.map(({ text }) => text.length));
  return lines.every(({ text }, i) => {
    const next = lines[i + 1]?.text.trimStart();
    return next === undefined || text.length + 1 + next.split(/\s/, 1)[0]!.length > width;
  });
}

/** A line that is no sentence stays with the sentence after it: a term and its meaning. */
function termsOf(lines: readonly Line[]): Range[] {
  const terms: Range[] = [];
  let isTerm = false;
  for (const { from, to, text } of lines) {
    const isSentence = ended.test(text.slice(-20));
    if (isTerm && isSentence) terms.at(-1)!.to = to;
    else terms.push({ from, to });
    isTerm = !isSentence;
  }
  return terms;
}

/** The sentences of a part of a text. The segmenter would end one at each line feed. */
export function sentencesIn(text: string, { from, to }: Range): Range[] {
  const sentences = segmentsOf(segmenter, text.slice(from, to).replaceAll('\n', ' ')).map((sentence) => ({
    from: from + sentence.from,
    to: from + sentence.from + sentence.text.trimEnd().length,
  }));
  // A line may begin with a carriage return, which is a segment of its own.
  return sentences.filter((sentence) => sentence.from < sentence.to);
}
