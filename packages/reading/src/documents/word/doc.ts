import { decodeWindows1252 } from '../../text/charset.ts';
import { Unreadable } from '../part.ts';
import { openCompoundFile } from './compound-file.ts';
import { formatsOf, type ParagraphFormat } from './doc-formats.ts';
import { DAMAGED, ENCRYPTED, LONGEST_PARAGRAPH, OTHER, type Paragraph } from './paragraph.ts';

/** Versions before Word 97 have no Unicode and another layout. */
const WORD_97 = 0xc1;
const ENCRYPTED_FLAG = 0x0100;
const TABLE_1_FLAG = 0x0200;
const MAX_FIELDS = 100;
const FIELD_BEGIN = '\x13';
const FIELD_RESULT = '\x14';
const FIELD_END = '\x15';
const CELL_END = '\x07';
/** Control characters that stand for text: line and page breaks, hyphens. Others have none. */
const CONTROLS: { [character: string]: string } = { '\t': '\t', '\v': '\n', '\f': ' ', '\x1e': '-', '\x1f': '' };

/** The paragraphs of a .doc: its text, notes and text boxes. Reads neither macros nor embedded objects. */
export async function* readDoc(file: Buffer): AsyncGenerator<Paragraph> {
  const { stream, isEmpty } = openCompoundFile(file);
  const main = stream('WordDocument');
  if (!main) throw new Unreadable(stream('EncryptedPackage') ? ENCRYPTED : isEmpty ? DAMAGED : OTHER);
  try {
    const flags = main.readUInt16LE(0x0a);
    if (flags & ENCRYPTED_FLAG) throw new Unreadable(ENCRYPTED);
    if (main.readUInt16LE(2) < WORD_97) {
      const text = main.subarray(main.readUInt32LE(0x18), main.readUInt32LE(0x1c));
      yield* paragraphsOf([{ text: decodeWindows1252(text), format: () => PLAIN }]);
      return;
    }
    const table = stream(flags & TABLE_1_FLAG ? '1Table' : '0Table');
    if (!table) throw new Unreadable(DAMAGED);
    yield* paragraphsOf(piecesOf(main, table));
  } catch (error) {
    throw error instanceof Unreadable ? error : new Unreadable(DAMAGED);
  }
}

const PLAIN: ParagraphFormat = { level: 0, isItem: false, isInTable: false, endsRow: false };

interface Piece {
  readonly text: string;
  /** Returns the format of the paragraph that the character at this index ends. */
  format(index: number): ParagraphFormat;
}

/** Stretches of text that are stored together, in the order of the document. */
function* piecesOf(main: Buffer, table: Buffer): Generator<Piece> {
  const formatAt = formatsOf(main, table);
  const pieces = pieceTable(
    table.subarray(main.readUInt32LE(0x1a2), main.readUInt32LE(0x1a2) + main.readUInt32LE(0x1a6)),
  );
  const count = Math.floor((pieces.length - 4) / 12);
  const ranges = wanted(main);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const [start, end] = [pieces.readUInt32LE(4 * i), pieces.readUInt32LE(4 * i + 4)];
    if (start !== at || end < start) throw new Error('pieces out of order');
    at = end;
    const position = pieces.readUInt32LE(4 * (count + 1) + 8 * i + 2);
    for (const [first, last] of ranges) {
      const [from, to] = [Math.max(start, first), Math.min(end, last)];
      if (from < to) yield pieceOf(main, position, from - start, to - start, formatAt);
    }
  }
}

function pieceOf(
  main: Buffer,
  position: number,
  from: number,
  to: number,
  formatAt: (offset: number) => ParagraphFormat,
): Piece {
  const isBytes = (position & 0x40000000) !== 0;
  const offset = isBytes ? (position & 0x3fffffff) / 2 : position;
  const width = isBytes ? 1 : 2;
  const bytes = main.subarray(offset + from * width, offset + to * width);
  const text = isBytes ? decodeWindows1252(bytes) : bytes.toString('utf16le');
  return { text, format: (index) => formatAt(offset + (from + index) * width) };
}

/** The piece table follows formatting that is not needed. */
function pieceTable(clx: Buffer): Buffer {
  let at = 0;
  while (clx[at] === 1) at += 3 + clx.readUInt16LE(at + 1);
  if (clx[at] !== 2) throw new Error('no piece table');
  return clx.subarray(at + 5, at + 5 + clx.readUInt32LE(at + 1));
}

/** The text, footnotes, endnotes and text boxes, as positions; headers and comments are left out. */
function wanted(main: Buffer): [number, number][] {
  const lengths = [0x4c, 0x50, 0x54, 0x58, 0x5c, 0x60, 0x64].map((at) => main.readUInt32LE(at));
  const ranges: [number, number][] = [];
  let start = 0;
  for (const [i, length] of lengths.entries()) {
    if ([0, 1, 5, 6].includes(i)) ranges.push([start, start + length]);
    start += length;
  }
  return ranges;
}

function* paragraphsOf(pieces: Iterable<Piece>): Generator<Paragraph> {
  let text = '';
  let cells: string[] = [];
  for (const { character, format } of shownIn(pieces)) {
    const ends = character === '\r' || character === CELL_END;
    if (!ends && text.length < LONGEST_PARAGRAPH) {
      text += CONTROLS[character] ?? (character < ' ' ? '' : character);
      continue;
    }
    const { endsRow, isInTable, isItem, level } = format();
    if (character === CELL_END && endsRow) {
      const filled = cells.filter(Boolean);
      if (filled.length > 0) yield { kind: 'row', text: filled.join(' | '), level: 0 };
      cells = [];
    } else if (character === CELL_END) cells.push(text.replace(/\s+/g, ' ').trim());
    else if (isInTable) {
      if (text.length < LONGEST_PARAGRAPH) text += ' ';
      continue;
    } else yield { kind: isItem ? 'item' : 'text', text, level };
    text = ends ? '' : character;
  }
  if (text) yield { kind: 'text', text, level: 0 };
}

/** The characters of the text without the instructions of its fields, each with the format of the paragraph it ends. */
function* shownIn(pieces: Iterable<Piece>): Generator<{ character: string; format: () => ParagraphFormat }> {
  /** For each open field, whether its instruction is over and its result has begun. */
  const fields: boolean[] = [];
  for (const piece of pieces)
    for (let i = 0; i < piece.text.length; i++) {
      const character = piece.text[i]!;
      if (character === FIELD_BEGIN && fields.length < MAX_FIELDS) fields.push(false);
      else if (character === FIELD_RESULT && fields.length > 0) fields[fields.length - 1] = true;
      else if (character === FIELD_END) fields.pop();
      else if (!fields.includes(false)) yield { character, format: () => piece.format(i) };
    }
}
