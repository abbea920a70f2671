/** The formatting of a paragraph in a .doc. */
export interface ParagraphFormat {
  /** Level of a heading, 1 to 9; 0 for other text. */
  readonly level: number;
  readonly isItem: boolean;
  readonly isInTable: boolean;
  readonly endsRow: boolean;
}

const PAGE = 512;
/** Built-in styles: headings 1 to 9, and the title. */
const LAST_HEADING = 9;
const TITLE = 62;
/** Properties of a paragraph, by their code. */
const IN_TABLE = 0x2416;
const ENDS_ROW = 0x2417;
const OUTLINE = 0x2640;
const LIST = 0x460b;

const NONE: ParagraphFormat = { level: 0, isItem: false, isInTable: false, endsRow: false };

/** Looks up the format of the paragraph that includes a byte of the main stream. */
export function formatsOf(main: Buffer, table: Buffer): (offset: number) => ParagraphFormat {
  const levels = headingStyles(table.subarray(main.readUInt32LE(0xa2)), main.readUInt32LE(0xa6));
  const plc = table.subarray(main.readUInt32LE(0x102), main.readUInt32LE(0x102) + main.readUInt32LE(0x106));
  const pages = Math.floor((plc.length - 4) / 8);
  return (offset) => {
    const page = lastAtMost(offset, pages, (i) => plc.readUInt32LE(4 * i));
    if (page < 0) return NONE;
    const number = plc.readUInt32LE(4 * (pages + 1) + 4 * page) & 0x3fffff;
    const bytes = main.subarray(number * PAGE, (number + 1) * PAGE);
    return bytes.length === PAGE ? formatIn(bytes, offset, levels) : NONE;
  };
}

/** The last of `count` ascending numbers that is at most `value`; -1 if there is none. */
function lastAtMost(value: number, count: number, numberAt: (index: number) => number): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numberAt(middle) <= value) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** A page of formats: offsets, then where the format of each paragraph stands in it. */
function formatIn(page: Buffer, offset: number, levels: readonly number[]): ParagraphFormat {
  const count = page[PAGE - 1]!;
  const found = lastAtMost(offset, count, (i) => page.readUInt32LE(4 * i));
  if (found < 0) return NONE;
  let at = 2 * page[4 * (count + 1) + 13 * found]!;
  if (at === 0) return NONE;
  let length = 2 * page[at]! - 1;
  at++;
  if (length < 0) length = 2 * page[at++]!;
  if (length < 2 || at + length > PAGE) return NONE;
  return read(page.subarray(at, at + length), levels);
}

function read(format: Buffer, levels: readonly number[]): ParagraphFormat {
  const result = { ...NONE, level: levels[format.readUInt16LE(0)] ?? 0 };
  for (let at = 2; at + 3 <= format.length; ) {
    const property = format.readUInt16LE(at);
    const value = format[at + 2]!;
    if (property === IN_TABLE) result.isInTable = value !== 0;
    else if (property === ENDS_ROW) result.endsRow = value !== 0;
    else if (property === OUTLINE) result.level = value < LAST_HEADING ? value + 1 : 0;
    else if (property === LIST && at + 4 <= format.length) result.isItem = format.readUInt16LE(at + 2) !== 0;
    at += 2 + sizeOf(property, format, at + 2);
  }
  return result;
}

/** Bytes of a property's value: the highest three bits of its code say how many. */
function sizeOf(property: number, format: Buffer, at: number): number {
  const size = [1, 1, 2, 4, 2, 2, -1, 3][property >> 13]!;
  if (size > 0) return size;
  // These two have a length of two bytes.
  if (property === 0xd608 || property === 0xd606) return at + 2 <= format.length ? format.readUInt16LE(at) + 1 : PAGE;
  return format[at]! + 1;
}

/** The heading level of each style; styles inherit it. */
function headingStyles(sheet: Buffer, length: number): number[] {
  if (length < 4) return [];
  const levels: number[] = [];
  const bases: number[] = [];
  const count = sheet.readUInt16LE(2);
  let at = 2 + sheet.readUInt16LE(0);
  for (let i = 0; i < count && at + 2 <= length; i++) {
    const bytes = sheet.readUInt16LE(at);
    at += 2;
    if (bytes >= 4) {
      const builtIn = sheet.readUInt16LE(at) & 0xfff;
      levels[i] = builtIn >= 1 && builtIn <= LAST_HEADING ? builtIn : builtIn === TITLE ? 1 : 0;
      bases[i] = sheet.readUInt16LE(at + 2) >> 4;
    }
    at += bytes;
  }
  return levels.map((level, i) => {
    let found = level;
    for (let base = bases[i]!, steps = 0; found === 0 && steps < 10; base = bases[base] ?? 0xfff, steps++)
      found = levels[base] ?? 0;
    return found;
  });
}
