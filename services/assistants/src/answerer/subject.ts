import { formsOf, normal, wordsOf } from './claims.ts';
import { contentsOf } from './contents.ts';
import type { Quotation } from './quotation.ts';
import type { Shown } from './shown.ts';

/** Share of the question's words, weighted by rarity, that the quotes and their headings must have... */
const SHARED = 0.26;
/** ...where a word that only the rest of the section has counts as much less: a sentence says "it" of what went before. */
const NEARBY = 0.5;
/** Evidence that a passage answers a question, perhaps in other words. */
const STRONG = 0.7;
/** Words of questions about anything. */
const GENERIC = new Set(
  (
    'much many long often far big large old kind sort way thing something anything someone tell know find want need get got ' +
    'make possible please lange viel viele oft weit groß gibt kann man'
  ).split(' '),
);

/** Whether the search is sure that a part of a page answers the question. */
export const isStrong = ({ passages }: Shown): boolean => passages.some(({ evidence = 0 }) => evidence >= STRONG);

/**
 * Whether quotes have the subject of a question, rather than a word that it shares with everything. A word counts more the
 * fewer passages have it, and most if none has.
 */
export function isAboutQuestion(question: string, quotations: readonly Quotation[], shown: readonly Shown[]): boolean {
  if (quotations.some(({ shown }) => isStrong(shown))) return true;
  const words = wordsOf(normal(question))
    .filter((word) => !GENERIC.has(word.toLowerCase()))
    .map(formsOf)
    .filter((forms) => forms.length > 0);
  if (words.length === 0) return true;
  const formsIn = (text: string) => contentsOf(text).forms;
  const quoted = formsIn(quotations.map(({ text, shown: { under } }) => `${under}\n${text}`).join('\n'));
  const nearby = formsIn(quotations.map(({ shown: { text } }) => text).join('\n'));
  const all = shown.map(({ under, text }) => formsIn(`${under}\n${text}`));
  const has = (known: ReadonlySet<string>, forms: string[]) => forms.some((form) => known.has(form));
  let [shared, total] = [0, 0];
  for (const forms of words) {
    const weight = Math.log(1.5 + all.length / (0.5 + all.filter((known) => has(known, forms)).length));
    total += weight;
    shared += weight * (has(quoted, forms) ? 1 : has(nearby, forms) ? NEARBY : 0);
  }
  return shared >= SHARED * total;
}
