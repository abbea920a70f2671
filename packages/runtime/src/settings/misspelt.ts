import { closest, distance } from 'fastest-levenshtein';
import type { Variables } from '../env.ts';
import { SETTINGS } from './catalogue.ts';

const NAMES = Object.keys(SETTINGS);
/** Ours, but no settings: between the programs of the repository. */
const INTERNAL = ['PARLEY_CACHE', 'PARLEY_LAUNCHED', 'PARLEY_STACK'];
const PREFIX = 'PARLEY_';
/** A name may differ from a setting's by one letter of so many. */
const LETTERS_PER_TYPO = 6;

/**
 * Variables that were probably meant to be settings: those that nearly have a setting's name, and unknown ones that begin
 * with `PARLEY_`. Returns a sentence for each; it names no value.
 */
export function misspelt(variables: Variables): string[] {
  return Object.keys(variables)
    .filter((name) => /^[A-Z][A-Z0-9_]*$/.test(name) && variables[name] && !NAMES.includes(name))
    .flatMap((name) => {
      const meant = meantBy(name);
      if (meant) return [`The variable ${name} is not a setting. Did you mean ${meant}?`];
      const isOurs = name.startsWith(PREFIX) && !INTERNAL.includes(name);
      return isOurs ? [`The variable ${name} is not a setting of this release.`] : [];
    });
}

function meantBy(name: string): string | undefined {
  const bare = name.startsWith(PREFIX) ? name.slice(PREFIX.length) : name;
  if (NAMES.includes(bare)) return bare;
  const nearest = closest(name, NAMES);
  return distance(name, nearest) <= name.length / LETTERS_PER_TYPO ? nearest : undefined;
}
