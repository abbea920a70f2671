import { formsOf, normal, numbersOf, wordsOf } from './claims.ts';

/** What a text contains. */
export interface Contents {
  forms: ReadonlySet<string>;
  numbers: ReadonlySet<string>;
  text: string;
  /** Whether it has a command, an option, a path and the like as a whole. */
  holds(identifier: string): boolean;
}

export function contentsOf(text: string): Contents {
  const plain = normal(text);
  const words = wordsOf(plain);
  return contents(
    new Set(words.flatMap(formsOf)),
    new Set(numbersOf(plain, words)),
    plain.toLowerCase().replace(/\s+/g, ' '),
  );
}

export function union(all: readonly Contents[]): Contents {
  return contents(
    new Set(all.flatMap(({ forms }) => [...forms])),
    new Set(all.flatMap(({ numbers }) => [...numbers])),
    all.map(({ text }) => text).join(' '),
  );
}

export const isKnown = (forms: readonly string[], { forms: known }: Contents): boolean =>
  forms.some((form) => known.has(form));

function contents(forms: ReadonlySet<string>, numbers: ReadonlySet<string>, text: string): Contents {
  const held = new Map<string, boolean>();
  const holds = (identifier: string): boolean => {
    let found = held.get(identifier);
    if (found === undefined) {
      found = !positionsOf(identifier, text).next().done;
      held.set(identifier, found);
    }
    return found;
  };
  return { forms, numbers, text, holds };
}

/** Where a text has it as a whole: `-r` is not in `-rf`, nor `/etc/hosts` in `/etc/hosts.allow`. */
export function* positionsOf(identifier: string, text: string): Generator<number, undefined> {
  const isPart = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}_]/u.test(character);
  for (let at = text.indexOf(identifier); at !== -1; at = text.indexOf(identifier, at + 1)) {
    const end = at + identifier.length;
    const goesOn = isPart(text[end]) || (/[-_.:/\\@=]/.test(text[end] ?? '') && isPart(text[end + 1]));
    if (!isPart(text[at - 1]) && !(isPart(identifier.at(-1)) && goesOn)) yield at;
  }
}
