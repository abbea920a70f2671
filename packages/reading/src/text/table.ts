/** A table that is being read. */
export interface Table {
  header: string[] | undefined;
  rows: number;
  /** Cells that reach into the next rows, by column. */
  readonly spans: Map<number, { rows: number; text: string }>;
  /** Characters of cells, and those repeated with them. */
  own: number;
  repeated: number;
}

export interface Cell {
  readonly text: string;
  readonly isHeader: boolean;
  readonly columns: number;
  readonly rows: number;
}

const MAX_COLUMNS = 100;
/** Characters of a column's header, and of a cell that is repeated in the rows that it spans. */
const LONGEST_REPEATED = 100;
/** Characters that all rows together may repeat, beyond as many as they have. */
const REPEATED_FREELY = 10_000;

export const newTable = (): Table => ({ header: undefined, rows: 0, spans: new Map(), own: 0, repeated: 0 });

/** The line for a row: each cell after the header of its column. Nothing for the row of headers itself. */
export function lineOf(table: Table, cells: readonly Cell[]): string | undefined {
  const row = placed(table, cells);
  if (!row.some(Boolean)) return undefined;
  const isHeader = table.rows === 0 && cells.every(({ isHeader, text }) => isHeader || !text);
  if (isHeader && (cells.length > 1 || table.header)) {
    table.header = row.map((text, i) => clip([table.header?.[i], text].filter(Boolean).join(' ')));
    return undefined;
  }
  table.rows++;
  return table.header ? labelled(table, row) : plain(cells);
}

/** The headers of a table that has nothing else. */
export function headersOf({ header, rows }: Table): string | undefined {
  return rows === 0 ? header?.filter(Boolean).join(' | ') : undefined;
}

function plain(cells: readonly Cell[]): string {
  const filled = cells.filter(({ text }) => text);
  const [first, ...rest] = filled;
  if (!first?.isHeader || rest.length === 0 || rest.some(({ isHeader }) => isHeader))
    return filled.map(({ text }) => text).join(' | ');
  return `${first.text.replace(/:$/, '')}: ${rest.map(({ text }) => text).join(' | ')}`;
}

function labelled(table: Table, row: readonly string[]): string {
  const parts = row.map((text, i) => {
    const label = text && table.header![i]?.replace(/:$/, '');
    table.own += text.length;
    if (!label || label === text || !mayRepeat(table, label.length)) return text;
    return `${label}: ${text}`;
  });
  return parts.filter(Boolean).join('; ');
}

/** The texts by column. Cells that span rows or columns are repeated. */
function placed(table: Table, cells: readonly Cell[]): string[] {
  const row: string[] = [];
  const started: [number, { rows: number; text: string }][] = [];
  const skipSpanned = () => {
    for (let span = table.spans.get(row.length); span; span = table.spans.get(row.length)) {
      row.push(mayRepeat(table, span.text.length) ? span.text : '');
      if (--span.rows === 0) table.spans.delete(row.length - 1);
    }
  };
  for (const { text, columns, rows } of cells) {
    skipSpanned();
    const column = row.length;
    row.push(text);
    if (column >= MAX_COLUMNS) continue;
    if (rows > 1) started.push([column, { rows: rows - 1, text: clip(text) }]);
    // A label stands over all the columns that it spans, a value only in the first.
    while (row.length < column + columns && row.length < MAX_COLUMNS) row.push(table.rows === 0 ? clip(text) : '');
  }
  skipSpanned();
  for (const [column, span] of started) table.spans.set(column, span);
  return row;
}

function mayRepeat(table: Table, length: number): boolean {
  if (table.repeated + length > table.own + REPEATED_FREELY) return false;
  table.repeated += length;
  return true;
}

/** Never ends inside a character. */
const clip = (text: string): string =>
  text.length <= LONGEST_REPEATED ? text : text.slice(0, LONGEST_REPEATED).replace(/[\uD800-\uDBFF]$/, '');
