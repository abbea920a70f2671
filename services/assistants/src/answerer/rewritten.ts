import { withoutCitations } from '../domain/cite.ts';
import { visible } from '../domain/markup.ts';
import type { Asked } from './answerer.ts';
import { claimsOf } from './claims.ts';
import { contentsOf } from './contents.ts';

const MAX_QUESTION = 500;
/** Share of the words of a rewritten question that nobody has said. */
const NEW_WORDS = 0.34;

/**
 * What a model made of a follow-up, or the follow-up itself if that is not a question about what was said: an answer, a
 * comment, words that came from nowhere.
 */
export function rewritten(written: string, { question, history }: Asked): string {
  const line = visible(written)
    .trim()
    .replace(/^["'“”«]+|["'“”»]+$/g, '')
    .trim();
  if (line === '' || line.includes('\n') || line.length > MAX_QUESTION) return question;
  const { words, names, numbers } = claimsOf(line);
  const said = contentsOf([question, ...history.map(({ message }) => withoutCitations(message))].join('\n'));
  const all = [...words, ...names];
  const foreign = all.filter((forms) => !forms.some((form) => said.forms.has(form))).length;
  const isNew = foreign > all.length * NEW_WORDS || !numbers.every((number) => said.numbers.has(number));
  return all.length === 0 || isNew ? question : line;
}
