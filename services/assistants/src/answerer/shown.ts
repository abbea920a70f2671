import { estimateTokens } from '@parley/runtime';
import type { Passage } from '../domain/cite.ts';
import { plainTitle, stripInvisible } from '../domain/markup.ts';

/** Part of a page as the model sees it. */
export interface Shown {
  /** The passages of it that were found, best first; at least one. */
  passages: readonly Passage[];
  /** Title and headings, in one line. */
  under: string;
  text: string;
}

const MAX_SECTIONS = 24;
/** Separates two parts of a section that are not adjacent. */
const GAP = '\n\n…\n\n';

/** Sections that are shown whole before others are shown at all. */
const BEST = 8;

/**
 * Selects the text of a prompt from the passages, within a number of tokens: each section once, best first. What was found of the best
 * ones comes before the rest of them, so that a long section does not displace another, and then what else was found. The
 * best passage is cut to fit, if it must be.
 */
export function showPassages(passages: readonly Passage[], tokens: number): Shown[] {
  const groups = new Map<unknown, Passage[]>();
  for (const passage of passages) {
    const key = passage.sectionId || passage;
    groups.set(key, [...(groups.get(key) ?? []), passage]);
  }
  const shown: Shown[] = [];
  let left = tokens;
  const show = (group: readonly Passage[]) => {
    const part = { under: underOf(group[0]!), passages: group, text: joined(group.map(({ text }) => bodyOf(text))) };
    const cost = estimateTokens(textOfShown(part, 99));
    if (cost <= left) {
      shown.push(part);
      left -= cost;
    } else if (shown.length === 0) {
      shown.push({ ...part, text: cutTo(part.text, left) });
      left = 0;
    }
  };
  const complete = (part: Shown) => {
    const text = sectionOf(part.passages);
    const more = estimateTokens(text) - estimateTokens(part.text);
    if (text.length <= part.text.length || more > left) return;
    part.text = text;
    left -= more;
  };
  const all = [...groups.values()].slice(0, MAX_SECTIONS);
  for (const some of [all.slice(0, BEST), all.slice(BEST)]) {
    some.forEach(show);
    shown.forEach(complete);
  }
  return shown;
}

/** A line of a page that could be mistaken for the number of a passage. */
const numberLine = /^[ \t]*\[(\d+)\][ \t]*$/gm;

/** A part as it stands in a prompt, under its number. */
export const textOfShown = ({ under, text }: Shown, n: number): string =>
  `[${n}]\n${under}\n${text.replace(numberLine, '($1)')}\n\n`;

function underOf({ title, headings = [] }: Passage): string {
  const line = [title, ...headings].map(plainTitle).filter(Boolean);
  return line.filter((heading, i) => heading !== line[i - 1]).join(' - ');
}

const bodyOf = (text: string): string => stripInvisible(text).trim();

/** The sections of a long one's passages differ: each is the part around its passage. */
const sectionOf = (group: readonly Passage[]): string =>
  joined(group.flatMap(({ section, text }) => [...(section ? [bodyOf(section)] : []), bodyOf(text)]));

/** Joins texts, without those that are part of another. */
function joined(texts: readonly string[]): string {
  const whole = texts.filter(
    (text, i) => !texts.some((other, j) => other.includes(text) && (other.length > text.length || j < i)),
  );
  return whole.join(GAP);
}

/** Cuts a text at the end of a word. */
function cutTo(text: string, tokens: number): string {
  let end = text.length;
  while (end > 0 && estimateTokens(text.slice(0, end)) > tokens) end = Math.floor(end * 0.9);
  return text.slice(0, end).replace(/\s+\S*$/, '');
}
