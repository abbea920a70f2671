import { type Block, decodeBlocks, type TextBlock } from '../text/blocks.ts';
import { blocksOfText } from '../text/plain-blocks.ts';
import { type Atom, atomsOf, IN_SENTENCE, NEVER } from './atoms.ts';
import { type Section, sectionsOf } from './sections.ts';

/** Version of the code that splits texts. A change that makes other chunks of a text increments it. */
export const SPLITTING = 1;

/** UTF-16 units, about 200 tokens: the local model reads 256, and a citation should point to one idea. */
const PIECE = 800;
/** Minimum length of a piece that another one of its section follows, if it can end there. */
const SHORTEST = PIECE / 2;
/** Minimum length of the last piece of a section, unless it is the only one. */
const TAIL = PIECE / 4;
/** A sentence and what it announces are cut only if they are longer than this. */
const LONGEST = 1_200;
/** How much of the previous piece is repeated if a sentence had to be cut. */
const OVERLAP = 80;
/** Characters of headings for each character of text, and beside that. */
const HEADINGS = 4;
const HEADINGS_FREELY = 10_000;

export interface SplitText {
  /** Plain text or Markdown, or encoded blocks. */
  readonly text: string;
  readonly isBlocks?: boolean | undefined;
  /** One section, whatever its headings. */
  readonly isOneSection?: boolean | undefined;
}

/** How a piece follows the one before it in its section. */
export interface Joint {
  /** UTF-16 units at the start of `text` that stand in an earlier piece, such as the sentence that introduces a list. */
  readonly repeated: number;
  /** Between the two texts. */
  readonly separator: string;
}

/** A passage before it has a source. Pieces of one section follow each other; `joinChunks` joins them again. */
export interface Piece {
  readonly text: string;
  readonly headings: readonly string[];
  readonly section: number;
  readonly anchor?: string;
  /** Its own address, if it has another one than its source. */
  readonly url?: string;
  readonly joint?: Joint;
}

/**
 * The pieces of a text, in order; a blank text has none. Each belongs to one section, because a piece about two topics
 * matches neither well. Pieces end between blocks, items, rows, lines or sentences if possible, never before what a colon
 * announces, and begin with what introduces them if that stands in an earlier piece.
 *
 * Takes linear time for any text. The texts of all pieces are together at most twice as long as the text, and their
 * headings at most `HEADINGS` times as long (and `HEADINGS_FREELY`).
 *
 * @param limit stops after this many pieces.
 */
export function split(source: SplitText, limit = Number.POSITIVE_INFINITY): Piece[] {
  const pieces: Piece[] = [];
  let number = 0;
  let characters = 0;
  let repeated = 0;
  for (const section of sectionsIn(source)) {
    const { anchor } = section;
    for (const { text, joint } of piecesOf(section)) {
      if (pieces.length >= limit) return pieces;
      characters += text.length;
      const length = section.headings.join('').length;
      const headings = repeated + length <= HEADINGS * characters + HEADINGS_FREELY ? section.headings : [];
      if (headings.length > 0) repeated += length;
      pieces.push({
        text,
        headings,
        section: number,
        ...(anchor !== undefined && { anchor }),
        ...(joint && { joint }),
      });
    }
    number++;
  }
  return pieces;
}

function sectionsIn({ text, isBlocks, isOneSection }: SplitText): Iterable<Section> {
  const blocks = isBlocks ? decodeBlocks(text) : blocksOfText(text);
  return isOneSection ? [{ headings: [], anchor: undefined, blocks: blocks.map(asText) }] : sectionsOf(blocks);
}

const asText = (block: Block): TextBlock =>
  block.kind === 'heading' ? { kind: 'text', text: `${'#'.repeat(block.level)} ${block.text}` } : block;

interface Cut {
  readonly text: string;
  readonly joint?: Joint;
}

function* piecesOf({ blocks }: Section): Generator<Cut> {
  const atoms = atomsOf(blocks);
  let waiting: Atom[] = [];
  let length = 0;
  let isEnd = false;
  let before: readonly Atom[] = [];
  for (;;) {
    while (!isEnd && length <= LONGEST + PIECE) {
      const next = atoms.next();
      if (next.done) isEnd = true;
      else {
        waiting.push(next.value);
        length += next.value.before.length + next.value.text.length;
      }
    }
    if (waiting.length === 0) return;
    const lead = before.length > 0 ? waiting[0]!.lead : '';
    const count = isEnd && length + lead.length <= PIECE ? waiting.length : countOf(waiting, lead.length, isEnd);
    const own = waiting.slice(0, count);
    yield pieceOf(own, before, lead);
    waiting = waiting.slice(count);
    for (const { before, text } of own) length -= before.length + text.length;
    before = own;
  }
}

/** How many atoms the next piece has. */
function countOf(atoms: readonly Atom[], lead: number, isEnd: boolean): number {
  const total = lengthOf(atoms);
  const most = PIECE - lead;
  let best = { count: 0, cut: NEVER as number };
  let short = { count: 0, cut: NEVER as number };
  let length = 0;
  for (const [i, atom] of atoms.entries()) {
    if (i > 0 && atom.cut !== NEVER) {
      if (length > most) return best.count || short.count || (length <= LONGEST ? i : atLeastOne(atoms));
      const isLong = length >= Math.min(SHORTEST, most / 2) && !(isEnd && total - length < TAIL);
      if (isLong && atom.cut >= best.cut) best = { count: i, cut: atom.cut };
      else if (!isLong && atom.cut > IN_SENTENCE) short = { count: i, cut: atom.cut };
    }
    length += (i === 0 ? 0 : atom.before.length) + atom.text.length;
  }
  if (best.count || short.count) return best.count || short.count;
  return isEnd && length <= LONGEST ? atoms.length : atLeastOne(atoms);
}

/** As much as a piece can hold, if nothing of it may be cut. */
function atLeastOne(atoms: readonly Atom[]): number {
  let length = 0;
  const count = atoms.findIndex(({ before, text }) => {
    length += before.length + text.length;
    return length > LONGEST;
  });
  return count < 0 ? atoms.length : Math.max(count, 1);
}

const lengthOf = (atoms: readonly Atom[]): number =>
  atoms.reduce((sum, { before, text }, i) => sum + (i === 0 ? 0 : before.length) + text.length, 0);

/** @param before the atoms of the piece before it in its section. */
function pieceOf(atoms: readonly Atom[], before: readonly Atom[], lead: string): Cut {
  const text = atoms.map(({ before, text }, i) => (i === 0 ? text : before + text)).join('');
  const [first] = atoms;
  if (before.length === 0) return { text };
  const overlap = first!.cut === IN_SENTENCE ? `${lastWords(before)}${first!.before}` : '';
  const repeated = [lead && `${lead}\n`, overlap].find((part) => part && part.length <= text.length) ?? '';
  if (!repeated && first!.before === '\n\n') return { text };
  return { text: repeated + text, joint: { repeated: repeated.length, separator: first!.before } };
}

/** From the start of a word, if there is one. */
function lastWords(atoms: readonly Atom[]): string {
  const { text } = atoms.at(-1)!;
  const words = text.slice(-OVERLAP);
  return words.length === text.length ? words : words.slice(words.indexOf(' ') + 1).replace(/^[\uDC00-\uDFFF]/, '');
}
