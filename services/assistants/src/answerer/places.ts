import { type Contents, positionsOf } from './contents.ts';

/** Sources of one piece that are considered: the product of pieces and sources has no other bound. */
const MAX_PLACES = 100;

/** Which sources contain a word, a number or an identifier, by their position; for each piece only the first ones. */
export interface Places {
  ofWord(forms: readonly string[]): ReadonlySet<number>;
  ofNumber(number: string): ReadonlySet<number>;
  ofIdentifier(identifier: string): ReadonlySet<number>;
}

const NOWHERE: ReadonlySet<number> = new Set();

export function createPlaces(sources: readonly Contents[]): Places {
  const forms = indexOf(sources.map((source) => source.forms));
  const numbers = indexOf(sources.map((source) => source.numbers));
  const all = sources.map(({ text }) => text).join('\n');
  const ends = endsOf(sources);
  const identifiers = new Map<string, ReadonlySet<number>>();

  const find = (identifier: string): ReadonlySet<number> => {
    const found = new Set<number>();
    let at = 0;
    for (const position of positionsOf(identifier, all)) {
      while (ends[at]! <= position) at++;
      if (position + identifier.length <= ends[at]!) found.add(at);
      if (found.size === MAX_PLACES) break;
    }
    identifiers.set(identifier, found);
    return found;
  };
  return {
    ofWord: (alternatives) => new Set(alternatives.flatMap((form) => [...(forms.get(form) ?? NOWHERE)])),
    ofNumber: (number) => numbers.get(number) ?? NOWHERE,
    ofIdentifier: (identifier) => identifiers.get(identifier) ?? find(identifier),
  };
}

function indexOf(contained: readonly ReadonlySet<string>[]): Map<string, Set<number>> {
  const index = new Map<string, Set<number>>();
  for (const [at, keys] of contained.entries()) {
    for (const key of keys) {
      const places = index.get(key) ?? new Set();
      if (places.size < MAX_PLACES) index.set(key, places.add(at));
    }
  }
  return index;
}

/** Where each source ends in all of them, joined by line breaks. */
function endsOf(sources: readonly Contents[]): number[] {
  let end = -1;
  return sources.map(({ text }) => {
    end += 1 + text.length;
    return end;
  });
}
