/** The options make no sense; the message says how to use them. */
export class UsageError extends Error {}

/** One measurement, in its own file. */
export interface Bench {
  name: string;
  /** `options` are the arguments after its name. @throws UsageError */
  run(options: readonly string[]): Promise<Table>;
}

export interface Table {
  /** The measured thing, the conditions, and the baseline of the ratios. */
  about: string;
  head: string[];
  rows: string[][];
  /** Tables that say more about the same. */
  further?: Section[];
  /** Absent if no bound is set. */
  bound?: Bound;
}

export interface Section extends Pick<Table, 'head' | 'rows'> {
  title: string;
}

export interface Bound {
  /** A sentence with the requirement and the result. */
  says: string;
  met: boolean;
}

/** Formats the table and its bound as Markdown. */
export function print(name: string, { about, head, rows, further = [], bound }: Table): string {
  const verdict = bound ? `${bound.met ? 'Met' : 'NOT MET'}: ${bound.says}` : 'No bound is set.';
  const sections = further.flatMap(({ title, ...table }) => [`### ${title}`, '', ...lines(table), '']);
  return [`## ${name}`, '', about, '', ...lines({ head, rows }), '', ...sections, verdict, ''].join('\n');
}

/** The lines of a table in Markdown. */
export function lines({ head, rows }: Pick<Table, 'head' | 'rows'>): string[] {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [line(head), line(rule), ...rows.map(line)];
}
