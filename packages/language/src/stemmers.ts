import { stemmer as arabic } from '@orama/stemmers/arabic';
import { stemmer as danish } from '@orama/stemmers/danish';
import { stemmer as dutch } from '@orama/stemmers/dutch';
import { stemmer as finnish } from '@orama/stemmers/finnish';
import { stemmer as french } from '@orama/stemmers/french';
import { stemmer as italian } from '@orama/stemmers/italian';
import { stemmer as norwegian } from '@orama/stemmers/norwegian';
import { stemmer as portuguese } from '@orama/stemmers/portuguese';
import { stemmer as russian } from '@orama/stemmers/russian';
import { stemmer as spanish } from '@orama/stemmers/spanish';
import { stemmer as swedish } from '@orama/stemmers/swedish';
import { stemmer as turkish } from '@orama/stemmers/turkish';
import english from 'wink-porter2-stemmer';
import { plainForm } from './separable.ts';

export type Stem = (word: string) => string;

/**
 * Snowball's stemmers, by language, but for three: Porter 2 for English, CISTEM for German, because Snowball keeps the
 * endings of verbs apart ("kostet", "kosten"), and a few endings for Persian, which Snowball does not have.
 */
const STEMMERS: Record<string, Stem> = {
  en: (word) => (/^[a-z]{3,}$/.test(word) ? english(word) : word),
  de: german,
  fr: french,
  es: (word) => spanish(word.replace(/(?<=[cs])ion$/u, 'ión')), // People leave the accent out.
  it: italian,
  pt: portuguese,
  nl: dutch,
  sv: swedish,
  da: danish,
  nb: norwegian,
  fi: finnish,
  tr: turkish,
  ru: russian,
  ar: arabic,
  fa: persian,
};

export function stemmerOf(language: string): Stem | undefined {
  return Object.hasOwn(STEMMERS, language) ? STEMMERS[language] : undefined;
}

/** Weissweiler and Fraser, "Developing a Stemmer for German Based on a Comparative Analysis" (2017). */
function german(word: string): string {
  let stem = plainForm(word)
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

/** Plurals, comparatives and the prefix of the present tense. One round: a stem that ends like a plural stays. */
function persian(word: string): string {
  return word.replace(PERSIAN_PREFIX, '').replace(PERSIAN_ENDINGS, '');
}
