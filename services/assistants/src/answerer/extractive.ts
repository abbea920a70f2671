import { choose } from '../domain/choose.ts';
import { type CitedAnswer, cite, NO_EVIDENCE, type Statement } from '../domain/cite.ts';
import { quote } from '../domain/quote.ts';
import type { Answerer, Question } from './answerer.ts';

/**
 * Characters. A reader takes in 2,000, a screenful, at a glance; three of four sections of documentation are shorter, and
 * are quoted whole.
 */
const FIRST = 2_000;
/** The same, of each of several questions. */
const OF_SEVERAL = 1_500;
/** Further sections are quoted for what the first one lacks, or because they may be the ones that answer. */
const FURTHER = 1_000;
/** An owner wrote the answer of an FAQ item to be read as a whole. */
const FAQ = 10_000;

/** Increases when the same question and passages may get another answer. */
const NAME = 'extractive/3';

/** Answers with the sections of the best passages, or with the part of them that answers. No model, no network. */
export function createExtractiveAnswerer(): Answerer {
  return {
    name: NAME,
    async answer(question, signal) {
      signal.throwIfAborted();
      return quoted(question);
    },
  };
}

/** The passages themselves as an answer. */
export function quoted({ question, searched = question, passages, parts = [] }: Question): CitedAnswer {
  const { sections, main, words, wordsOf } = choose(searched, passages, parts);
  const statements = sections.flatMap(({ text, passages }, i): Statement[] => {
    const limit = passages[0]!.isFaq ? FAQ : i >= main ? FURTHER : main > 1 ? OF_SEVERAL : FIRST;
    const said = quote(text, { words, wordsOf, found: passages.map((passage) => passage.text), limit });
    return said.trim() === '' ? [] : [{ text: said, passages }];
  });
  return statements.length > 0 ? cite(statements) : NO_EVIDENCE;
}
