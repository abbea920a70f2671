import type { AnswerSettings } from './answer-settings.ts';
import replies from './canned-replies.json' with { type: 'json' };
import { type CitedAnswer, NO_EVIDENCE } from './cite.ts';

/** A message that asks nothing of the knowledge, and the languages in which it says that. */
export interface Talk {
  kind: 'greeting' | 'thanks';
  languages: readonly string[];
}

/** An assistant's own sentences, in one language. */
interface Replies extends Record<Talk['kind'] | 'noEvidence' | 'lowConfidence' | 'seeAlso', string> {
  /** Whole messages of visitors that say no more than this; in the languages of the interface. */
  phrases?: Record<Talk['kind'], string[]>;
}

const REPLIES: ReadonlyMap<string, Replies> = new Map(Object.entries(replies));

/** Languages in which an assistant can speak on its own account. */
export const LANGUAGES = [...REPLIES.keys()];

/** Increases when the same message may get another reply. */
const NAME = 'talk/2';
/** Characters; a greeting is shorter. */
const MAX_LENGTH = 60;

/** Without case, punctuation, accents and vowel signs, and with each letter that is repeated once. */
function plain(message: string): string {
  return message
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}\p{Cf}'’]/gu, '')
    .replaceAll('ß', 'ss')
    .replaceAll('ي', 'ی')
    .replaceAll('ك', 'ک')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .replace(/(\p{L})\1+/gu, '$1')
    .trim();
}

const talk = new Map<string, Talk>();
for (const [language, { phrases }] of REPLIES)
  for (const kind of ['greeting', 'thanks'] as const)
    for (const phrase of phrases?.[kind].map(plain) ?? []) {
      const languages = talk.get(phrase)?.languages ?? [];
      talk.set(phrase, { kind, languages: [...languages, language] });
    }

/** Returns which small talk a message is; undefined if it is more than a greeting or thanks. */
export const talkOf = (message: string): Talk | undefined =>
  message.length > MAX_LENGTH ? undefined : talk.get(plain(message));

const inLanguage = (language = 'en'): Replies => REPLIES.get(language) ?? REPLIES.get('en')!;

/** The reply to small talk: in the visitor's language, if that is known and has such words. */
export function talkAnswer({ kind, languages }: Talk, { greeting }: AnswerSettings, language?: string): CitedAnswer {
  const own = kind === 'greeting' ? greeting : null;
  const spoken = language !== undefined && languages.includes(language) ? language : languages[0];
  return { message: own ?? inLanguage(spoken)[kind], sources: [], cited: [], confidence: null, by: NAME, isTalk: true };
}

/** The answer if the knowledge has none: in the owner's words, or in the language of the question. */
export const noEvidence = ({ no_evidence_message: own }: AnswerSettings, language?: string): CitedAnswer => ({
  ...NO_EVIDENCE,
  message: own ?? inLanguage(language).noEvidence,
});

/** Returns what stands before a quote that may not answer the question. */
export const lowConfidence = (own?: string | null, language?: string): string =>
  own ?? inLanguage(language).lowConfidence;

/** The head of a list of links. */
export const seeAlso = (language?: string): string => inLanguage(language).seeAlso;
