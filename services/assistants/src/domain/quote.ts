import { type Block, isAnnouncing, piecesOf, type Unit, unitsOf } from './blocks.ts';
import type { WordsOf } from './words.ts';

/** What a quote should answer. */
export interface Wanted {
  /** The words of the question, with their weights. */
  words: ReadonlyMap<string, number>;
  wordsOf: WordsOf;
  /** The parts of the text that the search found, best first. */
  found: readonly string[];
  /** The longest quote, in characters. */
  limit: number;
}

const GAP = '…';
/** Values of a window: all of the question's words that the text has; what was found; the number of words of the question. */
const FOUND = 1.5;
const OFTEN = 0.1;
/** A window that begins with words that refer to what stands before it. */
const DEPENDENT = 0.15;
/** A window at the beginning of a section: that answers its heading, and the rest goes into details. */
const BEGINNING = 0.3;
/** Each unit before the first that has to do with the question. */
const LEAD = 0.02;
/** The first part of a unit that is too long leads into it, unless it is longer than this share of the limit. */
const LEAD_IN = 0.4;

/**
 * The part of a text that answers a question: all of it if it is short enough, else the run of whole blocks that says most
 * about it. Only a block that is too long by itself is cut, between its items or sentences, and shows it by an ellipsis.
 */
export function quote(text: string, wanted: Wanted): string {
  const body = withoutHeadings(text);
  if (body.length <= wanted.limit) return finished(body);
  const units = unitsOf(body);
  const best = bestWindow(body, units, wanted);
  if (best.last === undefined) return finished(cutUnit(body, units[best.first]!, wanted));
  return finished(body.slice(beginning(units, best.first, best.last, wanted.limit), units[best.last]!.to));
}

interface Place {
  from: number;
  to: number;
}

/** A run of whole units that fits into the limit. */
interface Window {
  first: number;
  /** Undefined if even the first unit is too long. */
  last: number | undefined;
}

