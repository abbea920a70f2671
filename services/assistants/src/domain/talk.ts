import { folded } from './fold.ts';
import { isLanguage, type Language } from './language.ts';
import { PHRASES, type Phrases } from './talk-phrases.ts';

/** What a message is that asks nothing of the knowledge. */
export interface Talk {
  kind: Exclude<keyof Phrases, 'filler'>;
  language: Language;
}

/** Longer messages are questions. */
const MAX_LENGTH = 150;
/** The first of them that a message has is what to reply to: "Hi, who are you?" is about the assistant. */
const KINDS = ['identity', 'farewell', 'thanks', 'greeting'] as const;

/** Which languages have a phrase, by what it means. */
const meanings = new Map<string, Partial<Record<keyof Phrases, Language[]>>>();
let longest = 0;
for (const [language, phrases] of Object.entries(PHRASES)) {
  for (const [kind, list] of Object.entries(phrases) as [keyof Phrases, string][]) {
    for (const phrase of list.split('|')) {
      const words = wordsOf(phrase);
      longest = Math.max(longest, words.length);
      const meaning = meanings.get(words.join(' ')) ?? {};
      meanings.set(words.join(' '), meaning);
      if (isLanguage(language)) meaning[kind] = [...(meaning[kind] ?? []), language];
    }
  }
}

/**
 * What kind of small talk a message is: a greeting, thanks, a farewell, or a question about the assistant itself. Undefined
 * if it says anything besides, such as a question after a greeting.
 */
export function talkOf(message: string): Talk | undefined {
  if (message.length > MAX_LENGTH) return undefined;
  const found = phrasesOf(wordsOf(message));
  if (!found) return undefined;
  const kind = KINDS.find((kind) => found.some((meaning) => meaning[kind]));
  return kind && { kind, language: commonLanguage(found, kind) };
}

type Meaning = Partial<Record<keyof Phrases, Language[]>>;

/** The meanings of phrases that make up the words without a rest. The longest phrases count. */
function phrasesOf(words: readonly string[]): Meaning[] | undefined {
  const found: Meaning[] = [];
  for (let at = 0; at < words.length; ) {
    let length = Math.min(longest, words.length - at);
    while (length > 0 && !meanings.has(words.slice(at, at + length).join(' '))) length--;
    if (length === 0) return undefined;
    found.push(meanings.get(words.slice(at, at + length).join(' '))!);
    at += length;
  }
  return found.length > 0 ? found : undefined;
}

/** The language that most phrases share; of equals, the first that has the phrase of this kind. */
function commonLanguage(found: readonly Meaning[], kind: Talk['kind']): Language {
  const candidates = found.flatMap((meaning) => meaning[kind] ?? []);
  const votes = (language: Language) =>
    found.filter((meaning) => Object.values(meaning).some((languages) => languages.includes(language))).length;
  return candidates.reduce((best, next) => (votes(next) > votes(best) ? next : best));
}

/** Without punctuation, apostrophes, vowel signs and stretched letters; ideographs are words of their own. */
function wordsOf(text: string): string[] {
  const plain = folded(text)
    .replace(/['’ʼ`´]/g, '')
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .replace(/[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/gu, ' $& ');
  return plain.match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}
