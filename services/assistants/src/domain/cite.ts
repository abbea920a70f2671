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
  /** How likely it is about the subject of the question at all, 0 to 1; a weaker claim than `evidence`. */
  relatedness?: number;
  /** The headings that it stands under, outermost first. */
  headings?: readonly string[];
  /** The part of its page that `text` belongs to: whole blocks; an FAQ item's whole answer. Empty: `text` is all. */
  section?: string;
  /** The same for all passages of one section. */
  sectionId?: string;
  /** BCP 47 tag; empty if unknown. */
  language?: string;
  /** True if it is an item of an FAQ: `title` is its question, `section` its answer. */
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

/** The sources of an answer, numbered in the order of their first citation. */
export function createCitations() {
  const sources = new Map<string, Source>();
  const cited = new Set<CitedPassage>();
  return {
    /** The mark of a passage, such as `[1]`. Passages of one section share it, and so do those of one name and address. */
    mark(passage: CitedPassage): string {
      const [title, url] = [sourceTitle(passage), plainAddress(passage.url)];
      const key = `${url} ${title}`;
      const source = sources.get(key) ?? { n: sources.size + 1, title, url };
      sources.set(key, source);
      cited.add(passage);
      return `[${source.n}]`;
    },
    sources: (): Source[] => [...sources.values()],
    /** The answer with a text that has its marks. `more` stands between it and the list of sources. */
    answer(text: string, confidence: Confidence, more = ''): CitedAnswer {
      const list = [...sources.values()];
      const message = [text, more, closing(list)].filter(Boolean).join('\n\n');
      return { message, sources: list, cited: [...cited], confidence };
    },
  };
}

/** Joins statements, each with its marks. This is where texts of others become plain text. */
export function cite(statements: readonly Statement[], confidence: Confidence = 'high', more = ''): CitedAnswer {
  const citations = createCitations();
  const parts = statements.map(({ text, passages }) =>
    marked(plainBody(text), [...new Set(passages.map(citations.mark))].join('')),
  );
  return citations.answer(parts.filter(Boolean).join('\n\n'), confidence, more);
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

/** An answer without its list of sources. */
export function withoutSources(message: string): string {
  const end = message.lastIndexOf(`\n\n${CLOSING}\n[1] `);
  return end === -1 ? message : message.slice(0, end);
}

/** An answer without its marks and its list of sources. */
export const withoutCitations = (message: string): string =>
  withoutSources(message).replace(/(?: |\n\n|(?<![\w\])}]))(?:\[\d{1,3}\])+/g, '');
