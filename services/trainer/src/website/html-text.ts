import { visible } from './hygiene.ts';

/** A node of the tree, as cheerio builds it. */
export interface Node {
  readonly type: string;
  readonly name?: string;
  readonly data?: string;
  readonly children?: readonly Node[];
  readonly attribs?: Readonly<Record<string, string>>;
}

const BLOCKS = new Set(
  `address article aside blockquote body caption center dd details dialog div dl dt fieldset figcaption figure footer
  form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main nav ol optgroup option p pre search section summary table
  tbody td tfoot th thead tr ul`.split(/\s+/),
);

/** Inside a table cell these say that the table lays a page out; it is read block by block then. */
const BREAKS_ROWS = /^(table|pre|ul|ol|dl|h[1-6]|blockquote)$/;

/** Blocks of one kind that follow each other stay together: items of a list, rows of a table, a term and its meaning. */
type Kind = 'text' | 'item' | 'row' | 'term';

interface Writer {
  readonly blocks: { kind: Kind; text: string }[];
  /** Inline text since the last block. */
  pending: string;
  /** Cells of the row that is being read; nothing outside tables. */
  cells: string[] | undefined;
  pre: number;
  readonly lists: { ordered: boolean; count: number }[];
  /** The marker of an item whose first text has not come yet. */
  marker: string;
}

/**
 * The text of a part of a page, in blocks parted by blank lines: headings as markdown (`## `), lists with `-` or a
 * number, preformatted text indented by four spaces, a line for each row of a table.
 */
export function textOf(root: Node): string {
  const writer: Writer = { blocks: [], pending: '', cells: undefined, pre: 0, lists: [], marker: '' };
  walk(root, writer);
  flush(writer, 'text');
  return writer.blocks.map((block, i) => separator(writer.blocks[i - 1]?.kind, block.kind) + block.text).join('');
}

function separator(before: Kind | undefined, kind: Kind): string {
  if (!before) return '';
  return before === 'term' || (before === kind && kind !== 'text') ? '\n' : '\n\n';
}

/** With a stack of its own: a page may nest deeper than the call stack is. */
function walk(root: Node, writer: Writer) {
  const stack: { node: Node; left: boolean }[] = [{ node: root, left: false }];
  for (let step = stack.pop(); step; step = stack.pop()) {
    const { node, left } = step;
    if (left) leave(node.name ?? '', writer);
    else if (node.type === 'text') append(visible(node.data ?? ''), writer);
    else if (node.children) {
      enter(node.name ?? '', writer);
      stack.push({ node, left: true });
      for (let i = node.children.length - 1; i >= 0; i--) stack.push({ node: node.children[i]!, left: false });
    }
  }
}

function append(text: string, writer: Writer) {
  writer.pending += writer.pre ? text : text.replace(/\s+/g, ' ');
}

function enter(name: string, writer: Writer) {
  if (name === 'br') writer.pending += '\n';
  if (!BLOCKS.has(name)) return;
  if (writer.cells && BREAKS_ROWS.test(name)) endRow(writer);
  flush(writer, 'text');
  if (name === 'tr') writer.cells = [];
  if (name === 'pre') writer.pre++;
  if (name === 'ul' || name === 'ol') writer.lists.push({ ordered: name === 'ol', count: 0 });
  if (name === 'li') writer.marker = markerOf(writer);
}

function markerOf({ lists }: Writer): string {
  const list = lists.at(-1);
  if (list) list.count++;
  return '  '.repeat(Math.min(Math.max(lists.length - 1, 0), 5)) + (list?.ordered ? `${list.count}. ` : '- ');
}

function leave(name: string, writer: Writer) {
  if (!BLOCKS.has(name)) return;
  if (name === 'pre') return leavePre(writer);
  if (/^h[1-6]$/.test(name)) return flushHeading(Number(name[1]), writer);
  if ((name === 'td' || name === 'th') && writer.cells) return endCell(writer);
  if (name === 'tr' && writer.cells) return endRow(writer);
  flush(writer, name === 'dt' ? 'term' : 'text');
  if (name === 'ul' || name === 'ol') writer.lists.pop();
  if (name === 'li') writer.marker = '';
  if (name === 'dl') endTerms(writer);
}

/** A list of terms without meanings, as tables of contents are, has nothing to do with what comes next. */
function endTerms({ blocks }: Writer) {
  const last = blocks.at(-1);
  if (last?.kind === 'term') last.kind = 'text';
}

/** Ends the current block; within a row of a table there are no blocks but cells. */
function flush(writer: Writer, kind: Kind) {
  if (writer.cells) {
    writer.pending += ' ';
    return;
  }
  const text = tidy(writer.pending, writer.pre > 0);
  writer.pending = '';
  if (!text) return;
  if (writer.marker) push(writer, 'item', writer.marker + text);
  // What follows in the same item is set under its first line.
  else if (writer.lists.length && kind === 'text') push(writer, 'item', indent(text, 2 * writer.lists.length));
  else push(writer, kind, text);
  writer.marker = '';
}

function push({ blocks }: Writer, kind: Kind, text: string) {
  blocks.push({ kind, text });
}

function tidy(text: string, preformatted: boolean): string {
  if (preformatted) return indent(text.replace(/^(\s*\n)+|\s+$/g, ''), 4);
  const lines = text.split('\n').map((line) => line.replace(/\s+/g, ' ').trim());
  // A root prompt or a number sign is no heading.
  return lines
    .join('\n')
    .trim()
    .replace(/^(?=#{1,6} )/gm, ' ');
}

function indent(text: string, width: number): string {
  return text.replace(/^(?=.)/gm, ' '.repeat(width));
}

function leavePre(writer: Writer) {
  flush(writer, 'text');
  writer.pre = Math.max(writer.pre - 1, 0);
}

function flushHeading(level: number, writer: Writer) {
  const text = writer.pending.replace(/\s+/g, ' ').trim();
  writer.pending = '';
  if (text) push(writer, 'text', `${'#'.repeat(level)} ${text}`);
}

function endCell(writer: Writer) {
  writer.cells?.push(writer.pending.replace(/\s+/g, ' ').trim());
  writer.pending = '';
}

function endRow(writer: Writer) {
  const { cells = [], pending } = writer;
  writer.cells = undefined;
  const filled = cells.filter(Boolean);
  if (filled.length) push(writer, 'row', filled.join(' | ').replace(/^(?=#{1,6} )/, ' '));
  writer.pending = pending;
}
