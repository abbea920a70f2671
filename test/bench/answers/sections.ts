import { Parser } from 'htmlparser2';
import type { Pages } from './site.ts';

/** The text under one heading of a page. */
export interface Section {
  /** 1 to 6; 0 before the first heading. */
  level: number;
  heading: string;
  /** The ids that lead here. */
  anchors: string[];
  /** With its heading, without its subsections. */
  own: string;
}

const HEADING = /^h[1-6]$/;
const SKIPPED = new Set(['script', 'style', 'head', 'noscript']);
const BLOCK = /^(p|div|li|tr|td|th|pre|dt|dd|ul|ol|dl|table|section|article|br|h[1-6])$/;

/**
 * The sections of a page in their order. Deliberately simpler than the trainer's reading, and apart from it: it decides only
 * where a fact stands.
 *
 * An id leads to the section whose heading follows it without any text between, and else to the one that it stands in.
 */
export function sectionsOf(html: string): Section[] {
  const sections: Section[] = [{ level: 0, heading: '', anchors: [], own: '' }];
  /** Ids since the last text. */
  let waiting: string[] = [];
  let skipping = 0;
  let inHeading = false;
  const parser = new Parser({
    onopentag(name, { id, name: anchor }) {
      if (SKIPPED.has(name)) skipping++;
      if (BLOCK.test(name)) sections.at(-1)!.own += '\n';
      if (HEADING.test(name)) {
        sections.push({ level: Number(name[1]), heading: '', anchors: waiting, own: '' });
        waiting = [];
        inHeading = true;
      }
      const own = [id, name === 'a' ? anchor : undefined].filter((each) => each !== undefined);
      (inHeading ? sections.at(-1)!.anchors : waiting).push(...own);
    },
    ontext(text) {
      if (skipping > 0) return;
      const section = sections.at(-1)!;
      section.own += text;
      if (inHeading) section.heading += text;
      if (text.trim() === '') return;
      section.anchors.push(...waiting);
      waiting = [];
    },
    onclosetag(name) {
      if (SKIPPED.has(name)) skipping--;
      if (HEADING.test(name)) inHeading = false;
      if (BLOCK.test(name)) sections.at(-1)!.own += '\n';
    },
  });
  parser.end(html);
  return sections;
}

/**
 * The section of an anchor with all its subsections, as a range of `sections`; undefined if there is no such anchor. Where
 * headings have no ids, the words of one do, as in `how-to-begin`.
 */
export function rangeOf(sections: readonly Section[], anchor: string): { from: number; to: number } | undefined {
  const byId = sections.findIndex(({ anchors }) => anchors.includes(anchor));
  const from = byId >= 0 ? byId : sections.findIndex(({ heading }) => slug(heading) === anchor);
  if (from < 0) return undefined;
  const after = sections.findIndex(({ level }, i) => i > from && level <= sections[from]!.level);
  return { from, to: after < 0 ? sections.length : after };
}

const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');

/** The text of an anchor's section with its subsections, or of the whole page without an anchor; undefined if there is none. */
export function textAt(sections: readonly Section[], anchor: string): string | undefined {
  const range = anchor === '' ? { from: 0, to: sections.length } : rangeOf(sections, anchor);
  return (
    range &&
    sections
      .slice(range.from, range.to)
      .map(({ own }) => own)
      .join('\n')
  );
}

/** The sections of each page. */
export type Outline = ReadonlyMap<string, readonly Section[]>;

export const outlineOf = (pages: Pages): Outline => new Map([...pages].map(([path, html]) => [path, sectionsOf(html)]));
