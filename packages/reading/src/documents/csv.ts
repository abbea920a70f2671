import { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decodeText } from '../text/decode-text.ts';
import { stripInvisible } from '../text/strip-invisible.ts';
import { type Dialect, dialectOf } from './csv-dialect.ts';
import {
  count,
  type DocumentLimits,
  type DocumentPart,
  type DocumentText,
  limitNotes,
  range,
  Unreadable,
} from './part.ts';

/** Characters; a longer one is a quotation mark that is never closed. */
const MAX_RECORD = 1_000_000;
const MAX_NAME = 100;
/** A short file has a text for each row; in a long one, rows share as many texts as this. */
const TEXTS = 4_000;
/** Characters of the rows that share a part's text. */
const TEXT = 700;
/** The most rows of a part. */
const ROWS = 100;
const PART = 16_000;

const EMPTY = 'The file has no rows with text. Upload another one as a new document.';

interface Row {
  readonly number: number;
  readonly text: string;
}

/** Reads a CSV file row by row: the values of a row stand beside the names of their columns. */
export async function* readCsv(file: Buffer, limits: DocumentLimits): AsyncGenerator<DocumentPart, string[]> {
  const share = Math.ceil(linesIn(file) / TEXTS);
  const texts: DocumentText[] = [];
  let held: Row[] = [];
  const seen = { rows: 0, inPart: 0, characters: 0, found: 0 };
  let note: string | undefined;

  const flush = () => {
    if (held.length === 0) return;
    const place = range('row', held[0]!.number, held.at(-1)!.number);
    texts.push({ id: place, place, text: held.map(({ text }) => text).join('\n') });
    held = [];
  };
  function* part(more: number): Generator<DocumentPart> {
    flush();
    if (texts.length > 0) yield partOf(texts.splice(0), ++seen.found + more);
    seen.inPart = 0;
  }

  for await (const row of rowsOf(file)) {
    if (seen.rows >= limits.rows) note = limitNotes.rows(limits.rows);
    else if (seen.characters + row.text.length > limits.characters) note = limitNotes.characters(limits.characters);
    if (note) break;
    seen.rows++;
    seen.inPart++;
    seen.characters += row.text.length;
    if (held.length >= share || lengthOf(held) + row.text.length > TEXT) flush();
    held.push(row);
    if (seen.inPart >= ROWS || lengthOf(held) + lengthOf(texts) > PART) yield* part(1);
  }
  yield* part(0);
  if (seen.found === 0) throw new Unreadable(EMPTY);
  return note ? [note] : [];
}

const lengthOf = (texts: readonly { text: string }[]): number => texts.reduce((sum, { text }) => sum + text.length, 0);

function partOf(texts: DocumentText[], found: number): DocumentPart {
  const numbers = texts.flatMap(({ place }) => place.match(/\d+/g)!.map(Number));
  const place = range('row', numbers[0]!, numbers.at(-1)!);
  const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  return { id: place, place, texts, bytes, found };
}

/** Rows are numbered as a spreadsheet numbers them: blank ones and the header count. */
async function* rowsOf(file: Buffer): AsyncGenerator<Row> {
  const dialect = dialectOf(beginningOf(file));
  let number = 0;
  let names: string[] = [];
  for await (const record of recordsOf(file, dialect, () => number)) {
    number++;
    const cells = record.map((cell) => stripInvisible(cell).replace(/\s+/g, ' ').trim());
    if (dialect.hasHeader && number === dialect.above + 1) names = cells.map((cell) => cell.slice(0, MAX_NAME));
    else if (number <= dialect.above && /^sep=.$/i.test(cells.join(''))) continue;
    else {
      const text = textOf(cells, number > dialect.above ? names : []);
      if (text) yield { number, text };
    }
  }
}

async function* recordsOf(file: Buffer, { delimiter, quote }: Dialect, before: () => number): AsyncGenerator<string[]> {
  const lenient = { relax_column_count: true, relax_quotes: true, max_record_size: MAX_RECORD };
  try {
    yield* Readable.from(decodeText(file)).pipe(parse({ ...lenient, delimiter, quote }));
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const row = count(before() + 1);
    if (error.code !== 'CSV_QUOTE_NOT_CLOSED' && error.code !== 'CSV_MAX_RECORD_SIZE')
      throw new Unreadable(`Row ${row} of the file can't be read: it is not a valid CSV file.`);
    throw new Unreadable(
      `The file can't be read beyond row ${row}: a quotation mark there is never closed, or the row is longer than ${count(MAX_RECORD)} characters.`,
    );
  }
}

function textOf(cells: readonly string[], names: readonly string[]): string {
  const named = cells.flatMap((cell, i) => (cell ? [names[i] ? `${names[i]}: ${cell}` : cell] : []));
  return named.join('; ').replace(/^(?=#{1,6} )/, ' ');
}

function beginningOf(file: Buffer): string {
  let text = '';
  for (const part of decodeText(file)) {
    text += part;
    if (text.length > 64 * 1024) break;
  }
  return text;
}

function linesIn(file: Buffer): number {
  let lines = 1;
  for (let at = file.indexOf(10); at >= 0; at = file.indexOf(10, at + 1)) lines++;
  return lines;
}
