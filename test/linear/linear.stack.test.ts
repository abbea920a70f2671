import { expect, test } from '@jest/globals';
import { superlinear } from '@parley/runtime/testing';
import { AWKWARD } from './awkward.ts';
import { composed, literals, ROOT, textFunctions } from './sources.ts';

/** Where a pattern looks for its first match, or for all of them. */
const searchedBy = (pattern: RegExp) => (text: string) => text.replace(pattern, '');

/** Returns the pattern's literals, without its operators. A letter that is no word character of JavaScript's stands for `\\W`. */
const plainOf = ({ source }: RegExp): string =>
  source
    .replace(/\\[xu]([0-9a-f]{2,4})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replace(/\\[sS]/g, ' ')
    .replace(/\\d/g, '1')
    .replace(/\\W/g, 'é')
    .replace(/\\[pPw](\{[^}]*\})?/g, 'a')
    .replace(/\\n/g, '\n')
    .replace(/\\t/g, '\t')
    .replace(/\\[bBkr]/g, '')
    .replace(/\\(.)/g, '$1')
    .replace(/(.)\{(\d)\d*,?\d*\}/g, (_, one: string, times: string) => one.repeat(Math.max(1, Number(times))))
    .replace(/\(\?(<?[=!]|:|<\w+>)|[()?*+|^$]|\[\^?|\]/g, '');

/** Returns the texts that it looks for, and parts of them. */
function unitsOf(pattern: RegExp): string[] {
  const plain = plainOf(pattern);
  const characters = [...plain];
  return [plain, ...characters, ...characters.map((character, i) => character + (characters[i + 1] ?? ''))]
    .filter(Boolean)
    .slice(0, 60);
}

const LONGEST_BEGINNING = 30;
/** Long enough to tell, and short enough for as many. */
const AFTER_A_BEGINNING = 8_000;

/** With what a match may begin before its slow part does. */
const beginningsOf = (pattern: RegExp): Set<string> => {
  const characters = [...plainOf(pattern)].slice(0, LONGEST_BEGINNING);
  return new Set(characters.map((_, i) => characters.slice(0, i + 1).join('')));
};

/** A text that shows that a pattern takes more than linear time; undefined if there is none. */
async function slowTextOf(pattern: RegExp): Promise<string | undefined> {
  const search = searchedBy(pattern);
  const units = unitsOf(pattern);
  const unit = await superlinear(search, new Set([...AWKWARD, ...units]));
  if (unit !== undefined) return unit;
  const runs = new Set([' ', '\t', 'a', '1', 'é.', ...units]);
  for (const beginning of beginningsOf(pattern)) {
    const begun = (text: string) => search(`${beginning}${text}`);
    const run = await superlinear(begun, runs, { longest: AFTER_A_BEGINNING });
    if (run !== undefined) return `${beginning}, then ${run}`;
  }
  return undefined;
}

/** The offenders, each with a text that shows it, over and over. */
async function slowPatterns(patterns: { path: string; pattern: RegExp }[]): Promise<string[]> {
  const found: string[] = [];
  for (const { path, pattern } of patterns) {
    const text = await slowTextOf(pattern);
    if (text !== undefined) found.push(`${path}: ${pattern}: ${JSON.stringify(text)}`);
  }
  return found;
}

const patternOf = (literal: string): RegExp => {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
};

test('quadratic patterns and loops are noticed', async () => {
  const slow = [/\s+$/, /\[[^[]*\[[^x]*x/, /charset\s*=\s*["']?\s*\w/, /^#*sources[ \t]*:?[ \t]*$/, /[ \t]*\uf8ff/];
  expect(await slowPatterns(slow.map((pattern) => ({ path: 'p', pattern })))).toHaveLength(slow.length);
  const words = (text: string) => text.split(' ').map((_, i, all) => all.slice(0, i).join('').length);
  expect(await superlinear(words, ['a '])).toBe('a ');
});

test('every regular expression of the sources takes time in proportion to the text', async () => {
  const all = new Map(literals().map(({ path, literal }) => [literal, { path, pattern: patternOf(literal) }]));
  expect(all.size).toBeGreaterThan(300);
  expect(await slowPatterns([...all.values()])).toEqual([]);
});

/** Another test file may have loaded a source before. */
const ANEW = '?anew';

/** The patterns that files put together when they are loaded, each with the file that did it. */
async function composedOnLoad(paths: readonly string[]): Promise<{ path: string; pattern: RegExp }[]> {
  const made: { path: string; pattern: RegExp }[] = [];
  const Original = globalThis.RegExp;
  globalThis.RegExp = new Proxy(Original, {
    construct(target, args, newTarget) {
      const pattern = Reflect.construct(target, args, newTarget);
      const { stack = '' } = new Error();
      const path = paths.find((each) => [`/${each}:`, `/${each}${ANEW}:`].some((place) => stack.includes(place)));
      if (path) made.push({ path, pattern });
      return pattern;
    },
  });
  try {
    for (const path of paths) await import(`${ROOT}${path}${ANEW}`);
  } finally {
    globalThis.RegExp = Original;
  }
  return made;
}

test('so does every one that is put together', async () => {
  const sites = composed();
  const made = await composedOnLoad(sites.map(({ path }) => path));
  const count = (path: string) => made.filter((each) => each.path === path).length;
  expect(sites.filter(({ path, onLoad }) => count(path) < onLoad)).toEqual([]);
  // Those that functions put together are in use when the functions are.
  const exercised = new Set(textFunctions().map(({ path }) => path));
  expect(sites.filter(({ path, inFunctions }) => inFunctions > 0 && !exercised.has(path))).toEqual([]);
  expect(await slowPatterns(made)).toEqual([]);
});

/** Arguments of functions besides the text. One with parameters of other types is passed over: its own tests have to look. */
const VALUES: Record<string, (text: string, name: string) => unknown> = {
  string: (text, name) => (/^(field|language|tag|label)$/.test(name) ? 'en' : text),
  'string | undefined': (text) => text,
  'string | null | undefined': (text) => text,
  'readonly string[]': (text, name) => (name === 'languages' ? ['en'] : [text]),
  'string[]': (text) => [text],
  Buffer: (text) => Buffer.from(text),
  Uint8Array: (text) => Buffer.from(text),
  number: () => 100,
  Date: () => new Date(0),
  DocumentLimits: () => ({ pages: 1_000, rows: 100_000, characters: 10_000_000 }),
};

/** Reads all of what a generator gives, and waits for what is promised. */
async function consume(result: unknown): Promise<void> {
  const given = await result;
  if (given === null || typeof given !== 'object' || !('next' in given)) return;
  for (const _ of given as unknown as Iterable<unknown>);
}

/** A library's work, in a process that is ended when it takes too long; the mail is then read without it. */
const ENDED_IN_TIME = new Set(['cutQuotes']);

test('so does every function that reads a text', async () => {
  const slow: string[] = [];
  const functions = textFunctions().filter(
    ({ name, parameters }) => !ENDED_IN_TIME.has(name) && parameters.every(({ type }) => type in VALUES),
  );
  expect(functions.length).toBeGreaterThan(80);
  for (const { path, name, parameters } of functions) {
    const { [name]: read } = (await import(`${ROOT}${path}`)) as Record<string, (...all: unknown[]) => unknown>;
    const work = (text: string) => consume(read!(...parameters.map((each) => VALUES[each.type]!(text, each.name))));
    const unit = await superlinear(work, AWKWARD, { negligibleMs: 4 });
    if (unit !== undefined) slow.push(`${path}: ${name}: ${JSON.stringify(unit)}`);
  }
  expect(slow).toEqual([]);
});
