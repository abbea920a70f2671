import { type Matrix, multiply } from './matrix.ts';

/** The parts of a text item of pdf.js that matter here. */
export interface Item {
  readonly str: string;
  readonly dir: string;
  readonly width: number;
  readonly transform: readonly number[];
  readonly fontName: string;
}

/** A line of text in a page's own coordinates: the origin is the top left corner, in points. */
export interface Line {
  /** Height of the baseline. */
  readonly y: number;
  readonly x0: number;
  readonly x1: number;
  /** Size of the font. */
  readonly size: number;
  readonly font: string;
  /** Parts that wide gaps separate: cells of a table row. */
  readonly cells: readonly Cell[];
}

export interface Cell {
  x0: number;
  x1: number;
  text: string;
}

/** In font sizes. Justified lines have gaps between words of up to one. */
const CELL_GAP = 1.6;
/** Codes of TeX's fonts, which have no names for their characters where they are bitmaps. */
const TEX: Record<number, string> = Object.fromEntries([
  ...['ff', 'fi', 'fl', 'ffi', 'ffl', '“', '”', '„', '«', '»', '–', '—', ''].map((text, i) => [0x0b + i, text]),
  ...['ff', 'fi', 'fl', 'ffi', 'ffl'].map((text, i) => [0x1b + i, text]),
]);
const LONGEST_LINE = 5_000;

interface Glyphs {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly size: number;
  readonly font: string;
  readonly isRtl: boolean;
}

/**
 * Lines in the order in which the page draws them. Text is upright in the direction that most of the page has; other
 * directions are margin notes, which come last, or watermarks, which are left out.
 */
export function linesOf(items: readonly Item[], viewport: Matrix): Line[] {
  const turns: Item[][] = [[], [], [], []];
  for (const item of items) {
    if (item.str === '') continue;
    const [a, b] = multiply(viewport, item.transform);
    const quarter = Math.atan2(b!, a!) / (Math.PI / 2);
    if (Math.abs(quarter - Math.round(quarter)) < 0.05) turns[(Math.round(quarter) + 4) % 4]!.push(item);
  }
  const main = turns.reduce((most, turn, i) => (lengthOf(turn) > lengthOf(turns[most]!) ? i : most), 0);
  const order = [main, ...[0, 1, 2, 3].filter((turn) => turn !== main)];
  return order.flatMap((turn) => joined(turns[turn]!.flatMap((item) => glyphsOf(item, viewport, turn))));
}

const lengthOf = (items: readonly Item[]): number => items.reduce((sum, { str }) => sum + str.length, 0);

function glyphsOf({ str, dir, width, transform, fontName }: Item, viewport: Matrix, turn: number): Glyphs[] {
  const [, , c, d, e, f] = multiply(viewport, transform) as [number, number, number, number, number, number];
  const size = Math.hypot(c, d);
  // Turned back, so that the text runs to the right.
  const [x, y] = [
    [e, f],
    [f, -e],
    [-e, -f],
    [-f, e],
  ][turn] as [number, number];
  if (![x, y, size, width].every(Number.isFinite) || size < 0.5) return [];
  return [
    {
      text: str.replace(/\p{Cc}/gu, (code) => TEX[code.charCodeAt(0)] ?? ' '),
      x,
      y,
      width: Math.abs(width),
      size,
      font: fontName,
      isRtl: dir === 'rtl',
    },
  ];
}

type OpenLine = { -readonly [K in keyof Line]: K extends 'cells' ? Cell[] : Line[K] } & {
  length: number;
  main: number;
};

/** Glyphs that follow each other on a baseline are a line. */
function joined(glyphs: readonly Glyphs[]): Line[] {
  const lines: Line[] = [];
  let line: OpenLine | undefined;
  const end = () => {
    if (line) lines.push(closed(line));
    line = undefined;
  };
  for (const next of glyphs) {
    const isBlank = next.text.trim() === '';
    if (line && continues(line, next)) {
      extend(line, next, isBlank);
      continue;
    }
    end();
    if (!isBlank) line = open(next);
  }
  end();
  return lines.filter(({ cells }) => cells.length > 0);
}

const open = ({ text, x, y, width, size, font }: Glyphs): OpenLine => ({
  y,
  x0: x,
  x1: x + width,
  size,
  font,
  cells: [{ x0: x, x1: x + width, text }],
  length: text.length,
  main: text.length,
});

function continues(line: OpenLine, { x, y, width, size, isRtl, text }: Glyphs): boolean {
  if (line.length + text.length > LONGEST_LINE) return false;
  // Superscripts and subscripts belong to their line.
  if (Math.abs(y - line.y) > 0.5 * Math.max(size, line.size)) return false;
  return isRtl ? x + width <= line.x0 + 0.5 * size : x >= line.x1 - 0.5 * Math.max(size, line.size);
}

function extend(line: OpenLine, { text, x, y, width, size, font, isRtl }: Glyphs, isBlank: boolean) {
  const gap = isRtl ? line.x0 - (x + width) : x - line.x1;
  const cell = line.cells.at(-1)!;
  const largest = Math.max(size, line.size);
  // Blanks as wide as a gap between cells are one.
  if (isBlank) {
    if (width <= CELL_GAP * largest && gap <= CELL_GAP * largest) {
      cell.text += ' ';
      if (isRtl) line.x0 = Math.min(line.x0, x);
      else line.x1 = Math.max(line.x1, x + width);
    }
    return;
  }
  if (gap > CELL_GAP * largest) {
    line.cells.push({ x0: x, x1: x + width, text });
  } else {
    cell.text += (gap > 0.2 * largest && !/\s$/.test(cell.text) && !/^\s/.test(text) ? ' ' : '') + text;
    cell.x0 = Math.min(cell.x0, x);
    cell.x1 = Math.max(cell.x1, x + width);
  }
  line.x0 = Math.min(line.x0, x);
  line.x1 = Math.max(line.x1, x + width);
  line.length += text.length;
  // The font of most of the line is the line's.
  if (font !== line.font && text.length > line.main) {
    line.font = font;
    line.size = size;
    line.y = y;
    line.main = text.length;
  } else if (font === line.font) line.main += text.length;
}

function closed({ y, x0, x1, size, font, cells }: OpenLine): Line {
  const tidy = cells.map((cell) => ({ ...cell, text: cell.text.replace(/\s+/g, ' ').trim() }));
  return { y, x0, x1, size, font, cells: tidy.filter(({ text }) => text !== '') };
}

export const textOf = ({ cells }: Line): string => cells.map(({ text }) => text).join(' | ');
