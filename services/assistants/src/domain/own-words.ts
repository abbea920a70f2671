import type { AnswerSettings } from './answer-settings.ts';
import { type CitedAnswer, NO_EVIDENCE, type Passage } from './cite.ts';
import type { Language } from './language.ts';
import { SENTENCES } from './sentences.ts';
import { type Talk, talkOf } from './talk.ts';

/** Increases when the same message may get another reply. */
const TALK = 'talk/1';

/** Whether an owner may have written an answer to small talk: what the assistant is. */
export const mayHaveAnswer = ({ kind }: Talk): boolean => kind === 'identity';

/** Whether a passage is an FAQ item for just this: its question is about the assistant, too. */
export const answersTalk = ({ kind }: Talk, { isFaq, title }: Pick<Passage, 'isFaq' | 'title'>): boolean =>
  isFaq === true && talkOf(title)?.kind === kind;

/** The reply to small talk. */
export function talkAnswer({ kind, language }: Talk, { greeting }: AnswerSettings): CitedAnswer {
  const message = kind === 'greeting' && greeting !== null ? greeting : SENTENCES[language][kind];
  return { message, sources: [], cited: [], by: TALK, isTalk: true };
}

/** The answer if the knowledge has none: in the owner's words, or in the language of the question. */
export const noEvidence = ({ no_evidence_message: own }: AnswerSettings, language: Language = 'en'): CitedAnswer => ({
  ...NO_EVIDENCE,
  message: own ?? SENTENCES[language].noEvidence,
});
