/**
 * A part of a text that a reader takes in as one.
 *
 * - `text`: a paragraph; with line feeds where the page has line breaks
 * - `item`: begins an item of a list: its marker, such as `- ` or `2. `, then its first paragraph; `inner`: continues one.
 *   Both are indented by two spaces for each list around theirs.
 * - `term`: what a `meaning` after it explains
 * - `row`: of a table, as one line
 * - `code`: preformatted lines, indented by four spaces
 */
export type BlockKind = 'text' | 'item' | 'inner' | 'term' | 'meaning' | 'row' | 'code';

export interface TextBlock {
  readonly kind: BlockKind;
  readonly text: string;
}

export interface Heading {
  readonly kind: 'heading';
  /** 1 is the outermost. */
  readonly level: number;
  readonly text: string;
  /** The id to which a link to its section leads. */
  readonly anchor?: string;
}

export type Block = TextBlock | Heading;

/** Kinds that stand on consecutive lines. */
const RUNS: readonly (readonly BlockKind[])[] = [['item', 'inner'], ['term', 'meaning'], ['row']];

/** Returns whether both belong to one list or one table. */
export function isOneRun(before: BlockKind, kind: BlockKind): boolean {
  return RUNS.some((run) => run.includes(before) && run.includes(kind));
}

/** Between two blocks of one section. */
export const separator = (before: BlockKind, kind: BlockKind): string => (isOneRun(before, kind) ? '\n' : '\n\n');

/** Blocks as one text, for storage and for reader processes: a JSON array of arrays. */
export function encodeBlocks(blocks: readonly Block[]): string {
  return JSON.stringify(
    blocks.map((block) =>
      block.kind === 'heading'
        ? [block.level, block.text, ...(block.anchor === undefined ? [] : [block.anchor])]
        : [block.kind, block.text],
    ),
  );
}

export function decodeBlocks(encoded: string): Block[] {
  const rows: [number | BlockKind, string, string?][] = JSON.parse(encoded);
  return rows.map(([kind, text, anchor]) =>
    typeof kind === 'number'
      ? { kind: 'heading', level: kind, text, ...(anchor !== undefined && { anchor }) }
      : { kind, text },
  );
}
