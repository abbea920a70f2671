import { type Line, textOf } from './lines.ts';

/** Share of a page's height, at the top and at the bottom, where headers and footers stand. */
const ZONE = 0.18;
/** Lines from either edge that may belong to them. */
const EDGE_LINES = 3;
/** Gap between them and the text, in font sizes of the header. */
const GAP = 1.6;
/** In points. */
const SAME_Y = 4;

export interface PageLines {
  readonly number: number;
  readonly height: number;
  readonly lines: readonly Line[];
}

/** Lines in the margins of a page, which could be a header or a footer. */
interface Marginal {
  readonly line: Line;
  /** The text of each cell. */
  readonly texts: readonly Text[];
}

/** A text without its numbers, and these. */
interface Text {
  readonly words: string;
  readonly numbers: readonly number[];
}

/** A page number, whatever stands around it: `Page 3 of 40`, `- 3 -`. */
const PAGE_NUMBER =
  /^[^\p{L}\p{N}]*(\p{L}{1,9}\.?[^\p{L}\p{N}]{1,3})?\d{1,5}([^\p{L}\p{N}]*(\p{L}{1,5}[^\p{L}\p{N}]+)?\d{1,5})?[^\p{L}\p{N}]*$/u;

export interface Page extends PageLines {
  readonly marginals: readonly Marginal[];
}

export function withMarginals(page: PageLines): Page {
  const byY = [...page.lines].sort((a, b) => a.y - b.y);
  const edge = [...edgeOf(byY, page.height, 1), ...edgeOf([...byY].reverse(), page.height, -1)];
  return { ...page, marginals: [...new Set(edge)].map(marginalOf) };
}

/** Lines in the margin, up to the gap between them and the text. */
function edgeOf(lines: readonly Line[], height: number, direction: 1 | -1): Line[] {
  const isInZone = ({ y, size }: Line) => (direction > 0 ? y - size < height * ZONE : y > height * (1 - ZONE));
  for (let i = Math.min(EDGE_LINES, lines.length); i > 0; i--) {
    const next = lines[i];
    const last = lines[i - 1]!;
    if (!isInZone(last)) continue;
    const gap = next ? Math.abs(next.y - last.y) : Infinity;
    if (gap > GAP * Math.max(last.size, next?.size ?? 0)) return lines.slice(0, i);
  }
  return [];
}

const marginalOf = (line: Line): Marginal => ({
  line,
  texts: line.cells.map(({ text }) => ({
    words: text.replace(/\d{1,9}/g, '#'),
    numbers: (text.match(/\d{1,9}/g) ?? []).map(Number),
  })),
});

/** The lines of a page without headers and footers: what repeats in the margins of the pages around it. */
export function withoutRunning(page: Page, around: readonly Page[]): readonly Line[] {
  const running = new Set(page.marginals.filter((each) => isRunning(each, page, around)).map(({ line }) => line));
  if (running.size === 0) return page.lines;
  const rest = page.lines.filter((line) => !running.has(line));
  if (rest.length > 0) return rest;
  // Nothing else on the page: only a bare page number is no text.
  return page.lines.filter((line) => !PAGE_NUMBER.test(textOf(line)));
}

function isRunning(marginal: Marginal, page: Page, around: readonly Page[]): boolean {
  const others = around.filter(({ number }) => number !== page.number);
  const same = others.filter((other) =>
    other.marginals.some((each) => isSame(marginal, each, other.number - page.number)),
  );
  // Left and right pages may differ.
  const needed = PAGE_NUMBER.test(textOf(marginal.line)) ? 1 : Math.max(2, Math.floor(others.length / 3));
  return same.length >= needed;
}

/** At the same height, with a cell whose text is the same but for numbers that count the pages. */
function isSame(a: Marginal, b: Marginal, pages: number): boolean {
  if (Math.abs(a.line.y - b.line.y) > SAME_Y) return false;
  return a.texts.some((one) => b.texts.some((other) => isSameText(one, other, pages)));
}

function isSameText(a: Text, b: Text, pages: number): boolean {
  if (a.words !== b.words || a.numbers.length !== b.numbers.length) return false;
  return a.numbers.every((number, i) => b.numbers[i] === number || b.numbers[i]! - number === pages);
}
