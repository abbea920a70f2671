import { decodeText } from '../text/decode-text.ts';
import { stripInvisible } from '../text/strip-invisible.ts';
import { type DocumentLimits, type DocumentPart, limitNotes, range, Unreadable } from './part.ts';

/** Characters of one citation: a screen or two. */
const TEXT = 4_000;
/** A line that has no end is cut here. */
const LONGEST_LINE = 20_000;
/** Headings that a text repeats from before it. */
const MAX_HEADING = 200;

const EMPTY = 'The file is empty, or has no readable text. Upload another one as a new document.';

interface Line {
  readonly number: number;
  readonly text: string;
}

/** Reads a plain text as runs of lines that end at a heading or a blank line if possible. */
export async function* readText(file: Buffer, limits: DocumentLimits): AsyncGenerator<DocumentPart, string[]> {
  let characters = 0;
  let found = 0;
  let held: DocumentPart | undefined;
  for (const { lines, heading } of runsOf(linesOf(file))) {
    const body = lines.map(({ text }) => text).join('\n');
    const text = heading ? `${heading}\n\n${body}` : body;
    if (characters + text.length > limits.characters) {
      if (held) yield { ...held, found };
      return [limitNotes.characters(limits.characters)];
    }
    characters += text.length;
    if (held) yield { ...held, found: found + 1 };
    held = partOf(lines, text, ++found);
  }
  if (!held) throw new Unreadable(EMPTY);
  // A short text is cited as a whole.
  yield found === 1 ? { ...held, texts: held.texts.map((text) => ({ ...text, place: '' })) } : held;
  return [];
}

function partOf(lines: readonly Line[], text: string, found: number): DocumentPart {
  const place = range('line', lines[0]!.number, lines.at(-1)!.number);
  return { id: place, place, texts: [{ id: place, place, text }], bytes: Buffer.byteLength(text), found };
}

function* linesOf(file: Buffer): Generator<Line> {
  let number = 0;
  let rest = '';
  for (const part of decodeText(file)) {
    // A carriage return at the end may be half of a line break.
    const text = rest + part;
    const isOpen = text.endsWith('\r');
    const lines = (isOpen ? text.slice(0, -1) : text).split(/\r\n?|\n|\f/);
    rest = lines.pop()! + (isOpen ? '\r' : '');
    for (const line of lines) yield { number: ++number, text: stripInvisible(line).trimEnd() };
    if (rest.length <= LONGEST_LINE) continue;
    yield { number: ++number, text: stripInvisible(rest) };
    number--;
    rest = '';
  }
  if (rest) yield { number: ++number, text: stripInvisible(rest).trimEnd() };
}

/** Runs of lines, each with the heading that it stands under if it does not begin with one. */
function* runsOf(lines: Iterable<Line>): Generator<{ lines: Line[]; heading: string }> {
  let run: Line[] = [];
  let length = 0;
  let heading = '';
  let above = '';
  function* end(to: number) {
    const whole = trimmed(run.slice(0, to));
    if (whole.length > 0) yield { lines: whole, heading: above };
    run = run.slice(to);
    length = run.reduce((sum, { text }) => sum + text.length + 1, 0);
    above = heading;
  }
  for (const line of withHeadings(lines)) {
    const isHeading = /^#{1,6} /.test(line.text);
    if (isHeading && length > TEXT / 4) yield* end(run.length);
    if (length + line.text.length > TEXT && run.length > 0) yield* end(cutOf(run));
    if (isHeading) heading = line.text.slice(0, MAX_HEADING);
    if (isHeading && trimmed(run).length === 0) above = '';
    run.push(line);
    length += line.text.length + 1;
  }
  yield* end(run.length);
}

/** After the last blank line in the second half of a run, or at its end. */
function cutOf(run: readonly Line[]): number {
  for (let i = run.length - 1; i > run.length / 2; i--) if (run[i]!.text === '') return i + 1;
  return run.length;
}

function trimmed(run: readonly Line[]): Line[] {
  const first = run.findIndex(({ text }) => text.trim() !== '');
  const last = run.findLastIndex(({ text }) => text.trim() !== '');
  return first < 0 ? [] : run.slice(first, last + 1);
}

/** Marks headings that are underlined, or numbered and between blank lines, as markdown does. */
function* withHeadings(lines: Iterable<Line>): Generator<Line> {
  let before: Line | undefined;
  let current: Line | undefined;
  for (const next of lines) {
    if (current && isUnderline(next.text, current.text) && !before?.text.trim()) {
      yield { number: current.number, text: `${next.text.startsWith('=') ? '#' : '##'} ${current.text.trim()}` };
      before = next;
      current = undefined;
      continue;
    }
    if (current) yield isNumbered(before, current, next) ? { ...current, text: `## ${current.text.trim()}` } : current;
    before = current ?? before;
    current = next;
  }
  if (current) yield current;
}

const isUnderline = (text: string, above: string): boolean =>
  /^(={3,}|-{3,}|~{3,})\s*$/.test(text) && /\p{L}/u.test(above) && above.trim().length <= MAX_HEADING;

/** `3.2 Cleaning` or `CLEANING`, alone and not indented. */
function isNumbered(before: Line | undefined, { text }: Line, next: Line): boolean {
  if (before?.text.trim() || next.text.trim() || text.length > 80 || text.startsWith('#')) return false;
  return /^\d+(\.\d+)*\.?\s+\p{Lu}[^.!?;,]*$/u.test(text) || /^\p{Lu}[\p{Lu}\d ,&'/()-]{3,}$/u.test(text);
}
