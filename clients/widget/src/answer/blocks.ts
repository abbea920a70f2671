/** A part of an answer, as plain text with no markup left to interpret but the inline kind. */
export type Block =
  | { kind: 'paragraph' | 'heading'; lines: string[] }
  | { kind: 'code'; text: string }
  | { kind: 'list'; start: number | undefined; items: Block[][] }
  | { kind: 'table'; head: string[]; rows: string[][] };

/** Deeper lists are shown as the text that they are. */
const MAX_DEPTH = 4;
/** The word after it names a language, which is not shown. */
const FENCE = /^\s{0,3}(```|~~~)[\w+#.-]*\s*$/;
const HEADING = /^#{1,6} +(?=\S)/;
const ITEM = /^(?:[-*•]|(\d{1,3})[.)])\s+(?=\S)/;
/** How much further than its parent a nested line is indented at least. */
const NESTED = 2;
const TAB = '    ';

/**
 * Splits an answer into blocks: the part of Markdown that models write. What is not recognised stays text. Takes time in
 * proportion to the text's length, whatever it says: every line is looked at once for each level of nesting.
 */
export const blocksOf = (text: string): Block[] => parse(text.split(/\r\n?|\n/), 0);

interface Lines {
  readonly all: readonly string[];
  /** The next one. */
  at: number;
}

function parse(all: readonly string[], depth: number): Block[] {
  const lines: Lines = { all, at: 0 };
  const blocks: Block[] = [];
  while (skipBlank(lines)) blocks.push(nextBlock(lines, depth));
  return blocks;
}

function nextBlock(lines: Lines, depth: number): Block {
  const line = lines.all[lines.at]!;
  if (FENCE.test(line)) return code(lines);
  if (isList(line, depth)) return list(lines, depth);
  if (isTable(lines)) return table(lines);
  if (HEADING.test(line)) {
    lines.at += 1;
    return { kind: 'heading', lines: [line.replace(HEADING, '')] };
  }
  return paragraph(lines, depth);
}

/** False at the end. */
function skipBlank(lines: Lines): boolean {
  while (lines.at < lines.all.length && isBlank(lines.all[lines.at]!)) lines.at += 1;
  return lines.at < lines.all.length;
}

const isBlank = (line: string): boolean => line.trim() === '';
const isList = (line: string, depth: number): boolean => depth < MAX_DEPTH && ITEM.test(line.trimStart());

function isTable({ all, at }: Lines): boolean {
  const [head, delimiters] = [all[at]!, all[at + 1]];
  return head.includes('|') && !!delimiters?.includes('-') && delimiters.includes('|') && /^[\s|:-]+$/.test(delimiters);
}

/** Everything up to the closing fence, or to the end: an answer that is still being written has none yet. */
function code(lines: Lines): Block {
  const fence = FENCE.exec(lines.all[lines.at]!)![1]!;
  const first = lines.at + 1;
  let end = first;
  while (end < lines.all.length && lines.all[end]!.trim() !== fence) end += 1;
  lines.at = end + 1;
  return { kind: 'code', text: lines.all.slice(first, end).join('\n') };
}

function paragraph(lines: Lines, depth: number): Block {
  const first = lines.at;
  do lines.at += 1;
  while (lines.at < lines.all.length && !endsParagraph(lines, depth));
  return { kind: 'paragraph', lines: lines.all.slice(first, lines.at).map((line) => line.trim()) };
}

function endsParagraph(lines: Lines, depth: number): boolean {
  const line = lines.all[lines.at]!;
  return isBlank(line) || FENCE.test(line) || HEADING.test(line) || isList(line, depth) || isTable(lines);
}

/** The items of one kind in a row; lines that are indented further belong to the item before them. */
function list(lines: Lines, depth: number): Block {
  const first = lines.all[lines.at]!;
  const [indent, start] = [indentOf(first), numberOf(first)];
  const items: Block[][] = [];
  do items.push(parse(item(lines, indent), depth + 1));
  while (skipBlank(lines) && isSibling(lines.all[lines.at]!, indent, start !== undefined));
  return { kind: 'list', start, items };
}

function item(lines: Lines, indent: number): string[] {
  const text = [lines.all[lines.at]!.trimStart().replace(ITEM, '')];
  lines.at += 1;
  const inner = indentOf(lines.all[lines.at] ?? '');
  while (lines.at < lines.all.length && indentOf(lines.all[lines.at]!) >= indent + NESTED) {
    text.push(outdented(lines.all[lines.at]!, inner));
    lines.at += 1;
  }
  return text;
}

const isSibling = (line: string, indent: number, numbered: boolean): boolean =>
  indentOf(line) < indent + NESTED && ITEM.test(line.trimStart()) && (numberOf(line) !== undefined) === numbered;

function numberOf(line: string): number | undefined {
  const number = ITEM.exec(line.trimStart())?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Blank lines have none. */
const indentOf = (line: string): number => /^\s*(?=\S)/.exec(line)?.[0].replaceAll('\t', TAB).length ?? 0;

const outdented = (line: string, by: number): string => line.replaceAll('\t', TAB).slice(Math.min(by, indentOf(line)));

function table(lines: Lines): Block {
  const head = cellsOf(lines.all[lines.at]!);
  lines.at += 2;
  const rows: string[][] = [];
  for (let line = lines.all[lines.at]; line?.includes('|'); line = lines.all[lines.at]) {
    rows.push(cellsOf(line));
    lines.at += 1;
  }
  return { kind: 'table', head, rows };
}

const cellsOf = (line: string): string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map((cell) => cell.trim());
