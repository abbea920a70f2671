import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as english } from '@orama/stemmers/english';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as hungarian } from '@orama/stemmers/hungarian';
import { stemmer as hindi } from '@orama/stemmers/indian';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as romanian } from '@orama/stemmers/romanian';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import { stemmer as ukrainian } from '@orama/stemmers/ukrainian';

export type Stem = (word: string) => string;

/**
 * Snowball's stemmers and those made after them, by language, but for two: CISTEM for German, because Snowball keeps the
 * forms of a verb apart ("kostet", "kosten"), and a few endings for Persian, which no library stems.
 */
const STEMMERS = new Map<string, Stem>(
  Object.entries({
    ...{
      ar: arabic,
      da: danish,
      de: german,
      en: english,
      es: (word: string) => spanish(word.replace(/(?<=[cs])ion$/u, 'ión')),
      fi: finnish,
      fr: french,
      hi: hindi,
      hu: hungarian,
    },
    ...{ it: italian, nb: norwegian, nl: dutch, pt: portuguese, ro: romanian, ru: russian, sv: swedish, tr: turkish },
    ...{ uk: ukrainian, fa: persian },
  }),
);

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
