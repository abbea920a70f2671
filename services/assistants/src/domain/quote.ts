import { isAnnouncing, type Range, sentencesIn } from './blocks.ts';
import { type RatedUnit, rate, type Section } from './sections.ts';

/** A section's own words on a question. */
export interface Quote {
  section: Section;
  text: string;
}

/** How long a quote may be, in characters. */
interface Room {
  most: number;
  /** The same, for one list, table or code block, and for an FAQ answer, which its owner wrote to be read as a whole. */
  whole: number;
}

const ROOM: Room = { most: 600, whole: 1_200 };
/** Several quotes of an answer that is unsure, and their characters together. */
const MAX_QUOTES = 3;
const TOGETHER = 750;
/** Less room than this is too little for another quote. */
const SHORTEST = 100;
/** A quote that is longer by `ROOM.most` has to be this much more likely to have the answer. */
const PRICE = 0.2;
const GAP = '…';
/** Characters for what shows that something is left out. */
const MARKS = 10;

/** A part of a section that could be quoted. */
interface Window extends Range {
  /** The introducing sentence, if something is left out between them. */
  lead?: Range | undefined;
  /** True if the rest of its list or code is left out after it. */
  isOpen?: boolean;
  /** How likely it has the answer. */
  chance: number;
  /** How long it may be. */
  limit: number;
}

/** The shortest part of the sections that is likely to answer a question; undefined without sections. */
export function quote(question: string, sections: readonly Section[], room = ROOM): Quote | undefined {
  let best: { value: number; section: Section; window: Window } | undefined;
  for (const [i, units] of rate(question, sections).entries()) {
    const section = sections[i]!;
    for (const window of windowsOf(section, units, room)) {
      const value = window.chance - (section.passages[0].isFaq ? 0 : (PRICE * lengthOf(window)) / ROOM.most);
      // Sums of the same numbers in another order differ by rounding.
      if (!best || value > best.value + 1e-9) best = { value, section, window };
    }
  }
  return best && { section: best.section, text: rendered(best.section.text, best.window) };
}

/**
 * The most likely quotes, of different sections, as many as fit: for an answer that is unsure of itself. The section that
 * answers is the first one in two of three such cases.
 */
export function quoteSome(question: string, sections: readonly Section[]): Quote[] {
  const quotes: Quote[] = [];
  for (let left = TOGETHER; quotes.length < MAX_QUOTES; ) {
    const others = sections.filter((section) => !quotes.some((quote) => quote.section === section));
    const next = quote(question, others, quotes.length === 0 ? ROOM : { most: left, whole: left });
    if (!next || (quotes.length > 0 && next.text.length > left)) break;
    quotes.push(next);
    left -= next.text.length;
    if (left < SHORTEST) break;
  }
  return quotes;
}

const lengthOf = ({ from, to, lead }: Window): number => to - from + (lead ? lead.to - lead.from : 0);

/** Runs of whole units, and of parts of a unit that is too long or a table. None is longer than its limit but single parts. */
function* windowsOf(
  { text, passages: [{ isFaq }] }: Section,
  units: readonly RatedUnit[],
  { most: usual, whole }: Room,
): Generator<Window> {
  const most = isFaq ? whole : usual;
  for (const [i, unit] of units.entries()) {
    const from = Math.min(unit.from, unit.lead?.from ?? unit.from);
    let chance = 0;
    for (let j = i; j < units.length; j++) {
      const { to } = units[j]!;
      const limit = i === j && unit.kind !== 'text' ? whole : most;
      if (to - from > limit) break;
      chance += units[j]!.chance;
      yield { from, to, chance, limit };
    }
    if (unit.to - from > most || (unit.kind === 'lines' && !isFaq)) yield* windowsIn(text, unit, { most, whole });
  }
}

function* windowsIn(text: string, unit: RatedUnit, { most, whole }: Room): Generator<Window> {
  const { kind, parts, chances, lead } = unit;
  const announces = parts.map(({ from, to }) => isAnnouncing(text.slice(from, to)));
  const limit = kind === 'text' ? most : whole;
  for (const [first, part] of parts.entries()) {
    const isNext = lead && (first === 0 ? lead.to < unit.from : parts[first - 1] === lead);
    const from = isNext ? lead.from : part.from;
    const before = lead && lead.to < from ? lead : undefined;
    const room = most - (before ? before.to - before.from : 0) - MARKS;
    let chance = 0;
    for (let last = first; last < parts.length; last++) {
      const { to } = parts[last]!;
      if (last > first && to - from > room) break;
      chance += chances[last]!;
      const isLast = last === parts.length - 1;
      const isOpen = !isLast && (kind === 'list' || kind === 'code');
      // What it announces would be missing.
      if (isLast || !announces[last]) yield { from, to, lead: before, isOpen, chance, limit };
    }
  }
}

/** Marks of headings within the text go; a text that announces something shows that it goes on. */
function rendered(text: string, { from, to, lead, isOpen, limit }: Window): string {
  const before = lead ? `${text.slice(lead.from, lead.to)}\n\n${GAP}\n\n` : '';
  const room = limit - before.length - MARKS;
  const body = to - from > limit ? shortened(text.slice(from, to), room) : text.slice(from, to).trimEnd();
  const plain = (before + body).replace(/^#{1,6} +/gm, '');
  return isAnnouncing(plain) ? `${plain} ${GAP}` : isOpen ? `${plain}\n\n${GAP}` : plain;
}

/** The whole sentences of a text that fit, or the whole words of an endless one. */
function shortened(text: string, room: number): string {
  const sentences = sentencesIn(text, { from: 0, to: text.length });
  const fitting = sentences.findLast(({ to }) => to <= room);
  if (fitting) return text.slice(0, fitting.to);
  const words = text.slice(0, room).replace(/\s+\S*$/, '');
  return `${words || [...text.slice(0, room)].slice(0, -1).join('')}${GAP}`;
}
