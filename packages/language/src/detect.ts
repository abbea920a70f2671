import { eld } from 'eld/extrasmall';

/** Characters that are read at a time; with more, the detector is slower but hardly better. */
const PIECE_CHARACTERS = 120;
/** A text of more characters is read in several places. */
const SHORT_CHARACTERS = 400;
const PIECES_OF_LONG = 3;
const ADDRESS = /\bhttps?:\S*|\bwww\.\S*/giu;
/** The lead over the second, as a share of the best score: with it, 0.02 of 300 short questions were taken for another language, 0.05 without. */
const LEAST_LEAD = 0.02;
/** From that many characters on, what a text says outweighs what its page declares: templates declare English. */
const ENOUGH_CHARACTERS = 200;

const NON_ASCII = /[^\p{ASCII}]/u;
const LATIN = /\p{Script=Latin}/gu;
const OTHER_LETTER = /(?=\p{L})\P{Script=Latin}/gu;
const KANA = /[\p{Script=Hiragana}\p{Script=Katakana}]/gu;
/** Japanese mixes kana with more Han. */
const SHARE_OF_KANA = 0.1;
/** The share of letters that makes a text one of that script: names and commands stay in Latin. */
const SHARE_OF_SCRIPT = 0.4;
const SCRIPTS = [
  ...['Hani', 'Cyrl', 'Arab', 'Hang', 'Deva', 'Grek', 'Hebr', 'Thai', 'Armn', 'Beng', 'Ethi', 'Geor', 'Gujr', 'Guru'],
  ...['Khmr', 'Knda', 'Laoo', 'Mlym', 'Mymr', 'Orya', 'Sinh', 'Taml', 'Telu'],
].map((script) => ({ script, pattern: new RegExp(`\\p{Script=${script}}`, 'gu') }));
/** The languages that most who write a script mean, by CLDR; none for Latin, in which nearly all are written. */
const USUAL_LANGUAGES = new Map(
  ['Kana', ...SCRIPTS.map(({ script }) => script)].map((script) => [
    script,
    new Intl.Locale(`und-${script}`).maximize().language,
  ]),
);
/** From CLDR's name of a writing system to the script that tells it. */
const TOLD_BY: Record<string, string> = { Jpan: 'Kana', Kore: 'Hang', Hans: 'Hani', Hant: 'Hani' };

/**
 * The language that a text is written in, as a BCP 47 tag, or undefined if it does not show. `hint` is what its source
 * declares: it decides where the text is too short to tell. Takes a bounded part of the text into account.
 */
export function languageOf(text: string, hint?: string | null): string | undefined {
  const declared = primaryTag(hint);
  const pieces = piecesOf(text);
  const script = scriptOf(pieces.join(' '));
  const found = detect(pieces, script);
  if (!declared || (script && !isWrittenIn(declared, script)))
    return found ?? USUAL_LANGUAGES.get(script ?? '') ?? declared;
  return found && text.length >= ENOUGH_CHARACTERS ? found : declared;
}

/** The language of a BCP 47 tag, such as `de` of `de-AT`; undefined if it is not one. */
export function primaryTag(tag: string | null | undefined): string | undefined {
  const [, primary] = /^\s*([a-z]{2,3})(?:[-_][a-z0-9-_]*)?\s*$/i.exec((tag ?? '').slice(0, 40)) ?? [];
  const language = primary?.toLowerCase();
  return language === 'no' || language === 'nn' ? 'nb' : language;
}

/** From the middle of a text, or of each of its parts: it may begin with names and numbers. */
function piecesOf(text: string): string[] {
  const parts = text.length <= SHORT_CHARACTERS ? 1 : PIECES_OF_LONG;
  const middles = Array.from({ length: parts }, (_, i) => ((i + 0.5) * text.length) / parts);
  const starts = middles.map((middle) => Math.max(0, Math.floor(middle - PIECE_CHARACTERS / 2)));
  return starts.map((start) =>
    text
      .slice(start, start + PIECE_CHARACTERS)
      .normalize('NFC')
      .replace(ADDRESS, ' '),
  );
}

/** Returns the language that most pieces are in, among the languages that are written in this script. */
function detect(pieces: readonly string[], script: string | undefined): string | undefined {
  if (script === undefined) return undefined;
  const votes = new Map<string, number>();
  for (const piece of pieces) {
    const language = bestOf(piece, script);
    if (language) votes.set(language, (votes.get(language) ?? 0) + 1);
  }
  return [...votes].find(([, count]) => count * 2 > pieces.length)?.[0];
}

/** In another script than Latin, also what is likely only: few languages share it. */
function bestOf(piece: string, script: string): string | undefined {
  const result = eld.detect(piece);
  const language = primaryTag(result.language);
  if (!language || !isWrittenIn(language, script)) return undefined;
  if (script !== 'Latn') return language;
  const [best = 0, next = 0] = Object.values(result.getScores());
  return result.isReliable() && best - next >= LEAST_LEAD ? language : undefined;
}

/** The script that a text is mostly written in; undefined if it has no letters. */
function scriptOf(text: string): string | undefined {
  const others = NON_ASCII.test(text) ? count(text, OTHER_LETTER) : 0;
  if (others === 0) return /\p{L}/u.test(text) ? 'Latn' : undefined;
  const enough = SHARE_OF_SCRIPT * (others + count(text, LATIN));
  if (others < enough) return 'Latn';
  if (count(text, KANA) >= SHARE_OF_KANA * others) return 'Kana';
  return SCRIPTS.find(({ pattern }) => count(text, pattern) >= enough)?.script;
}

const count = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

const WRITINGS = new Map<string, string>();

function isWrittenIn(language: string, script: string): boolean {
  let writing = WRITINGS.get(language);
  if (writing === undefined) {
    const name = new Intl.Locale(language).maximize().script ?? 'Latn';
    writing = TOLD_BY[name] ?? name;
    WRITINGS.set(language, writing);
  }
  return writing === script || (writing === 'Kana' && script === 'Hani');
}
