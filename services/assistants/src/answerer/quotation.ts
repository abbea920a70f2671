import { segmentsOf } from '@parley/language';
import type { Shown } from './shown.ts';

/** Whole sentences of what was shown, or a whole list with the sentence that introduces it. */
export interface Quotation {
  shown: Shown;
  /** Where it stands in the text shown. */
  from: number;
  to: number;
  text: string;
}

/** Characters. A list or a piece of code that is longer is not added to its sentence. */
const MAX_LIST = 2_000;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** The smallest run of whole sentences around a part of the text shown. */
export function quotationAt(shown: Shown, from: number, to: number): Quotation {
  const units = unitsOf(shown.text);
  const first = Math.max(
    units.findLastIndex((unit) => unit.from <= from),
    0,
  );
  let last = units.findIndex((unit) => unit.to >= to);
  if (last === -1) last = units.length - 1;
  // What introduces something is nothing without it.
  while (last < units.length - 1 && units[last]!.text.endsWith(':')) last++;
  const [start, end] = [units[first]?.from ?? 0, units[last]?.to ?? shown.text.length];
  return { shown, from: start, to: end, text: shown.text.slice(start, end).trim() };
}

/** Those of one text in its order, merged where they overlap or touch. */
export function merged(quotations: readonly Quotation[]): Quotation[] {
  const texts = [...new Set(quotations.map(({ shown }) => shown))];
  return texts.flatMap((shown) => {
    const done: Quotation[] = [];
    for (const next of quotations.filter((one) => one.shown === shown).sort((a, b) => a.from - b.from)) {
      const before = done.at(-1);
      const touches = before && shown.text.slice(before.to, next.from).trim() === '';
      if (touches) done.pop();
      const [from, to] = touches ? [before.from, Math.max(before.to, next.to)] : [next.from, next.to];
      done.push({ shown, from, to, text: shown.text.slice(from, to).trim() });
    }
    return done;
  });
}

interface Unit {
  from: number;
  to: number;
  text: string;
}

type Kind = 'prose' | 'list' | 'code';

interface Block {
  kind: Kind;
  from: number;
  to: number;
  /** Where its lines or items begin. */
  starts: number[];
}

/** The sentences of a text. A list or code is one with the line that introduces it: alone, an item may say the opposite. */
export function unitsOf(text: string): Unit[] {
  const units: Unit[] = [];
  for (const block of blocksOf(text)) {
    const previous = units.at(-1);
    if (block.kind === 'prose') units.push(...sentencesOf(text, block));
    else if (previous?.text.endsWith(':') && block.to - previous.from <= MAX_LIST)
      units.splice(-1, 1, unitAt(text, previous.from, block.to));
    else if (block.to - block.from <= MAX_LIST) units.push(unitAt(text, block.from, block.to));
    else
      for (const [i, from] of block.starts.entries()) units.push(unitAt(text, from, block.starts[i + 1] ?? block.to));
  }
  return units.filter((unit) => unit.text !== '');
}

const unitAt = (text: string, from: number, to: number): Unit => ({ from, to, text: text.slice(from, to).trim() });

const item = /^\s*(?:[-*•–+]|\d{1,3}[.)]|[a-z][.)])\s+/iu;
const fenceLine = /^\s*(?:```|~~~)/;

function blocksOf(text: string): Block[] {
  const blocks: Block[] = [];
  let [fenced, apart] = [false, true];
  let before = '';
  for (const { 0: line, index: from } of text.matchAll(/[^\n]+|\n(?=\n)/g)) {
    if (line.trim() === '') {
      apart = true;
      continue;
    }
    const last = blocks.at(-1);
    const isFence = fenceLine.test(line);
    const kind = fenced || isFence ? 'code' : kindOf(line, last);
    const goesOn = kind === 'prose' ? !apart && isWrapped(before, line) : true;
    if (last?.kind === kind && goesOn) {
      last.to = from + line.length;
      if (kind === 'code' || item.test(line)) last.starts.push(from);
    } else blocks.push({ kind, from, to: from + line.length, starts: [from] });
    if (isFence) fenced = !fenced;
    [apart, before] = [false, line];
  }
  return blocks;
}

/** What is indented belongs to the list before it. */
function kindOf(line: string, last: Block | undefined): Kind {
  if (item.test(line)) return 'list';
  if (!/^(?:\s{2}|\t)/.test(line)) return 'prose';
  return last?.kind === 'list' ? 'list' : /^(?:\s{4}|\t)/.test(line) ? 'code' : 'prose';
}

/** A line that is long enough to have been wrapped. */
const WRAPPED = 40;

/** Whether a sentence goes on in the next line, as in text files. Cells of a table don't. */
const isWrapped = (line: string, next: string): boolean =>
  line.length >= WRAPPED && !/[.!?:;|…]\s*$/.test(line) && !next.includes('|');

function sentencesOf(text: string, { from, to }: Block): Unit[] {
  // The segmenter ends a sentence at every line break.
  const line = text.slice(from, to).replaceAll('\n', ' ');
  return segmentsOf(segmenter, line).map((sentence) =>
    unitAt(text, from + sentence.from, from + sentence.from + sentence.text.length),
  );
}
