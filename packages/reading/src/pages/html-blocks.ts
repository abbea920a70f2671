import type { Block, BlockKind } from '../text/blocks.ts';
import { stripInvisible } from '../text/strip-invisible.ts';
import { type Cell, headersOf, lineOf, newTable, type Table } from '../text/table.ts';
import { BLOCKS, type Node } from './node.ts';

/** Inside a table cell, these reveal a layout table, which is read block by block. */
const BREAKS_ROWS = /^(table|pre|h[1-6]|blockquote)$/;
const LISTS = /^(ul|ol|dl)$/;
const DEEPEST_INDENT = 6;
const LONGEST_ANCHOR = 200;
const BOLD = /^(b|strong)$/;
/** Characters of a paragraph in bold that may be a heading. */
const LONGEST_BOLD_HEADING = 200;
const DEEPEST_HEADING = 6;
/** "Note" or "Warning" in bold is no heading, but in an FAQ, a question or what is numbered is one. */
const BOLD_HEADING = /[?？؟]["”»)]?$|^[([]?(?:Q\W*)?\d{1,3}[.):\]]\s+\S|^Q\d{0,3}[.:]\s+\S/iu;
const MAX_SPANNED = 1_000;

interface Writer {
  readonly blocks: Block[];
  /** Characters of text read, without white space. */
  characters: number;
  /** Inline text since the last block. */
  pending: string;
  /** The cells of the table around the current place, unless it is a layout table. */
  cells: Cell[] | undefined;
  readonly tables: Table[];
  pre: number;
  /** Bold elements around the current place. */
  bold: number;
  /** True if inline text since the last block is not bold. */
  isPlain: boolean;
  /** Level of the last heading; 0 before the first. */
  level: number;
  readonly lists: { ordered: boolean; count: number }[];
  /** The marker of an item that has no text yet. */
  marker: string;
  /** The last id since the last text. */
  anchor: string | undefined;
  /** Anchor of the heading around the current place, once it has one. */
  headingAnchor: string | undefined;
}

/** The blocks of a part of a page without some of its elements, and how many characters were read. */
export function blocksOf(root: Node, dropped: ReadonlySet<Node>): { blocks: Block[]; characters: number } {
  const writer: Writer = {
    blocks: [],
    characters: 0,
    pending: '',
    cells: undefined,
    tables: [],
    pre: 0,
    bold: 0,
    isPlain: false,
    level: 0,
    lists: [],
    marker: '',
    anchor: undefined,
    headingAnchor: undefined,
  };
  walk(root, dropped, writer);
  flush(writer, 'text');
  return { blocks: writer.blocks, characters: writer.characters };
}

/** Uses its own stack: a page may be nested deeper than the call stack allows. */
function walk(root: Node, dropped: ReadonlySet<Node>, writer: Writer) {
  const stack: { node: Node; left: boolean }[] = [{ node: root, left: false }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node, left } = step;
    if (left) leave(node, writer);
    else if (node.type === 'text') append(stripInvisible(node.data ?? ''), writer);
    else if (node.children && !dropped.has(node)) {
      enter(node, writer);
      stack.push({ node, left: true });
      for (let i = node.children.length - 1; i >= 0; i--) stack.push({ node: node.children[i]!, left: false });
    }
  }
}

function append(text: string, writer: Writer) {
  if (writer.bold === 0 && /\S/.test(text)) writer.isPlain = true;
  writer.characters += text.replace(/\s+/g, '').length;
  writer.pending += writer.pre ? text : text.replace(/\s+/g, ' ');
}

function enter(node: Node, writer: Writer) {
  const { name = '' } = node;
  if (name === 'br') writer.pending += '\n';
  if (BOLD.test(name)) writer.bold++;
  if (BLOCKS.has(name)) enterBlock(name, writer);
  const anchor = anchorOf(node);
  if (anchor !== undefined) {
    writer.anchor = anchor;
    writer.headingAnchor ??= anchor;
  }
}

function enterBlock(name: string, writer: Writer) {
  const isInData = writer.cells && writer.tables.at(-1)?.header;
  if (writer.cells && (BREAKS_ROWS.test(name) || (LISTS.test(name) && !isInData))) breakRow(writer);
  flush(writer, 'text');
  if (name === 'table') writer.tables.push(newTable());
  if (name === 'tr') writer.cells = [];
  if (name === 'pre') writer.pre++;
  if (/^h[1-6]$/.test(name)) writer.headingAnchor = undefined;
  if (writer.cells) return;
  if (name === 'ul' || name === 'ol') writer.lists.push({ ordered: name === 'ol', count: 0 });
  if (name === 'li') writer.marker = markerOf(writer);
}

/** Its id, or the name of an old anchor. */
function anchorOf({ name, attribs }: Node): string | undefined {
  const anchor = attribs?.['id'] || (name === 'a' ? attribs?.['name'] : undefined);
  return anchor && anchor.length <= LONGEST_ANCHOR ? anchor : undefined;
}

function markerOf({ lists }: Writer): string {
  const list = lists.at(-1);
  if (list) list.count++;
  return indentation(lists.length - 1) + (list?.ordered ? `${list.count}. ` : '- ');
}

const indentation = (depth: number): string => '  '.repeat(Math.min(Math.max(depth, 0), DEEPEST_INDENT));

