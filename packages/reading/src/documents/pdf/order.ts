import type { Cell, Line } from './lines.ts';

/** Rows that must agree on a gap for it to separate columns. */
const MIN_ROWS = 5;
/** Average characters of a line on both sides of the gap: cells of tables are shorter. */
const MIN_PROSE = 18;
/** Share of lines that go back up the page, from which on the drawing order is not the reading order. */
const DISORDER = 0.15;
const MAX_DEPTH = 6;

/**
 * Lines in reading order. Most programs draw a page in that order, columns too. Where they draw row by row across columns,
 * or in no order, positions decide.
 */
export function inReadingOrder(lines: readonly Line[]): Line[] {
  const gutter = gutterOf(lines);
  if (gutter !== undefined) return byPosition(lines.flatMap((line) => splitAt(line, gutter)));
  return isDisordered(lines) ? byPosition(lines) : [...lines];
}

/** Rows drawn across two columns of prose: the position of the gap that they share. */
function gutterOf(lines: readonly Line[]): number | undefined {
  const across = lines.filter(({ cells }) => cells.length === 2);
  if (across.length < MIN_ROWS || across.length < lines.length / 3) return undefined;
  const starts = across.map(({ cells }) => cells[1]!.x0).sort((a, b) => a - b);
  const start = starts[starts.length >> 1]!;
  const sharing = across.filter(({ cells: [left, right] }) => left!.x1 < start && Math.abs(right!.x0 - start) < 3);
  if (sharing.length < MIN_ROWS || sharing.length < across.length / 2) return undefined;
  const average = (side: 0 | 1) =>
    sharing.reduce((sum, { cells }) => sum + cells[side]!.text.length, 0) / sharing.length;
  return Math.min(average(0), average(1)) >= MIN_PROSE ? start - 1 : undefined;
}

function splitAt(line: Line, x: number): Line[] {
  const part = (cells: readonly Cell[]): Line[] =>
    cells.length > 0 ? [{ ...line, cells, x0: cells[0]!.x0, x1: cells.at(-1)!.x1 }] : [];
  return [...part(line.cells.filter(({ x0 }) => x0 < x)), ...part(line.cells.filter(({ x0 }) => x0 >= x))];
}

const overlap = (a: Line, b: Line): boolean => a.x0 < b.x1 && b.x0 < a.x1;

function isDisordered(lines: readonly Line[]): boolean {
  let back = 0;
  for (let i = 1; i < lines.length; i++) {
    const [before, line] = [lines[i - 1]!, lines[i]!];
    // To the top of the next column is no disorder; to a line above in the same one is.
    if (line.y < before.y - 0.5 * line.size && overlap(before, line)) back++;
  }
  return back > 3 && back > lines.length * DISORDER;
}

/** Cuts the page at its widest gaps: into columns if a vertical one goes all the way, else into bands. */
function byPosition(lines: readonly Line[], depth = 0): Line[] {
  const rows = [...lines].sort((a, b) => a.y - b.y || a.x0 - b.x0);
  if (rows.length < 2 || depth >= MAX_DEPTH) return rows;
  const column = verticalCut(rows);
  if (column !== undefined) {
    const left = rows.filter(({ x0 }) => x0 < column);
    const right = rows.filter(({ x0 }) => x0 >= column);
    return [...byPosition(left, depth + 1), ...byPosition(right, depth + 1)];
  }
  const bands = bandsOf(rows);
  return bands.length > 1 ? bands.flatMap((band) => byPosition(band, depth + 1)) : rows;
}

function verticalCut(rows: readonly Line[]): number | undefined {
  const byX = [...rows].sort((a, b) => a.x0 - b.x0);
  let right = -Infinity;
  for (const [i, { x0, x1, size }] of byX.entries()) {
    if (i >= 2 && byX.length - i >= 2 && x0 - right > size) return x0;
    right = Math.max(right, x1);
  }
  return undefined;
}

/** Runs of rows of one width class: a heading across the page ends the columns above it. */
function bandsOf(rows: readonly Line[]): Line[][] {
  const left = Math.min(...rows.map(({ x0 }) => x0));
  const right = Math.max(...rows.map(({ x1 }) => x1));
  const middle = (left + right) / 2;
  const bands: Line[][] = [];
  let wasAcross: boolean | undefined;
  for (const row of rows) {
    const isAcross = row.x0 < middle && row.x1 > middle;
    if (isAcross !== wasAcross) bands.push([]);
    bands.at(-1)!.push(row);
    wasAcross = isAcross;
  }
  return bands;
}
