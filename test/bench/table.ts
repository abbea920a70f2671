/** One thing that is measured, in a file of its own. */
export interface Bench {
  name: string;
  run(): Promise<Table>;
}

export interface Table {
  /** What was measured, on what, and what the ratios are to. */
  about: string;
  head: string[];
  rows: string[][];
  /** Absent where none is set. */
  bound?: Bound;
}

export interface Bound {
  /** What is asked for, and what came out: a sentence. */
  says: string;
  met: boolean;
}

/** In Markdown, so that it can be pasted as it is. */
export function print(name: string, { about, head, rows, bound }: Table): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (row: string[]) =>
    `| ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join(' | ')} |`;
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  const verdict = bound ? `${bound.met ? 'Met' : 'NOT MET'}: ${bound.says}` : 'No bound is set.';
  return [`## ${name}`, '', about, '', line(head), line(rule), ...rows.map(line), '', verdict, ''].join('\n');
}