const leading = /^(?:\s*#{1,6} [^\n]*(?:\n|$))+/;
/** The source names the headings of a text. */
const withoutHeadings = (text: string): string =>
  text
    .replace(leading, '')
    .trimEnd()
    .replace(/^\s*\n/, '') || text.trim();

/** Marks of headings within the text go; a text that announces something shows that it goes on. */
function finished(quoted: string): string {
  const plain = quoted.replace(/^#{1,6} +/gm, '').trimEnd();
  return isAnnouncing(plain) ? `${plain} ${GAP}` : plain;
}

function placesOf(text: string, found: readonly string[]): Place[] {
  return found.flatMap((part) => {
    const bare = withoutHeadings(part).trim();
    const from = bare === '' ? -1 : text.indexOf(bare);
    return from === -1 ? [] : [{ from, to: from + bare.length }];
  });
}

/** Looks at each word once, however many windows share it: an owner's FAQ answer has up to 50,000 characters. */
function bestWindow(text: string, units: readonly Unit[], wanted: Wanted): Window {
  const { words, found, limit } = wanted;
  const hits = units.map(({ from, to }) => hitsIn(text.slice(from, to), wanted));
  const all = sum(new Set(hits.flat()), words);
  const places = placesOf(text, found);
  const within = createTally(words);
  let best: Window & { value: number } = { first: 0, last: undefined, value: Number.NEGATIVE_INFINITY };
  for (let first = 0, next = 0, hit = 0; first < units.length; first++) {
    const { from, to } = units[first]!;
    while (next < units.length && (next <= first || units[next]!.to - from <= limit)) within.add(hits[next++]!);
    hit = Math.max(hit, first);
    while (hit < units.length && hits[hit]!.length === 0) hit++;
    const isTooLong = to - from > limit;
    const end = isTooLong ? from + limit : units[next - 1]!.to;
    const said = isTooLong ? createTally(words).add(hitsIn(text.slice(from, end), wanted)) : within;
    const value =
      (all === 0 ? 0 : said.weight() / all) +
      FOUND * overlap(places, from, end) +
      OFTEN * Math.min(said.count() / 10, 1) +
      (first === 0 ? BEGINNING : 0) -
      LEAD * (hit < next ? hit - first : 0) -
      (first > 0 && isDependent(text.slice(from, from + 40)) ? DEPENDENT : 0);
    if (value > best.value) best = { first, last: isTooLong ? undefined : next - 1, value };
    within.remove(hits[first]!);
  }
  return best;
}

/** Counts the words of the question in a window that moves. */
function createTally(words: Wanted['words']) {
  const counts = new Map([...words.keys()].map((word) => [word, 0]));
  let total = 0;
  const change = (hits: readonly string[], by: 1 | -1) => {
    for (const hit of hits) counts.set(hit, counts.get(hit)! + by);
    total += by * hits.length;
  };
  const tally = {
    add(hits: readonly string[]) {
      change(hits, 1);
      return tally;
    },
    remove: (hits: readonly string[]) => change(hits, -1),
    /** All occurrences. */
    count: () => total,
    /** Of the distinct words. */
    weight: () =>
      sum(
        [...words.keys()].filter((word) => counts.get(word)! > 0),
        words,
      ),
  };
  return tally;
}

const hitsIn = (text: string, { words, wordsOf }: Asked): string[] => wordsOf(text).filter((word) => words.has(word));

type Asked = Pick<Wanted, 'words' | 'wordsOf'>;

function sum(hits: Iterable<string>, words: Wanted['words']): number {
  let total = 0;
  for (const word of hits) total += words.get(word)!;
  return total;
}

/** Share of what was found that a window has; the best passage counts most. */
function overlap(places: readonly Place[], from: number, to: number): number {
  let [shared, all] = [0, 0];
  for (const [rank, place] of places.entries()) {
    const weight = 1 / (rank + 1);
    const common = Math.max(0, Math.min(place.to, to) - Math.max(place.from, from));
    shared += (weight * common) / (place.to - place.from);
    all += weight;
  }
  return all === 0 ? 0 : shared / all;
}

/** Words that refer to what was said before, at the beginning of a sentence. */
const REFERRING = new Set(
  (
    'it its this that these those they them he she however otherwise instead also but and or so then therefore ' +
    'es sie er dies diese dieser dieses das jedoch sonst dann il elle ils elles cela ce cette ces mais ' +
    'este esta esto eso pero isso questo questa quello dit deze это этот она они'
  ).split(' '),
);

function isDependent(beginning: string): boolean {
  const [word = ''] = /[\p{L}\p{N}]+/u.exec(beginning) ?? [];
  return /^\s*\p{Ll}/u.test(beginning) || REFERRING.has(word.toLowerCase());
}

/** What stands before a window is added as far as there is room: it introduces what follows. */
function beginning(units: readonly Unit[], first: number, last: number, limit: number): number {
  const { to } = units[last]!;
  let start = first;
  while (start > 0 && to - units[start - 1]!.from <= limit) start--;
  return units[start]!.from;
}

/** The lead-in of a unit, and of the rest the run of whole pieces that says most about the question. */
function cutUnit(text: string, unit: Unit, wanted: Wanted): string {
  const { limit } = wanted;
  const [first, ...others] = unit.blocks as [Block, ...Block[]];
  const hasLeadIn = others.length > 0 && first.to - first.from <= limit * LEAD_IN;
  const pieces = (hasLeadIn ? others : unit.blocks).flatMap((block) => piecesOf(text, block));
  const lead = hasLeadIn ? text.slice(first.from, first.to) : '';
  const room = Math.max(1, limit - lead.length - 2 * (GAP.length + 2));
  const run = bestRun(text, pieces, wanted, room);
  const quoted =
    run.to - run.from <= room ? text.slice(run.from, run.to) : shortened(text.slice(run.from, run.to), room);
  const isFromStart = run.from === pieces[0]!.from;
  const isToEnd = run.to === pieces.at(-1)!.to && quoted.length === run.to - run.from;
  return [lead, ...(isFromStart ? [] : [GAP]), quoted, ...(isToEnd || quoted.endsWith(GAP) ? [] : [GAP])]
    .filter(Boolean)
    .join('\n\n');
}

/**
 * The run of pieces that fit into the room with most words of the question. Of equals, the one that begins a piece before
 * those words, because what follows them tends to be the answer; without any such word, the first.
 */
function bestRun(text: string, pieces: readonly Place[], asked: Asked, room: number): Place {
  const values = pieces.map(({ from, to }) => sum(new Set(hitsIn(text.slice(from, to), asked)), asked.words));
  const runs: { value: number; from: number; to: number }[] = [];
  for (let first = 0, end = 0, value = 0; first < pieces.length; first++) {
    const { from } = pieces[first]!;
    for (; end < pieces.length && (end === first || pieces[end]!.to - from <= room); end++) value += values[end]!;
    runs.push({ value, from, to: pieces[end - 1]!.to });
    value -= values[first]!;
  }
  const most = Math.max(...runs.map((run) => run.value));
  if (most <= 0) return runs[0]!;
  // Sums of the same numbers in another order differ by rounding.
  const isBest = (run: { value: number } | undefined) => run !== undefined && run.value >= most - 1e-9;
  const last = runs.findLastIndex(isBest);
  return isBest(runs[last - 1]) ? runs[last - 1]! : runs[last]!;
}

/** Cuts a single sentence that is too long at a word boundary. */
function shortened(text: string, limit: number): string {
  const short = text.slice(0, Math.max(1, limit - GAP.length));
  return `${short.replace(/\s+\S*$/, '') || short}${GAP}`;
}
