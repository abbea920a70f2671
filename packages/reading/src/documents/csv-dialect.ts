import { parse } from 'csv-parse/sync';

const DELIMITERS = [',', ';', '\t', '|'];
/** Characters of the sample, and the records in it that are compared. */
const SAMPLE = 64 * 1024;
const RECORDS = 50;
/** A title or a note may stand above the header. */
const MAX_ABOVE = 10;

/** Without the white space in it. */
const NUMBER = /^[-+(]?\p{Sc}*(?=[.,']*\d)[\d.,']+[\p{Sc}%)]*$/u;
const DATE = /^\d{1,4}[-./]\d{1,2}[-./]\d{1,4}([ T]\d{1,2}:\d{2}.*)?$/;

export interface Dialect {
  readonly delimiter: string;
  readonly quote: string;
  /** Records above the header. */
  readonly above: number;
  readonly hasHeader: boolean;
}

/** Returns what the beginning of a CSV file shows of its dialect. */
export function dialectOf(beginning: string): Dialect {
  const sample =
    beginning.length > SAMPLE
      ? beginning.slice(0, beginning.lastIndexOf('\n', SAMPLE) + 1) || beginning.slice(0, SAMPLE)
      : beginning;
  const declared = /^sep=(.)\r?\n/i.exec(sample)?.[1];
  const quote = quoteOf(sample);
  let best = { score: -1, delimiter: ',', records: [] as string[][] };
  for (const delimiter of declared ? [declared] : DELIMITERS) {
    const records = recordsOf(sample, delimiter, quote);
    const score = consistency(records);
    if (score > best.score) best = { score, delimiter, records };
  }
  const { delimiter, records } = best;
  const width = commonWidth(records);
  const filled = (record: readonly string[]) => record.filter((cell) => cell.trim() !== '').length;
  const found = records.slice(0, MAX_ABOVE).findIndex((record) => filled(record) > width / 2);
  const above = Math.max(found, 0);
  return { delimiter, quote, above, hasHeader: isHeader(records[above] ?? [], records.length - above) };
}

function recordsOf(sample: string, delimiter: string, quote: string): string[][] {
  const lenient = { relax_column_count: true, relax_quotes: true, to: RECORDS };
  try {
    return parse(sample, { ...lenient, delimiter, quote }) as string[][];
  } catch {
    // The sample ends within quotation marks, or they are not closed.
    return parse(sample, { ...lenient, delimiter, quote: false }) as string[][];
  }
}

/** How many columns the records have, if most of them have as many. */
function consistency(records: readonly string[][]): number {
  const width = commonWidth(records);
  if (width < 2) return 0;
  const filled = records.filter((record) => record.some((cell) => cell.trim() !== ''));
  const same = filled.filter((record) => record.length === width).length / Math.max(filled.length, 1);
  return same * 100 + Math.min(width, 50) / 50;
}

function commonWidth(records: readonly string[][]): number {
  const counts = new Map<number, number>();
  for (const { length } of records) counts.set(length, (counts.get(length) ?? 0) + 1);
  let [width, most] = [0, 0];
  for (const [each, times] of counts)
    if (times > most || (times === most && each > width)) [width, most] = [each, times];
  return width;
}

/** Single quotes only where they enclose a whole value and double quotes do not. */
function quoteOf(sample: string): string {
  const enclosed = (quote: string) =>
    sample.match(new RegExp(`(^|[,;\\t|])${quote}[^${quote}\\n]*${quote}(?=[,;\\t|\\r\\n]|$)`, 'gm'))?.length ?? 0;
  return enclosed("'") > 2 && enclosed('"') === 0 ? "'" : '"';
}

/** Names, not values. */
function isHeader(record: readonly string[], records: number): boolean {
  const cells = record.map((cell) => cell.trim()).filter(Boolean);
  if (records < 2 || cells.length === 0 || new Set(cells).size < cells.length) return false;
  return cells.every(
    (cell) => cell.length <= 200 && !NUMBER.test(cell.replace(/\s/g, '')) && !DATE.test(cell) && !cell.includes('@'),
  );
}
