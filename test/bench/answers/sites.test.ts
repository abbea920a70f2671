import { expect, test } from '@jest/globals';
import { problemsOf } from './check.ts';
import { foreignTo } from './foreign.ts';
import type { Kind } from './questions.ts';
import { readSites } from './sites.ts';

const sites = await readSites();

test.each(sites.map((site) => [site.name, site] as const))('the questions about %s fit its pages', (_, site) => {
  expect(problemsOf(site)).toEqual([]);
  const count = (kind: Kind) => site.questions.filter((question) => question.kind === kind).length;
  expect(count('answerable')).toBeGreaterThanOrEqual(20);
  expect(count('near')).toBeGreaterThanOrEqual(10);
  expect([0, 4]).toContain(count('opening'));
  expect(count('followUp')).toBe(2 * count('opening'));
  const asked = site.questions.map(({ before, ask }) => [...before, ask].join('\n'));
  expect(new Set(asked).size).toBe(asked.length);
});

test('both sets are of many owners in many languages, and have questions about other fields', () => {
  for (const wanted of ['tune', 'held-out'] as const) {
    const some = sites.filter(({ set }) => set === wanted);
    expect(some.length).toBeGreaterThanOrEqual(6);
    expect(new Set(some.map(({ owner }) => owner)).size).toBeGreaterThanOrEqual(5);
    expect(some.flatMap((site) => foreignTo(site, sites)).length).toBeGreaterThan(60);
  }
  expect(new Set(sites.map(({ language }) => language)).size).toBeGreaterThanOrEqual(6);
});
