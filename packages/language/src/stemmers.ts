import { createRequire } from 'node:module';

export type Stem = (word: string) => string;

const require = createRequire(import.meta.url);
/** Snowball's stemmers and those made after them, by the name of their module. */
const MODULES = {
  ...{ ar: 'arabic', da: 'danish', en: 'english', es: 'spanish', fi: 'finnish', fr: 'french', hi: 'indian' },
  ...{ hu: 'hungarian', it: 'italian', nb: 'norwegian', nl: 'dutch', pt: 'portuguese', ro: 'romanian' },
  ...{ ru: 'russian', sv: 'swedish', tr: 'turkish', uk: 'ukrainian' },
};
const STEMMERS = new Map(
  Object.entries(MODULES).map(([language, name]) => [language, require(`@orama/stemmers/${name}`).stemmer as Stem]),
);
/** People leave the accent out. */
const spanish = STEMMERS.get('es')!;
STEMMERS.set('es', (word) => spanish(word.replace(/(?<=[cs])ion$/u, 'ión')));
/** Snowball keeps the forms of a German verb apart ("kostet", "kosten"), and no library stems Persian. */
STEMMERS.set('de', german).set('fa', persian);

export const stemmerOf = (language: string): Stem | undefined => STEMMERS.get(language);

/** Weissweiler and Fraser, "Developing a Stemmer for German Based on a Comparative Analysis" (2017). */
function german(word: string): string {
  let stem = word
    .replace(/[äöüß]/gu, (letter) => ({ ä: 'a', ö: 'o', ü: 'u' })[letter] ?? 'ss')
    .replace(/^ge(?=.{4})/u, '')
    // Marks letters that belong together, so that no ending is cut between them.
    .replaceAll('sch', '$')
    .replaceAll('ei', '%')
    .replaceAll('ie', '&')
    .replace(/(.)\1/gu, '$1*');
  while (stem.length > 3) {
    const shorter = stem.length > 5 ? stem.replace(/(?:em|er|nd)$/u, '') : stem;
    const cut = shorter === stem ? stem.replace(/[tesn]$/u, '') : shorter;
    if (cut === stem) break;
    stem = cut;
  }
  return stem.replace(/(.)\*/gu, '$1$1').replaceAll('&', 'ie').replaceAll('%', 'ei').replaceAll('$', 'sch');
}

const PERSIAN_ENDINGS = /(?<=..)(?:هایمان|هایشان|هایتان|هایم|هایت|هایش|هایی|های|ها|ترین|تر)$/u;
const PERSIAN_PREFIX = /^ن?می(?=...)/u;

/** Plurals, comparatives and the prefix of the present tense. */
function persian(word: string): string {
  return word.replace(PERSIAN_PREFIX, '').replace(PERSIAN_ENDINGS, '');
}
