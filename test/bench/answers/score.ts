import { normal } from './normal.ts';
import type { Places } from './places.ts';
import type { Question } from './questions.ts';
import { type Quoted, quotedOf } from './quoted.ts';

/** The reply to a question. */
export interface Reply {
  message: string;
  sources: { n: number; title: string; url: string | null }[];
  /** Null if there is no answer, and if the system doesn't say. */
  confidence: 'high' | 'low' | null;
  millis: number;
}

/**
 * Of questions with an answer: right has every fact, partial has some, wrong has none, refused did not answer. Of questions
 * without: refused, and otherwise answered.
 */
export type Outcome = 'right' | 'partial' | 'wrong' | 'refused' | 'answered';

export interface Score {
  outcome: Outcome;
  /** True if a source leads to a page that answers. */
  cited: boolean;
  /** True if one leads to the very section. */
  citedSection: boolean;
  /** Characters of the message without its lists of links. */
  length: number;
  /** Null where nothing was answered, or nobody has said what is needed. */
  quoted: Quoted | null;
}

/** Returns whether a text holds a fact in any of its wordings, whatever its case, spaces and typographic marks. */
export function holds(text: string, fact: readonly string[]): boolean {
  const plain = normal(text);
  return fact.some((wording) => {
    const pattern = /^\/(.+)\/$/s.exec(wording)?.[1];
    return pattern ? new RegExp(pattern, 'iu').test(plain) : plain.includes(normal(wording));
  });
}

const MARKS = /[ \t]*(\[\d{1,3}\])+(?=\s|$)/g;

/** A message without the lists of links that close it. */
export function withoutLists(message: string): string {
  const blocks = message.trim().split('\n\n');
  while (blocks.length > 1 && isList(blocks.at(-1)!)) blocks.pop();
  return blocks.join('\n\n').trim();
}

/** A short line in any language, then a line for each link. */
function isList(block: string): boolean {
  const [head = '', ...lines] = block.split('\n');
  const isLink = (line: string) => /^\[\d{1,3}\] /.test(line) || (line.startsWith('- ') && line.includes(' - http'));
  return head.length <= 40 && /[:：]\s*$/.test(head) && lines.length > 0 && lines.every(isLink);
}

/** Returns whether any statement, which its marks end, or the whole message ends with a colon. */
export const endsWithColon = (message: string): boolean =>
  /:(?=[ \t]*(\[\d{1,3}\])+(\s|$)|\s*$)/.test(withoutLists(message));

/** Compares a reply with what the question wants. */
export function score(question: Question, reply: Reply, places: Places): Score {
  const { sections, facts, needs } = question;
  const body = withoutLists(reply.message).replace(MARKS, '').trim();
  const found = facts.filter((fact) => holds(body, fact)).length;
  const refused = reply.sources.length === 0 && reply.confidence === null;
  const urls = reply.sources.map(({ url }) => url).filter((url) => url !== null);
  const isCited = (leads: Places['leadsTo']) => urls.some((url) => sections.some((section) => leads(url, section)));
  return {
    outcome: outcomeOf(question, found, refused),
    cited: isCited(places.leadsToPage),
    citedSection: isCited(places.leadsTo),
    length: body.length,
    quoted: refused || needs.length === 0 ? null : quotedOf(statementOf(body, reply), needs),
  };
}

/** An answer that isn't sure begins with a paragraph that says so. */
function statementOf(body: string, { confidence }: Reply): string {
  const end = confidence === 'low' ? body.indexOf('\n\n') : -1;
  return end < 0 ? body : body.slice(end);
}

function outcomeOf({ facts }: Question, found: number, refused: boolean): Outcome {
  if (refused) return 'refused';
  if (facts.length === 0) return 'answered';
  if (found === facts.length) return 'right';
  return found > 0 ? 'partial' : 'wrong';
}
