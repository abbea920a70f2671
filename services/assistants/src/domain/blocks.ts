import { segmentsOf } from '@parley/language';
/** A part of a text that a reader takes in as one: where it stands in the text. */
export interface Block {
  kind: 'heading' | 'text' | 'list' | 'code';
  from: number;
  to: number;
}

/** One block, or several that say something only together: a list with its lead-in, code with its sentence. */
export interface Unit {
  from: number;
  to: number;
  blocks: readonly Block[];
}

interface Line {
  from: number;
  to: number;
  text: string;
}

const heading = /^ {0,3}#{1,6} \S/;
const item = /^\s*(?:[-*•–+]|\d{1,3}[.)]|[a-z][.)])\s+\S/iu;
const code = /^(?: {4}|\t)/;

/** The end of a text that announces what follows it. */
const announcing = /[:：][\s"'”’»)\]*_]*$/u;

/** Whether a text ends with a colon, so that a reader waits for the rest. */
export const isAnnouncing = (text: string): boolean => announcing.test(text.slice(-20));

export function linesOf(text: string, from = 0): Line[] {
  return [...text.matchAll(/[^\n]+/g)]
    .map(({ 0: line, index }) => ({ from: from + index, to: from + index + line.length, text: line }))
    .filter((line) => line.text.trim() !== '');
}

/** The blocks of a text: paragraphs are separated by blank lines, headings are lines of markdown, code is indented. */
export function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let previous: Line | undefined;
  for (const line of linesOf(text)) {
    const last = blocks.at(-1);
    const isApart = previous === undefined || text.slice(previous.to, line.from).split('\n').length > 2;
    previous = line;
    const kind = kindOf(line.text, last, isApart);
    if (last && continues(last, kind, line.text, isApart)) last.to = line.to;
    else blocks.push({ kind, from: line.from, to: line.to });
  }
  return blocks;
}

function kindOf(line: string, last: Block | undefined, isApart: boolean): Block['kind'] {
  const isWithin = !isApart && last !== undefined && last.kind !== 'heading';
  if (isWithin && last.kind === 'code') return code.test(line) ? 'code' : 'text';
  if (heading.test(line)) return 'heading';
  // An indented line within a list belongs to its item.
  if (isWithin && last.kind === 'list') return item.test(line) || /^\s/.test(line) ? 'list' : 'text';
  if (!isWithin && code.test(line)) return 'code';
  return item.test(line) ? 'list' : 'text';
}

/** Code may have blank lines, and so may lists. A list that follows its lead-in without one is a block of its own. */
function continues(last: Block, kind: Block['kind'], line: string, isApart: boolean): boolean {
  if (kind !== last.kind || kind === 'heading') return false;
  return !isApart || kind === 'code' || (kind === 'list' && item.test(line));
}

/** Groups blocks, so that nothing is separated from what it needs to be understood. */
export function unitsOf(text: string): Unit[] {
  const units: { from: number; to: number; blocks: Block[] }[] = [];
  for (const block of blocksOf(text)) {
    const unit = units.at(-1);
    if (unit && belongs(text, unit.blocks, block)) {
      unit.blocks.push(block);
      unit.to = block.to;
    } else units.push({ from: block.from, to: block.to, blocks: [block] });
  }
  return units;
}

function belongs(text: string, before: readonly Block[], { kind, from }: Block): boolean {
  const last = before.at(-1)!;
  if (last.kind === 'heading' || isAnnouncing(text.slice(last.from, last.to))) return true;
  if (kind === 'heading') return false;
  if (kind === 'code') return true;
  if (kind === 'list') return last.kind === 'text' || before.some((block) => block.kind === 'list');
  // A sentence that goes on after its code or its list.
  return last.kind !== 'text' && /^\s*\p{Ll}/u.test(text.slice(from, from + 20));
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** What a block that is too long may be cut between: items, lines of code, or the sentences of a paragraph. */
export function piecesOf(text: string, { kind, from, to }: Block): Pick<Block, 'from' | 'to'>[] {
  const lines = linesOf(text.slice(from, to), from);
  if (kind === 'code') return lines;
  const margin = Math.min(...lines.map((line) => indentOf(line.text)));
  const parts = lines.reduce<{ from: number; to: number }[]>((done, line) => {
    const last = done.at(-1);
    // Indented further: a nested item, or the meaning of a term.
    if (last && indentOf(line.text) > margin) last.to = line.to;
    else done.push({ from: line.from, to: line.to });
    return done;
  }, []);
  if (kind === 'list') return parts;
  const sentences = parts.flatMap((part) =>
    segmentsOf(segmenter, text.slice(part.from, part.to)).map((sentence) => ({
      from: part.from + sentence.from,
      to: part.from + sentence.from + sentence.text.trimEnd().length,
    })),
  );
  // A line may begin with a carriage return, which is a segment of its own.
  return sentences.filter((sentence) => sentence.from < sentence.to);
}

const indentOf = (line: string): number => line.length - line.trimStart().length;
