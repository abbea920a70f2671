import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { pageChooser } from './path-patterns.ts';

const matches = (pattern: string, pageUrl: string) => pageChooser({ include: [pattern], exclude: [] })(pageUrl);

test.each([
  ['/docs', ['/docs', '/docs/', '/docs/a?x=1', '/docs-old'], ['/', '/doc', '/a/docs', '/Docs']],
  ['/docs/', ['/docs/', '/docs/a'], ['/docs']],
  ['/', ['/', '/a', '/?q=1'], []],
  ['/$', ['/'], ['/a', '/?q=1']],
  ['/*.html$', ['/a.html', '/a/b.html', '/.html', '/a.html.html'], ['/a.html?x=1', '/a.htm']],
  ['/*/draft', ['/a/draft', '/a/b/drafts', '//draft'], ['/draft']],
  ['/a*b*c', ['/abc', '/a-b-c-d', '/abbcc'], ['/acb', '/ab']],
  ['/*?print=', ['/a?print=1', '/?print='], ['/print']],
  ['/a$b', ['/a$b', '/a$bc'], ['/a', '/ab']],
  ['/**$', ['/', '/anything'], []],
  ['/aa*aa$', ['/aaaa', '/aa/aa'], ['/aaa', '/aa']],
  ['/café', ['/caf%C3%A9', '/caf%c3%a9/au-lait'], ['/cafe']],
  ['/caf%c3%a9', ['/caf%C3%A9'], ['/caf']],
  ['/100%', ['/100%25', '/100%'], ['/100']],
  ['/a b', ['/a%20b'], ['/ab']],
])('the pattern %s matches %j but not %j', (pattern, matching, others) => {
  expect(matching.filter((pageUrl) => !matches(pattern, pageUrl))).toEqual([]);
  expect(others.filter((pageUrl) => matches(pattern, pageUrl))).toEqual([]);
});

test('a page is chosen if any include matches, or there is none, and no exclude does', () => {
  const chosen = (include: string[], exclude: string[]) =>
    ['/', '/docs/a', '/docs/old/b', '/blog/c'].filter(pageChooser({ include, exclude }));
  expect(chosen([], [])).toEqual(['/', '/docs/a', '/docs/old/b', '/blog/c']);
  expect(chosen(['/docs/', '/blog/'], [])).toEqual(['/docs/a', '/docs/old/b', '/blog/c']);
  expect(chosen(['/docs/'], ['/docs/old/'])).toEqual(['/docs/a']);
  expect(chosen(['/docs/old/'], ['/docs/'])).toEqual([]);
  expect(chosen([], ['/*/'])).toEqual(['/']);
});

test('patterns match as the definition of their wildcards says', () => {
  const definition = (pattern: string) =>
    new RegExp(
      `^${pattern.replace(/[*$]/g, (mark, at) => (mark === '*' ? '.*' : at + 1 === pattern.length ? '$' : '\\$'))}`,
    );
  const pattern = fc.stringMatching(/^\/[ab*$]{0,8}$/);
  fc.assert(
    fc.property(pattern, fc.stringMatching(/^\/[ab$]{0,10}$/), (pattern, pageUrl) => {
      expect(matches(pattern, pageUrl)).toBe(definition(pattern).test(pageUrl));
    }),
    { numRuns: 500 },
  );
});

/** Texts of few letters, with as many repetitions as possible: what makes a backtracking matcher slow. */
const repetitive = (letters: string[], length: number) =>
  fc
    .array(fc.constantFrom(...letters), { minLength: 1, maxLength: 8 })
    .map((unit) => unit.join('').repeat(length).slice(0, length));

test('no pattern stalls: 50 of the longest decide about the longest address within milliseconds', () => {
  const patterns = fc.array(
    repetitive(['a', 'b', '*', 'a*', '*a', 'aa', '$'], 199).map((text) => `/${text}`),
    { minLength: 50, maxLength: 50 },
  );
  const pageUrl = repetitive(['a', 'b', 'aa', 'ab'], 2_000).map((text) => `/${text}`);
  fc.assert(
    fc.property(patterns, pageUrl, (patterns, pageUrl) => {
      const isChosen = pageChooser({ include: patterns.map((pattern) => `${pattern}c`), exclude: patterns });
      let best = Number.POSITIVE_INFINITY;
      for (let tries = 0; tries < 20 && best > 50; tries++) {
        const began = performance.now();
        isChosen(pageUrl);
        best = Math.min(best, performance.now() - began);
      }
      expect(best).toBeLessThan(50);
    }),
  );
});

test('an address twice as long takes about twice as long, not more', () => {
  const isChosen = pageChooser({
    include: [`/${'*aab'.repeat(40)}*c`, `/${'a*'.repeat(90)}c`, '/*aaaaab'],
    exclude: [],
  });
  const costOf = (length: number) => {
    const pageUrl = `/${'a'.repeat(length)}`;
    let best = Number.POSITIVE_INFINITY;
    for (let tries = 0; tries < 30; tries++) {
      const began = performance.now();
      isChosen(pageUrl);
      best = Math.min(best, performance.now() - began);
    }
    return best;
  };
  // A quadratic matcher would take 64 times as long.
  expect(costOf(800_000) / costOf(100_000)).toBeLessThan(32);
});
