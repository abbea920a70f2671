import { normaliseText } from './normalise.ts';
import { LISTED_LANGUAGES, languagesWith } from './stop-words.ts';

const SAMPLE_CHARACTERS = 4_000;
const ADDRESS = /\bhttps?:\S*|\bwww\.\S*/giu;
/** From that many characters on, what a text says outweighs what its page declares: templates declare English. */
const ENOUGH_CHARACTERS = 200;
/** By how much the most likely language must exceed the next. */
const MARGIN = 1.3;
/** The same, to contradict a declaration. */
const SURE_MARGIN = 3;

/** Scripts that tell the language, or that few languages share: the most common one then. */
const SCRIPTS: [RegExp, string][] = [
  [/[\p{Script=Hiragana}\p{Script=Katakana}]/gu, 'ja'],
  [/\p{Script=Hangul}/gu, 'ko'],
  [/\p{Script=Han}/gu, 'zh'],
  [/\p{Script=Thai}/gu, 'th'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Hebrew}/gu, 'he'],
  [/\p{Script=Armenian}/gu, 'hy'],
  [/\p{Script=Georgian}/gu, 'ka'],
  [/\p{Script=Tamil}/gu, 'ta'],
  [/\p{Script=Bengali}/gu, 'bn'],
];
const SHARED_SCRIPTS: [RegExp, readonly string[]][] = [
  [/\p{Script=Arabic}/gu, ['fa', 'ar', 'ur']],
  [/\p{Script=Cyrillic}/gu, ['ru', 'uk']],
  [/\p{Script=Devanagari}/gu, ['hi']],
];
const OF_SHARED_SCRIPTS = new Set(SHARED_SCRIPTS.flatMap(([, languages]) => languages));
const OF_LATIN_SCRIPT = LISTED_LANGUAGES.filter((language) => !OF_SHARED_SCRIPTS.has(language));

/** Letters that are telling, with the languages that write them. */
const LETTERS: [RegExp, readonly string[]][] = [
  [/ß/gu, ['de']],
  [/[äöü]/gu, ['de', 'sv', 'fi', 'tr']],
  [/[ñ¿¡]/gu, ['es']],
  [/[ãõ]/gu, ['pt']],
  [/[œêû]/gu, ['fr']],
  [/[ığş]/gu, ['tr']],
  [/[łżźśńćąę]/gu, ['pl']],
  [/[ěřůčšž]/gu, ['cs']],
  [/å/gu, ['sv', 'da', 'nb']],
  [/[æø]/gu, ['da', 'nb']],
  [/[پچژگ]/gu, ['fa', 'ur']],
  [/[ٹڈڑںےھہ]/gu, ['ur']],
  [/[ةىإأؤ]/gu, ['ar']],
  [/[іїєґ]/gu, ['uk']],
  [/[ыэъё]/gu, ['ru']],
];
/** Of one telling letter, in words. */
const LETTER_WEIGHT = 0.5;

/**
 * The language that a text is written in, as a BCP 47 tag, or undefined if it does not show. `hint` is what its source
 * declares. Short texts such as questions are told by their function words; where they have none, the hint decides.
 * Takes a bounded part of the text into account.
 */
export function languageOf(text: string, hint?: string | null): string | undefined {
  const declared = primaryTag(hint);
  const sample = normaliseText(sampleOf(text)).replace(ADDRESS, ' ');
  const { language, isSure } = detect(sample);
  if (!declared || !language || language === declared) return declared ?? language;
  if (scriptOf(language) !== scriptOf(declared)) return language;
  return isSure && sample.length >= ENOUGH_CHARACTERS ? language : declared;
}

/** The language of a BCP 47 tag, such as `de` of `de-AT`; undefined if it is not one. */
export function primaryTag(tag: string | null | undefined): string | undefined {
  const [, primary] = /^\s*([a-z]{2,3})(?:[-_][a-z0-9-_]*)?\s*$/i.exec((tag ?? '').slice(0, 40)) ?? [];
  const language = primary?.toLowerCase();
  return language === 'no' || language === 'nn' ? 'nb' : language;
}

/** From the beginning and from the middle: a page may begin with names and numbers. */
function sampleOf(text: string): string {
  if (text.length <= SAMPLE_CHARACTERS) return text;
  const half = SAMPLE_CHARACTERS / 2;
  const middle = Math.floor(text.length / 2);
  return `${text.slice(0, half)} ${text.slice(middle, middle + half)}`;
}

interface Detected {
  language: string | undefined;
  isSure: boolean;
}

function detect(sample: string): Detected {
  const letters = count(sample, /\p{L}/gu);
  for (const [script, language] of SCRIPTS) {
    // Japanese mixes kana with more Han; other scripts are told by the majority.
    const share = language === 'ja' ? 0.1 : 0.4;
    const found = count(sample, script);
    if (found > 0 && found >= share * letters) return { language, isSure: true };
  }
  const shared = SHARED_SCRIPTS.find(([script]) => count(sample, script) > 0.4 * letters);
  if (shared) return mostLikely(sample, shared[1], shared[1][0]);
  return mostLikely(sample, OF_LATIN_SCRIPT);
}

/** By stop words, each shared among the languages that have it, and telling letters. */
function mostLikely(sample: string, languages: readonly string[], otherwise?: string): Detected {
  const scores = new Map(languages.map((language) => [language, 0]));
  const credit = (among: readonly string[], weight: number) => {
    const credited = among.filter((language) => scores.has(language));
    for (const language of credited) scores.set(language, scores.get(language)! + weight / credited.length);
  };
  for (const [word] of sample.matchAll(/[\p{L}\p{M}]+/gu)) credit(languagesWith(word), 1);
  for (const [letter, among] of LETTERS) credit(among, LETTER_WEIGHT * count(sample, letter));
  const [first, ...others] = [...scores].sort(([, a], [, b]) => b - a);
  const second = others.find(([language]) => !areAlike(language, first![0]));
  const [best, next] = [first?.[1] ?? 0, second?.[1] ?? 0];
  if (best < LETTER_WEIGHT || best < MARGIN * next) return { language: otherwise, isSure: false };
  return { language: first![0], isSure: best >= SURE_MARGIN * next && best >= 3 };
}

/** Danish and Norwegian share most function words: taking one for the other costs less than knowing neither. */
const areAlike = (a: string, b: string): boolean => ['da', 'nb'].includes(a) && ['da', 'nb'].includes(b);

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

function scriptOf(language: string): string {
  const own = SCRIPTS.find(([, other]) => other === language);
  if (own) return own[0].source;
  const shared = SHARED_SCRIPTS.find(([, languages]) => languages.includes(language));
  return shared ? shared[0].source : 'other';
}
