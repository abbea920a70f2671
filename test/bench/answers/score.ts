import type { Question } from './questions.ts';

/** What came back for a question. */
export interface Reply {
  message: string;
  sources: { n: number; title: string; url: string }[];
  millis: number;
}

/**
 * Of questions with an answer: correct has every fact, partial has some, wrong has none, refused did not answer. Of questions
 * without: refused, and otherwise answered.
 */
export type Outcome = 'correct' | 'partial' | 'wrong' | 'refused' | 'answered';

export interface Score {
  outcome: Outcome;
  /** Whether the sources' pages hold every fact, as far as their anchors narrow them down. */
  cited: boolean;
  /** Whether a source leads to the very section of a fact, by its anchor; of each section where there are two. */
  citedSection: boolean;
  /** Whether a statement ends with a colon, before what it announces. */
  colon: boolean;
  /** Of the message without its list of sources. */
  length: number;
  millis: number;
}

/** Whether a text holds a fact in any of its wordings, whatever its case, spaces and typographic marks. */
export function holds(text: string, fact: readonly string[]): boolean {
  const plain = normal(text);
  return fact.some((wording) => {
    const pattern = /^\/(.+)\/$/s.exec(wording)?.[1];
    return pattern ? new RegExp(pattern, 'iu').test(plain) : plain.includes(normal(wording));
  });
}

const normal = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u02bc`´]/g, "'")
    .replace(/[\u201c\u201d\u201e]/g, '"')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/\p{Cf}/gu, '')
    .replace(/\s+/g, ' ')
    .toLowerCase();

/** The closing list: a line in any language, then a line for each source. */
const CLOSING = /\n\n[^\n]{1,40}:\n\[1\] [^\n]*(\n\[\d{1,3}\] [^\n]*)*\s*$/;
const MARKS = /[ \t]*(\[\d{1,3}\])+(?=\s|$)/g;

/** A message without its list of sources. */
export const withoutSources = (message: string): string => message.replace(CLOSING, '').trim();

/** Whether any statement, which its marks end, or the whole message ends with a colon. */
export const endsWithColon = (message: string): boolean =>
  /:(?=[ \t]*(\[\d{1,3}\])+(\s|$)|\s*$)/.test(withoutSources(message));

/** Compares a reply with what the question wants. `holdsFact` tells whether the page or section of a url holds a fact. */
export function score(
  question: Question,
  { message, sources, millis }: Reply,
  places: Places,
  refusals: ReadonlySet<string>,
): Score {
  const body = withoutSources(message).replace(MARKS, '').trim();
  const found = question.facts.filter((fact) => holds(body, fact)).length;
  const refused = isRefusal(question, body, sources, refusals);
  const isCited = (section: string) => sources.some(({ url }) => places.leadsTo(url, section));
  const leads = sources.length > 0 && question.facts.length > 0;
  const cited = question.facts.every((fact) => sources.some(({ url }) => places.holds(url, fact)));
  return {
    outcome: outcomeOf(question, found, refused, sources.length > 0),
    cited: leads && cited,
    citedSection:
      leads && (question.kind === 'two' ? question.sections.every(isCited) : question.sections.some(isCited)),
    colon: endsWithColon(message),
    length: body.length,
    millis,
  };
}

/** Small talk is answered without sources, so there only the sentence tells. */
function isRefusal(
  { kind }: Question,
  body: string,
  sources: Reply['sources'],
  refusals: ReadonlySet<string>,
): boolean {
  return refusals.has(body) || (sources.length === 0 && kind !== 'talk');
}

function outcomeOf({ kind, facts }: Question, found: number, refused: boolean, cites: boolean): Outcome {
  if (refused) return 'refused';
  if (kind === 'near' || kind === 'foreign') return 'answered';
  if (kind === 'talk' && cites) return 'wrong';
  if (found === facts.length) return 'correct';
  return found > 0 ? 'partial' : 'wrong';
}

/** What the addresses of sources lead to. */
export interface Places {
  /** Whether the section that a url's anchor names, or its whole page if it has none, holds the fact. */
  holds(url: string, fact: readonly string[]): boolean;
  /** Whether a url's anchor leads to the section (`page#anchor`) or one inside it. */
  leadsTo(url: string, section: string): boolean;
}
