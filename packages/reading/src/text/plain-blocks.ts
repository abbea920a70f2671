import type { Block, BlockKind } from './blocks.ts';
import { type Cell, headersOf, lineOf, newTable, type Table } from './table.ts';

const HEADING = /^(#{1,6})[ \t]+(?=\S)/;
const UNDERLINE = /^(=+|-+)[ \t]*$/;
const ITEM = /^( *)(?:[-*+•]|\d{1,9}[.)])[ \t]+\S/;
const FENCE = /^ {0,3}(```+|~~~+)/;
/** Between the headers of a table and its rows. */
const TABLE_RULE = /^[ :|-]+$/;
const CODE_INDENT = /^( {4}|\t)/;
const LONGEST_UNDERLINED = 200;
const LONGEST_ROW = 10_000;
const MAX_BLANKS = 200;

interface Writer {
  readonly blocks: Block[];
  /** Lines of the block that is being read. */
  lines: string[];
  kind: BlockKind;
  fence: string | undefined;
  table: Table | undefined;
}

/**
 * The blocks of a plain text or of Markdown: headings, lists, code, tables, and paragraphs with their line feeds. Inline
 * marks stay as they are. Takes linear time.
 */
export function blocksOfText(text: string): Block[] {
  const writer: Writer = { blocks: [], lines: [], kind: 'text', fence: undefined, table: undefined };
  const lines = text.replace(/\r\n?/g, '\n').split('\n');
  lines.forEach((line, i) => {
    read(withoutGaps(line.trimEnd()), lines[i + 1] ?? '', writer);
  });
  endTable(writer);
  flush(writer);
  return writer.blocks;
}

function read(line: string, next: string, writer: Writer) {
  if (writer.fence) return readFenced(line, writer);
  if (writer.table) {
    if (line.includes('|') && line.length <= LONGEST_ROW) return readRow(line, writer);
    endTable(writer);
  }
  const fence = FENCE.exec(line)?.[1];
  if (fence) {
    begin('code', writer);
    writer.fence = fence;
    return;
  }
  if (line === '') return readBlank(writer);
  if (readHeading(line, writer)) return;
  if (isTable(line, next)) {
    flush(writer);
    writer.table = newTable();
    return readRow(line, writer);
  }
  readLine(line, writer);
}

/** No reader needs more blanks in a row. */
const withoutGaps = (line: string): string =>
  line.length <= MAX_BLANKS ? line : line.replace(/\s+/g, (blanks) => blanks.slice(0, MAX_BLANKS));

const isRule = (line: string) => line.includes('-') && line.includes('|') && TABLE_RULE.test(line);
const isTable = (line: string, next: string) =>
  line.length <= LONGEST_ROW && line.split('|').filter((cell) => cell.trim()).length > 1 && isRule(next.trimEnd());

function readFenced(line: string, writer: Writer) {
  if (line.trim().startsWith(writer.fence!) && /^[`~\s]*$/.test(line)) {
    writer.fence = undefined;
    flush(writer);
  } else if (line === '') readBlank(writer);
  else writer.lines.push(`    ${line}`);
}

function readHeading(line: string, writer: Writer): boolean {
  const heading = HEADING.exec(line);
  if (heading) {
    flush(writer);
    writer.blocks.push({ kind: 'heading', level: heading[1]!.length, text: unclosed(line.slice(heading[0].length)) });
    return true;
  }
  const [title] = writer.lines;
  const isUnderlined = writer.kind === 'text' && writer.lines.length === 1 && title!.length <= LONGEST_UNDERLINED;
  if (!isUnderlined || !UNDERLINE.test(line)) return false;
  writer.lines = [];
  writer.blocks.push({ kind: 'heading', level: line.startsWith('=') ? 1 : 2, text: title!.trim() });
  return true;
}

/** Markdown allows number signs after a heading, too. */
function unclosed(heading: string): string {
  let end = heading.length;
  while (heading[end - 1] === '#') end--;
  return /\s/.test(heading[end - 1] ?? '') ? heading.slice(0, end).trimEnd() : heading;
}

function readBlank(writer: Writer) {
  if (writer.kind !== 'code') flush(writer);
  else if (writer.lines.at(-1) !== '') writer.lines.push('');
}

function readLine(line: string, writer: Writer) {
  const { blocks, lines, kind } = writer;
  const last = blocks.at(-1)?.kind;
  const isInList = kind === 'item' || kind === 'inner' || last === 'item' || last === 'inner';
  if (ITEM.test(line) && (lines.length === 0 || isInList || /[:：]$/.test(lines.at(-1)!))) begin('item', writer);
  else if (lines.length === 0 && CODE_INDENT.test(line) && !isInList) begin('code', writer);
  else if (lines.length === 0) writer.kind = isInList && /^\s/.test(line) ? 'inner' : 'text';
  else if (kind === 'code' && !CODE_INDENT.test(line)) begin('text', writer);
  writer.lines.push(line);
}

function begin(kind: BlockKind, writer: Writer) {
  flush(writer);
  writer.kind = kind;
}

function flush(writer: Writer) {
  const text = writer.lines.join('\n').replace(/^\n+/, '').trimEnd();
  writer.lines = [];
  if (text) writer.blocks.push({ kind: writer.kind, text });
  writer.kind = 'text';
}

function readRow(line: string, writer: Writer) {
  const table = writer.table!;
  if (table.header && table.rows === 0 && isRule(line)) return;
  const cells: Cell[] = line
    .replace(/^\s*\||\|\s*$/g, '')
    .split('|')
    .map((text) => ({ text: text.trim(), isHeader: !table.header, columns: 1, rows: 1 }));
  const row = lineOf(table, cells);
  if (row) writer.blocks.push({ kind: 'row', text: row });
}

function endTable(writer: Writer) {
  const headers = writer.table && headersOf(writer.table);
  if (headers) writer.blocks.push({ kind: 'row', text: headers });
  writer.table = undefined;
}
