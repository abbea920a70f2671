import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

const { resolve } = createRequire(import.meta.url);

/** Several take as many times the time of one. */
const MAX_LANGUAGES = 4;
const CODES = /^[a-z]{3}(_[a-z]{3,8})?$/;

/** The package of a language: `eng`, `deu`, `chi_sim`. Languages beyond the trainer's own are packages that operators add. */
const packageOf = (language: string): string => `@tesseract.js-data/${language}`;

/** Where the model of a language is: gzipped, one to five MB. @throws if its package is not installed. */
export const modelFile = (language: string): string =>
  join(dirname(resolve(`${packageOf(language)}/package.json`)), '4.0.0_best_int', `${language}.traineddata.gz`);

/** The languages of `eng+deu`, each of which is installed. @throws an error whose message is a sentence. */
export function parseLanguages(text: string): string[] {
  const languages = [...new Set(text.split('+'))];
  if (languages.length > MAX_LANGUAGES || !languages.every((language) => CODES.test(language)))
    throw new Error(`must be one to ${MAX_LANGUAGES} codes of languages, such as eng+deu.`);
  for (const language of languages) {
    try {
      modelFile(language);
    } catch {
      throw new Error(`names ${language}, for which the package ${packageOf(language)} must be installed.`);
    }
  }
  return languages;
}
