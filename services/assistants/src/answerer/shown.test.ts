import { expect, test } from '@jest/globals';
import { estimateTokens } from '@parley/runtime';
import fc from 'fast-check';
import type { Passage } from '../domain/cite.ts';
import { showPassages } from './shown.ts';

const passage = (text: string, more: Partial<Passage> = {}): Passage => ({
  title: 'Page',
  url: '',
  score: 1,
  text,
  ...more,
});

test('passages of one section are shown once, as the whole section under its headings', () => {
  const section = 'First sentence. Second sentence. Third sentence.';
  const inSection = { section, sectionId: 's1', headings: ['Setup', 'Tank'] };
  const shown = showPassages(
    [passage('Second sentence.', inSection), passage('Elsewhere.'), passage('Third sentence.', inSection)],
    1_000,
  );
  expect(shown.map(({ under, text }) => ({ under, text }))).toEqual([
    { under: 'Page - Setup - Tank', text: section },
    { under: 'Page', text: 'Elsewhere.' },
  ]);
  expect(shown[0]!.passages).toHaveLength(2);
});

test('parts of a long section that do not overlap are both shown, with a gap', () => {
  const part = (text: string) => passage(text, { section: `Around ${text}`, sectionId: 's1' });
  const [shown] = showPassages([part('one'), part('two')], 1_000);
  expect(shown!.text).toBe('Around one\n\n…\n\nAround two');
});

test('what was found comes before whole sections, and the best section first', () => {
  const section = (name: string) =>
    passage(`${name} found.`, { section: `${name} found. ${'more '.repeat(60)}`, sectionId: name });
  const texts = showPassages([section('One'), section('Two'), section('Three')], 170).map(({ text }) => text);
  expect(texts.map((text) => text.includes('more'))).toEqual([true, false, false]);
  expect(texts).toHaveLength(3);
});

test('whatever is found, the best passage is shown, and all of it fits', () => {
  const text = fc.string({ minLength: 1, maxLength: 400, unit: fc.constantFrom('a', 'b ', 'ج', '中', '\n', '. ') });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(text, text), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 50, max: 500 }),
      (found, tokens) => {
        const passages = found.map(([found, rest], i) =>
          passage(found, { section: `${found}${rest}`, sectionId: `${i % 3}` }),
        );
        const shown = showPassages(passages, tokens);
        expect(shown[0]!.passages[0]).toBe(passages[0]);
        expect(estimateTokens(shown.map(({ text }) => text).join(''))).toBeLessThanOrEqual(tokens);
      },
    ),
  );
});
