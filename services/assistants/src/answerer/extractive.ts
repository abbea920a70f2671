import { lowConfidence, seeAlso } from '../domain/canned-replies.ts';
import { type CitedAnswer, cite, NO_EVIDENCE, type Passage, sourceTitle } from '../domain/cite.ts';
import { type Confidence, confidenceOf } from '../domain/evidence.ts';
import { plainAddress } from '../domain/markup.ts';
import { quote, quoteSome } from '../domain/quote.ts';
import { type Section, sectionsOf } from '../domain/sections.ts';
import type { Answerer, Question } from './answerer.ts';

/** Increases when the same question and passages may get another answer. */
const NAME = 'extractive/4';
/** Sections that an answer quotes or links. */
const MAX_SECTIONS = 3;

/** Answers with the shortest part of a section that says it. No model, no network. */
export function createExtractiveAnswerer(): Answerer {
  return {
    name: NAME,
    async answer(question, signal) {
      signal.throwIfAborted();
      return quoted(question);
    },
  };
}

/**
 * The best quote from the passages that have evidence, or the best two where it is unsure of it, and links to other sections
 * that may help.
 *
 * @param most how sure it may be: `low` if something else says that the passages hardly answer.
 */
export function quoted(
  { question, searched = question, passages, language, lowConfidence: own }: Question,
  most: Confidence = 'high',
): CitedAnswer {
  // Among many passages some look like an answer by chance: the best one decides whether there is one.
  const worthQuoting = passages.slice(0, 1).some(isEvidence) ? passages.filter(isEvidence) : [];
  const sections = sectionsOf(worthQuoting);
  const found = quote(searched, sections);
  if (!found) return NO_EVIDENCE;
  const isSure = most === 'high' && found.section.passages.some((passage) => confidenceOf(passage) === 'high');
  const said = isSure ? [found] : quoteSome(searched, sections);
  const statements = said.map(({ text, section }) => ({ text, passages: section.passages }));
  const quoted = said.map(({ section }) => section);
  const answer = cite(statements, isSure ? 'high' : 'low', links(quoted, sections, language));
  return isSure ? answer : { ...answer, message: `${lowConfidence(own, language)}\n\n${answer.message}` };
}

const isEvidence = (passage: Passage): boolean => confidenceOf(passage) !== null;

function links(quoted: readonly Section[], sections: readonly Section[], language: string | undefined): string {
  const line = ({ passages: [passage] }: Section) => {
    const url = plainAddress(passage.url);
    return url === '' ? [] : [`- ${[sourceTitle(passage), url].filter(Boolean).join(' - ')}`];
  };
  const own = new Set(quoted.flatMap(line));
  const others = [...new Set(sections.flatMap(line))]
    .filter((other) => !own.has(other))
    .slice(0, MAX_SECTIONS - quoted.length);
  return others.length === 0 ? '' : [`${seeAlso(language)}:`, ...others].join('\n');
}
