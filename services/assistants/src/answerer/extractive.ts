import { cite, type Passage } from '../domain/cite.ts';
import { contentWords } from '../domain/words.ts';
import type { Answerer } from './answerer.ts';

/** Characters of the excerpts from the best passage and from a second one. */
const FIRST = 600;
const SECOND = 300;
/** A second passage is heard if its score is at least so much of the best one's... */
const CLOSE = 0.9;
/** ...and at most so much of its words were said already. */
const SAME = 0.6;

/** Answers with the sentences of the best passages that share most with the question. No model, no network. */
export function createExtractiveAnswerer(): Answerer {
  return {
    async answer({ question, passages: [best, ...others] }, signal) {
      signal.throwIfAborted();
      const asked = new Set(contentWords(question));
      const statements = [{ text: excerpt(best!.text, asked, FIRST), passages: [best!] }];
      const second = others.find((other) => adds(other, best!, asked));
      if (second) statements.push({ text: excerpt(second.text, asked, SECOND), passages: [second] });
      return cite(statements);
    },
  };
}

function adds(other: Passage, best: Passage, asked: ReadonlySet<string>): boolean {
  if (other.score < best.score * CLOSE) return false;
  const said = new Set(contentWords(best.text));
  const words = contentWords(excerpt(other.text, asked, SECOND));
  const known = words.filter((word) => said.has(word)).length;
  return words.some((word) => asked.has(word)) && known <= words.length * SAME;
}

interface Window {
  text: string;
  /** Words of the question in it, each once, and all. */
  distinct: number;
  total: number;
  /** Sentences before the first one that has a word of the question. */
  lead: number;
}

/**
 * The whole sentences in a row, at most `limit` characters, that have most of the question's words; among equals, those
 * that begin where the question's words do, because what follows tends to be the answer. Without any such word, the start.
 */
export function excerpt(text: string, asked: ReadonlySet<string>, limit: number): string {
  const sentences = sentencesOf(withoutHeadings(text));
  const windows = sentences.map((_, from) => windowFrom(sentences, from, asked, limit));
  const best = windows.reduce((a, b) => (compare(b, a) > 0 ? b : a));
  return cut(best.text.trim(), limit);
}

/** A heading is no sentence; the source names the page. */
const withoutHeadings = (text: string): string => text.replace(/^#{1,6} .*$/gm, '').trim() || text;

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });
const sentencesOf = (text: string): string[] => [...segmenter.segment(text || ' ')].map(({ segment }) => segment);

function windowFrom(sentences: readonly string[], from: number, asked: ReadonlySet<string>, limit: number): Window {
  let text = sentences[from]!;
  let to = from + 1;
  for (; to < sentences.length && (text + sentences[to]).trim().length <= limit; to++) text += sentences[to];
  const hits = sentences.slice(from, to).map((sentence) => contentWords(sentence).filter((word) => asked.has(word)));
  const all = hits.flat();
  const lead = hits.findIndex((words) => words.length > 0);
  return { text, distinct: new Set(all).size, total: all.length, lead: Math.max(lead, 0) };
}

const compare = (a: Window, b: Window): number => a.distinct - b.distinct || a.total - b.total || b.lead - a.lead;

/** A sentence that is too long by itself ends at a word. */
function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const short = text.slice(0, limit - 1);
  return `${short.replace(/\s+\S*$/, '') || short}…`;
}
