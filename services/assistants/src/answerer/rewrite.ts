import type { Analyzer } from '@parley/language';
import { stripInvisible } from '../domain/markup.ts';
import type { Asked, Rewritten } from './answerer.ts';
import { NOT_IN_KNOWLEDGE, NOTHING_ASKED } from './prompt.ts';

const MAX_QUERY = 500;
/** Labels and quotes that models put around a line. */
const label = /^(?:[-*•]|\d[.)])?\s*(?:\p{L}{2,12}:\s)?["'“”„«»]*\s*/u;
const quotes = /(?<!["'“”«»])["'“”«»]+$/u;

/**
 * Reads how to search for a message: first itself, as one that stands alone, then the same in other languages. Whatever is
 * not about what was said is left out; nothing is left of nonsense but the message.
 */
export function readRewriting(
  written: string,
  { question, history }: Asked,
  languages: readonly string[],
  analyze: Analyzer,
): Rewritten {
  const lines = stripInvisible(written)
    .split('\n')
    .map((line) =>
      line
        .trim()
        .slice(0, MAX_QUERY + 20)
        .replace(label, '')
        .replace(quotes, ''),
    )
    .filter((line) => line !== '' && line.length <= MAX_QUERY && !line.includes(NOT_IN_KNOWLEDGE));
  const [first = '', ...others] = lines;
  const said = new Set(analyze([question, ...history.map(({ message }) => message)].join('\n')));
  const isAbout = analyze(first).some((term) => said.has(term));
  const message = isAbout ? first : question;
  // A model that leaves "no" as it is has found nothing in it to ask.
  const saysNothing = analyze(message).length === 0 && message === question && lines.length === 1;
  const asksNothing = history.length > 0 && (written.includes(NOTHING_ASKED) || (first === question && saysNothing));
  return { queries: asksNothing ? [] : [message, ...(isAbout ? others.slice(0, languages.length) : [])], asksNothing };
}
