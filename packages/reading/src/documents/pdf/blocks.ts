import { stripInvisible } from '../../text/strip-invisible.ts';
import { type Line, textOf } from './lines.ts';

export interface Block {
  readonly kind: 'heading' | 'item' | 'row' | 'text';
  readonly text: string;
  /** Level of a heading, 1 to 3. */
  readonly level: number;
  /** Begins on the next line, without a gap. */
  readonly isTight?: boolean;
}

/** The look of most of the document's text. */
export interface BodyStyle {
  readonly size: number;
  readonly font: string;
}

const MAX_HEADING = 200;
const BULLET = /^([•◦▪▫■□●○‣⁃∙·–—*\uf0b7\uf0a7-]|\(?(\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)])\s+(?=\S)/;
const NUMBERED = /^\(?(\d{1,3}|[a-zA-Z]|[ivx]{1,4})[.)]/;
/** A line of a table of contents: dots up to the number of the page. */
const LEADERS = /(?<!\. ?)(\. ?){4,}\s*\d+$/;
const SENTENCE_END = /[.!?:。！？]["'”’)\]]?$/;
/** Gap between paragraphs, in gaps between lines. */
const PARAGRAPH_GAP = 1.3;

/** The paragraphs, headings, list items and table rows of a page's lines. */
export function blocksOf(lines: readonly Line[], body: BodyStyle): Block[] {
  const leading = leadingOf(lines);
  const blocks: Block[] = [];
  let run: Line[] = [];
  let isTight = false;
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1];
    if (before && run.length > 0 && begins(line, before, run, leading, rightOf(lines, i))) {
      blocks.push({ ...blockOf(run, body, line), isTight });
      isTight = line.y > before.y && line.y - before.y <= PARAGRAPH_GAP * leading * line.size;
      run = [];
    }
    run.push(line);
  }
  if (run.length > 0) blocks.push({ ...blockOf(run, body, undefined), isTight });
  return blocks.filter(({ text }) => text !== '');
}

/** Returns the right edge of the column that a line stands in. */
function rightOf(lines: readonly Line[], at: number): number {
  const { x0, size } = lines[at]!;
  let right = 0;
  for (const line of lines.slice(Math.max(at - 6, 0), at + 7))
    if (Math.abs(line.x0 - x0) < 4 * size) right = Math.max(right, line.x1);
  return right;
}

/** The usual distance of lines, in font sizes. */
function leadingOf(lines: readonly Line[]): number {
  const gaps: number[] = [];
  for (let i = 1; i < lines.length; i++) {
    const gap = (lines[i]!.y - lines[i - 1]!.y) / lines[i]!.size;
    if (gap > 0.7 && gap < 3) gaps.push(gap);
  }
  gaps.sort((a, b) => a - b);
  // Not the median: on a page of short paragraphs, most gaps are between them.
  return gaps.length > 0 ? Math.max(1, gaps[Math.floor(gaps.length / 3)]!) : 1.2;
}

/** Returns whether a line begins a new block. */
function begins(line: Line, before: Line, run: readonly Line[], leading: number, right: number): boolean {
  if (line.cells.length > 1 || before.cells.length > 1) return true;
  if (Math.abs(line.size - before.size) > 0.08 * before.size) return true;
  const text = textOf(before);
  if (LEADERS.test(text)) return true;
  if (isHyphenated(text) && /^\p{Ll}/u.test(textOf(line))) return false;
  if (isBullet(line)) return true;
  const gap = line.y - before.y;
  const isOver = SENTENCE_END.test(text);
  // The next column: a sentence may go on there.
  if (gap < 0) return isOver || line.font !== before.font;
  if (gap > PARAGRAPH_GAP * leading * line.size) return true;
  if (line.font !== before.font && (isShort(before, line, right) || gap > 1.1 * leading * line.size)) return true;
  const indent = line.x0 - before.x0;
  if (indent > 0.8 * line.size && !isBullet(run[0]!)) return run.length > 1 || isOver;
  return before.x1 + firstWordOf(line) + 2 * line.size < right;
}