function leave(node: Node, writer: Writer) {
  const { name = '' } = node;
  if (BOLD.test(name)) writer.bold--;
  if (!BLOCKS.has(name)) return;
  if (name === 'pre') return leavePre(writer);
  if (/^h[1-6]$/.test(name)) return flushHeading(Number(name[1]), writer);
  if ((name === 'td' || name === 'th') && writer.cells) return endCell(node, writer);
  if (name === 'tr' && writer.cells) return endRow(writer);
  flush(writer, kindOf(name, writer));
  if (name === 'table') endTable(writer);
  if (writer.cells) return;
  if (name === 'ul' || name === 'ol') writer.lists.pop();
  if (name === 'li') writer.marker = '';
  if (name === 'dl') endTerms(writer);
}

const kindOf = (name: string, { blocks }: Writer): BlockKind =>
  name === 'dt' || name === 'summary' ? 'term' : blocks.at(-1)?.kind === 'term' ? 'meaning' : 'text';

/** A term without a meaning explains nothing that follows. */
function endTerms({ blocks }: Writer) {
  const last = blocks.at(-1);
  if (last?.kind === 'term') blocks[blocks.length - 1] = { kind: 'text', text: last.text };
}

/** Ends the current block. A table row has cells instead of blocks. */
function flush(writer: Writer, kind: BlockKind) {
  if (writer.cells) {
    writer.pending += ' ';
    return;
  }
  const isHeading = kind === 'text' && isBoldHeading(writer);
  writer.isPlain = false;
  if (isHeading) return flushHeading(Math.min(writer.level + 1, DEEPEST_HEADING), writer, true);
  const text = tidy(writer.pending, writer.pre > 0);
  writer.pending = '';
  if (!text) return;
  if (writer.marker) push(writer, 'item', writer.marker + text);
  // What follows in the same item is indented under its first line.
  else if (writer.lists.length && kind !== 'term' && kind !== 'meaning')
    push(writer, 'inner', indent(text, indentation(writer.lists.length)));
  else if (kind === 'text' && writer.blocks.at(-1)?.kind === 'term') push(writer, 'meaning', text);
  else push(writer, kind, text);
  writer.marker = '';
}

function push(writer: Writer, kind: BlockKind, text: string) {
  writer.blocks.push({ kind, text });
  writer.anchor = undefined;
}

function tidy(text: string, preformatted: boolean): string {
  if (preformatted) return indent(tidyCode(text), '    ');
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  return lines
    .join('\n')
    .replace(/\n{2,}/g, '\n\n')
    .trim();
}

/** Without runs of blanks that no reader needs. */
function tidyCode(code: string): string {
  return code
    .replace(/[^\S\n]+/g, (blanks) => blanks.slice(0, 200))
    .replace(/(?<![^\S\n])[^\S\n]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+|(?<!\n)\n+$/g, '');
}

function indent(text: string, by: string): string {
  return text.replace(/^(?=.)/gm, by);
}

function leavePre(writer: Writer) {
  flush(writer, 'code');
  writer.pre = Math.max(writer.pre - 1, 0);
}

/** Returns whether the inline text since the last block is a heading in all but its markup. */
function isBoldHeading({ isPlain, pre, lists, marker, blocks, pending }: Writer): boolean {
  if (isPlain || pre > 0 || lists.length > 0 || marker || blocks.at(-1)?.kind === 'term') return false;
  const text = pending.trim();
  return text.length <= LONGEST_BOLD_HEADING && BOLD_HEADING.test(text);
}

function flushHeading(level: number, writer: Writer, isBold = false) {
  const text = writer.pending.replace(/\s+/g, ' ').trim();
  writer.pending = '';
  writer.isPlain = false;
  if (!text) return;
  if (!isBold) writer.level = level;
  // A list around headings is there for their layout.
  writer.marker = '';
  const anchor = (isBold ? undefined : writer.headingAnchor) ?? writer.anchor;
  writer.blocks.push({ kind: 'heading', level, text, ...(anchor !== undefined && { anchor }) });
  writer.anchor = undefined;
}

function endCell({ name, attribs = {} }: Node, writer: Writer) {
  const span = (value: string | undefined) =>
    Math.min(Math.max(Number.parseInt(value ?? '1', 10) || 1, 1), MAX_SPANNED);
  writer.cells!.push({
    text: writer.pending.replace(/\s+/g, ' ').trim(),
    isHeader: name === 'th',
    columns: span(attribs['colspan']),
    rows: span(attribs['rowspan']),
  });
  writer.pending = '';
}

/** Reads the rest of a row as blocks. */
function breakRow(writer: Writer) {
  const { cells = [] } = writer;
  writer.cells = undefined;
  const line = cells
    .map(({ text }) => text)
    .filter(Boolean)
    .join(' | ');
  if (line) push(writer, 'row', line);
}

function endRow(writer: Writer) {
  const { cells = [] } = writer;
  writer.cells = undefined;
  const table = writer.tables.at(-1);
  const line = lineOf(table ?? newTable(), cells);
  if (line) push(writer, 'row', line);
}

function endTable(writer: Writer) {
  const table = writer.tables.pop();
  const line = table && headersOf(table);
  if (line) push(writer, 'row', line);
}
