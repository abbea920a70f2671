/** What German verbs part with: "herunterladen", but "Wie lade ich es herunter?" */
const PARTICLES =
  'ab an auf aus bei ein fest fort frei heraus herein herunter hervor hin hinaus hinein hinzu hoch los mit nach nieder um ' +
  'vor voran voraus vorbei weg weiter wieder zu zurück zusammen';
const ALTERNATIVES = PARTICLES.replaceAll(' ', '|');

const FORMS = new RegExp(`^(${ALTERNATIVES.replace('ü', '[üu]')})(?:ge|zu)(?=.{4})`, 'u');
/** The end of a clause: a particle, with the words before it. */
const CLAUSE = new RegExp(
  `([^.?!,;:\\n]{1,200})(?<![\\p{L}\\p{N}])(${ALTERNATIVES})(?=\\s*(?:[.?!,;:\\n]|$|und\\s|oder\\s))`,
  'giu',
);
const MAX_WORDS = 20;

/** A German participle or infinitive with "zu" as the plain verb: "heruntergeladen" and "herunterzuladen" as "herunterladen". */
export const plainForm = (word: string): string => word.replace(FORMS, '$1');

/** A word that may be the first part of a verb whose particle ends the clause. */
export interface SeparatedVerb {
  readonly word: string;
  readonly particle: string;
  readonly joined: string;
}

/** What may be separated verbs in a text. Any word before the particle may be one; few make a word with it. */
export function separatedVerbs(text: string, language: string): SeparatedVerb[] {
  if (language !== 'de') return [];
  return [...text.matchAll(CLAUSE)].flatMap(([, before, particle]) => {
    const words = (before!.match(/[\p{L}\p{M}]{3,}/gu) ?? []).slice(-MAX_WORDS);
    return words.map((word) => ({ word, particle: particle!, joined: `${particle}${word}`.toLowerCase() }));
  });
}
