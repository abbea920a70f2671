import type { Confidence } from './evidence.ts';
import { plainAddress, plainBody, plainTitle } from './markup.ts';

/** A passage that an answer may be based on. */
export interface Passage {
  /** Title of its page, or the question of its FAQ item; may be empty. */
  title: string;
  /** Where a reader finds it; may be empty. */
  url: string;
  text: string;
  score: number;
  /** How likely it answers the question, 0 to 1, by the calibration of its embedding model; 0 if unknown. */
  evidence?: number;
  /** The headings that it stands under, outermost first. */
  headings?: readonly string[];
  /** The part of its page that `text` belongs to: whole blocks; an FAQ item's whole answer. Empty: `text` is all. */
  section?: string;
  /** The same for all passages of one section. */
  sectionId?: string;
  /** BCP 47 tag; empty if unknown. */
  language?: string;
  /** Whether it is an item of an FAQ: `title` is its question, `section` its answer. */
  isFaq?: boolean;
}

export interface Source {
  /** The mark [n] in the answer, counting from 1. */
  n: number;
  title: string;
  url: string;
}

export interface CitedAnswer {
  /** With [n] marks, and a list of the sources at the end if there are any. */
  message: string;
  sources: Source[];
  /** The passages that it cites: none if the knowledge has no answer. */
  cited: readonly CitedPassage[];
  /** Null where there is no answer, or none was needed. */
  confidence: Confidence | null;
  /** Who wrote it, if not the answerer that was asked: its name. */
  by?: string;
  /** Small talk needs no knowledge, and cites nothing. */
  isTalk?: true;
}

/** The same objects that the answerer was given, so that their positions can be found. */
export type CitedPassage = Pick<Passage, 'title' | 'url' | 'headings' | 'isFaq'>;

/** Part of an answer, and the passages that it is based on. */
export interface Statement {
  text: string;
  passages: readonly CitedPassage[];
}

/** The answer if the knowledge has none. */
export const NO_EVIDENCE: CitedAnswer = {
  message: 'I could not find an answer to that in the knowledge I have been given.',
  sources: [],
  cited: [],
  confidence: null,
};

/**
 * Joins statements, each with its marks; sources are numbered in the order of their first citation. Every answer passes
 * through here, so this is where texts, titles and addresses of others become plain text. `more` stands, as it is, between
 * the statements and the list of sources.
 */
export function cite(statements: readonly Statement[], confidence: Confidence = 'high', more = ''): CitedAnswer {
  const sources = new Map<string, Source>();
  const mark = (passage: CitedPassage) => {
    const [title, url] = [sourceTitle(passage), plainAddress(passage.url)];
    // Passages of the same section are one source; a reader could not tell those of one name and address apart either.
    const key = `${url} ${title}`;
    const source = sources.get(key) ?? { n: sources.size + 1, title, url };
    sources.set(key, source);
    return `[${source.n}]`;
  };
  const parts = statements.map(({ text, passages }) => {
    const marks = new Set(passages.map(mark));
    return marked(plainBody(text), [...marks].join(''));
  });
  const list = [...sources.values()];
  const cited = [...new Set(statements.flatMap(({ passages }) => passages))];
  const message = [...parts, more, closing(list)].filter(Boolean).join('\n\n');
  return { message, sources: list, cited, confidence };
}

/** The title of a page, and the heading that a passage stands under. */
export function sourceTitle({ title, headings = [], isFaq = false }: CitedPassage): string {
  const [page, heading] = [plainTitle(title), plainTitle(headings.at(-1) ?? '')];
  const isNew = !isFaq && heading !== '' && !page.toLowerCase().includes(heading.toLowerCase());
  return isNew ? plainTitle([page, heading].filter(Boolean).join(' - ')) : page;
}

const codeAtTheEnd = /(?:^|\n)(?: {4}|\t)[^\n]*$/;

/** Code stays as it is: its marks have a line of their own. */
const marked = (text: string, marks: string): string =>
  [text, marks].filter(Boolean).join(codeAtTheEnd.test(text) ? '\n\n' : ' ');

const CLOSING = 'Sources:';

function closing(sources: readonly Source[]): string {
  if (sources.length === 0) return '';
  const lines = sources.map(({ n, title, url }) => `[${n}] ${[title, url].filter(Boolean).join(' - ') || 'Untitled'}`);
  return [CLOSING, ...lines].join('\n');
}

/** An answer without its marks and its list of sources. */
export function withoutCitations(message: string): string {
  const end = message.lastIndexOf(`\n\n${CLOSING}\n[1] `);
  return (end === -1 ? message : message.slice(0, end)).replace(/(?: |\n\n)(\[\d{1,3}\])+(?=\s|$)/g, '');
}