/** Its width: if it had fit on the line before, the break is meant. */
function firstWordOf(line: Line): number {
  const text = textOf(line);
  const space = text.indexOf(' ');
  return ((space < 0 ? text.length : space) / text.length) * (line.x1 - line.x0);
}

const isBullet = (line: Line): boolean => BULLET.test(textOf(line));
const isShort = (line: Line, next: Line, right: number): boolean => line.x1 < Math.max(next.x1, right) - 5 * line.size;

function blockOf(run: readonly Line[], body: BodyStyle, next: Line | undefined): Block {
  const first = run[0]!;
  const text = stripInvisible(joined(run)).replace(/\s+/g, ' ').trim();
  const level = headingLevel(run, text, body, next);
  if (level > 0) return { kind: 'heading', text, level };
  if (first.cells.length > 1 || LEADERS.test(text)) return { kind: 'row', text: escaped(text), level: 0 };
  if (isBullet(first)) {
    const item = NUMBERED.test(text) ? text : text.replace(BULLET, '- ');
    return { kind: 'item', text: item, level: 0 };
  }
  return { kind: 'text', text: escaped(text), level: 0 };
}

/** A number sign is not a heading. */
const escaped = (text: string): string => text.replace(/^(?=#{1,6} )/, ' ');

function headingLevel(run: readonly Line[], text: string, body: BodyStyle, next: Line | undefined): number {
  const { size, font, cells } = run[0]!;
  if (run.length > 3 || cells.length > 1 || text.length > MAX_HEADING || !/\p{L}{2}/u.test(text)) return 0;
  if (/[,;]$/.test(text)) return 0;
  const ratio = size / body.size;
  if (ratio >= 1.6) return 1;
  if (ratio >= 1.3) return 2;
  if (ratio >= 1.1) return 3;
  // In another weight, above text in the usual one.
  const isOther = ratio > 0.95 && run.every((line) => line.font === font) && font !== body.font;
  const isNumbered = /^\d+(\.\d+)*\.?\s/.test(text);
  const standsAbove =
    next !== undefined && (next.font === body.font || (isNumbered && next.font === font)) && next.y > run.at(-1)!.y;
  if (!isOther || !standsAbove || run.length > 2 || text.length > 100 || /[.:!?]$/.test(text)) return 0;
  return /^[\p{Lu}\p{Lo}\d§]/u.test(text) && !/^(Figure|Fig\.|Table|Listing)\b/.test(text) ? 3 : 0;
}

/** The text of consecutive lines; a word that is hyphenated at the end of one becomes whole. */
function joined(run: readonly Line[]): string {
  let whole = '';
  for (const line of run) {
    const text = textOf(line);
    if (/\p{L}\u00ad$/u.test(whole)) whole = whole.slice(0, -1) + text;
    else if (isHyphenated(whole) && /^\p{Ll}/u.test(text)) whole = whole.slice(0, -1) + text;
    else if (
      /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}、。，]$/u.test(whole) &&
      /^[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}]/u.test(text)
    )
      whole += text;
    else whole += (whole && !/\p{L}-$/u.test(whole) ? ' ' : '') + text;
  }
  return whole;
}

/** Not a compound that already has a hyphen: `state-of-the-`. */
const isHyphenated = (text: string): boolean => /(?<![\p{L}\d]-|[\p{L}\d])\p{L}{2,}[-‐]$/u.test(text.slice(-80));

/** Blocks as text: headings as markdown; rows and items of a list stay together. */
export function textOfBlocks(blocks: readonly Block[]): string {
  let text = '';
  for (const [i, block] of blocks.entries()) {
    const before = blocks[i - 1];
    const isTogether = before?.kind === block.kind && (block.kind === 'item' || block.kind === 'row');
    const isLine = block.isTight && before?.kind !== 'heading' && block.kind !== 'heading';
    text +=
      (before ? (isTogether || isLine ? '\n' : '\n\n') : '') +
      (block.kind === 'heading' ? `${'#'.repeat(block.level)} ` : '') +
      block.text;
  }
  return text;
}
