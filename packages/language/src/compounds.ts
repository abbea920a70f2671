import { foldWord } from './normalise.ts';
import { stemmerOf } from './stemmers.ts';

/** Languages that write compounds as one word, with what they put between the parts. */
const LINKS: Record<string, readonly string[]> = {
  de: ['', 's', 'es', 'n', 'en'],
  nl: ['', 's', 'e', 'en'],
  sv: ['', 's'],
  da: ['', 's', 'e'],
  nb: ['', 's', 'e'],
  fi: ['', 'n'],
};
const SHORTEST_PART = 4;

/** The ways to read a term as two words, each as the terms of both, those with the longest first word first. */
export function splitsOf(term: string, language: string): [string, string][] {
  const links = Object.hasOwn(LINKS, language) ? LINKS[language]! : [];
  const stem = stemmerOf(language)!;
  const asTerm = (word: string) => foldWord(stem(word));
  const splits: [string, string][] = [];
  for (let end = term.length - SHORTEST_PART; links.length > 0 && end >= SHORTEST_PART; end--)
    for (const link of links) {
      const first = term.slice(0, end - link.length);
      if (first.length >= SHORTEST_PART && term.slice(0, end).endsWith(link))
        splits.push([asTerm(first), asTerm(term.slice(end))]);
    }
  return splits;
}
