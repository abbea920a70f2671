import { type Line, linesOf } from './lines.ts';
import type { OpenPdf } from './open-pdf.ts';
import { inReadingOrder } from './order.ts';
import { type Page, withMarginals } from './running.ts';
import type { Scans } from './scans.ts';

/** A page that was laid out, or the reason why it could not be, or why it has no text. */
export type LaidOut = Page & { readonly failure?: string; readonly note?: string };

/**
 * The lines of each page; those of its images if it has no others and `scans` reads them. Yields undefined after each scan,
 * because they take long.
 *
 * @param seen called with each line.
 */
export async function* layOut(
  pdf: OpenPdf,
  pages: number,
  scans: Scans | undefined,
  seen: (line: Line) => void,
): AsyncGenerator<LaidOut | undefined> {
  for (let number = 1; number <= pages; number++) {
    const content = await pdf.page(number);
    if ('failure' in content) {
      yield withoutLines(number, content);
      continue;
    }
    const { height } = content;
    let lines = linesOf(content.items, content.transform);
    if (lines.length === 0 && scans) {
      const scan = await scans.read(pdf, number);
      yield undefined;
      if (!('items' in scan)) {
        yield withoutLines(number, scan);
        continue;
      }
      lines = linesOf(scan.items, scan.transform);
    }
    lines = inReadingOrder(lines);
    for (const line of lines) seen(line);
    yield withMarginals({ number, height, lines });
  }
}

const withoutLines = (number: number, reason: { failure: string } | { note: string }): LaidOut => ({
  number,
  height: 0,
  lines: [],
  marginals: [],
  ...reason,
});

/** Each page with up to `size` pages before and after it, itself among them. */
export async function* windowed(pages: AsyncIterable<LaidOut | undefined>, size: number) {
  const around: LaidOut[] = [];
  let next = 0;
  for await (const page of pages) {
    if (!page) {
      yield undefined;
      continue;
    }
    around.push(page);
    if (around.length <= next + size) continue;
    yield { page: around[next]!, around };
    if (next < size) next++;
    else around.shift();
  }
  for (; next < around.length; next++) yield { page: around[next]!, around };
}
