import type { Passage } from '../domain/cite.ts';
import { plainTitle, visible } from '../domain/markup.ts';
import { estimateTokens } from './tokens.ts';

/** Part of a page as the model sees it. */
export interface Shown {
  /** The passages of it that were found, best first; at least one. */
  passages: readonly Passage[];
  /** Title and headings, in one line. */
  under: string;
  text: string;
}

/** What separates two parts of a section that are not adjacent. */
const GAP = '\n\n…\n\n';

/**
 * What a prompt shows of the passages within a number of tokens: each section once, best first. All that were found come
 * before whole sections, so that a long section does not displace another. The best passage is cut to fit, if it must be.
 */
export function showPassages(passages: readonly Passage[], tokens: number): Shown[] {
  const groups = bySection(passages);
  const shown: (Shown & { group: readonly Passage[] })[] = [];
  let left = tokens;
  for (const group of groups) {
    const part = { under: underOf(group[0]!), passages: group, text: foundOf(group), group };
    const cost = costOf(part);
    if (cost <= left) {
      shown.push(part);
      left -= cost;
    } else if (shown.length === 0) {
      shown.push({ ...part, text: cutTo(part.text, left) });
      left = 0;
    }
  }
  for (const part of shown) {
    const text = sectionOf(part.group);
    const more = estimateTokens(text) - estimateTokens(part.text);
    if (text.length <= part.text.length || more > left) continue;
    part.text = text;
    left -= more;
  }
  return shown.map(({ group: _, ...part }) => part);
}

function bySection(passages: readonly Passage[]): Passage[][] {
  const groups = new Map<unknown, Passage[]>();
  for (const passage of passages) {
    const key = passage.sectionId || passage;
    const group = groups.get(key);
    if (group) group.push(passage);
    else groups.set(key, [passage]);
  }
  return [...groups.values()];
}

const costOf = ({ under, text }: Pick<Shown, 'under' | 'text'>): number => estimateTokens(`(${under})\n${text}\n\n`);

/** Headings that begin the text of a passage, as trainings of earlier versions stored them. */
const leading = /^(?:#{1,6} .*\n+)*/;

function underOf({ title, text, headings = [] }: Passage): string {
  const old = leading
    .exec(visible(text))![0]
    .split('\n')
    .map((line) => line.replace(/^#+ /, '').trim());
  const line = [title, ...headings, ...old].map(plainTitle).filter(Boolean);
  return line.filter((heading, i) => heading !== line[i - 1]).join(' - ');
}

const bodyOf = (text: string): string => {
  const whole = visible(text);
  return whole.replace(leading, '').trim() || whole.trim();
};

const foundOf = (group: readonly Passage[]): string => joined(group.map(({ text }) => bodyOf(text)));

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
