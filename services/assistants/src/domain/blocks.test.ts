import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { blocksOf, isAnnouncing, piecesOf, unitsOf } from './blocks.ts';
import { anySection } from './testing/sections.ts';

const blocks = (text: string) => blocksOf(text).map(({ kind, from, to }) => [kind, text.slice(from, to)]);
const units = (text: string) => unitsOf(text).map(({ from, to }) => text.slice(from, to));

test('paragraphs, headings, lists and code are told apart', () => {
  const text =
    '# Files\nOne\nparagraph.\n\n- first\n  more of it\n- second\n\n1. next\n\n    code\n\n    more code\n\nThe end.\n\n\n';
  expect(blocks(text)).toEqual([
    ['heading', '# Files'],
    ['text', 'One\nparagraph.'],
    ['list', '- first\n  more of it\n- second\n\n1. next'],
    ['code', '    code\n\n    more code'],
    ['text', 'The end.'],
  ]);
});

test('a list stays with its lead-in, also if no blank line separates them', () => {
  expect(units('Ways that do not work:\n\n- one\n- two\n\nOther text.')).toEqual([
    'Ways that do not work:\n\n- one\n- two',
    'Other text.',
  ]);
  expect(units('Ways that do not work:\n- one\n- two')).toEqual(['Ways that do not work:\n- one\n- two']);
});

test('code stays with its sentence, and so does what joins two pieces of code', () => {
  const whole = 'Run this:\n\n    dpkg -S file\n\nor:\n\n    dlocate file\n\nwhich is faster.';
  expect(units(`Intro.\n\n${whole}\n\nNext.`)).toEqual(['Intro.', whole, 'Next.']);
});

test('what announces something is never the end of a unit, unless nothing follows', () => {
  fc.assert(
    fc.property(anySection, (text) => {
      for (const unit of units(text).slice(0, -1)) expect(isAnnouncing(unit)).toBe(false);
    }),
  );
});

test('units and blocks cover a text in order, and pieces their block: only blank space is between them', () => {
  const covers = (text: string, parts: readonly { from: number; to: number }[], from = 0, to = text.length) => {
    let at = from;
    for (const part of parts) {
      expect(text.slice(at, part.from).trim()).toBe('');
      expect(part.to).toBeGreaterThan(part.from);
      at = part.to;
    }
    expect(text.slice(at, to).trim()).toBe('');
  };
  fc.assert(
    fc.property(fc.oneof(anySection, fc.string({ unit: 'binary' })), (text) => {
      covers(text, blocksOf(text));
      covers(text, unitsOf(text));
      for (const block of blocksOf(text)) covers(text, piecesOf(text, block), block.from, block.to);
    }),
    { examples: [['\r\u0000']] },
  );
});

test('the pieces of a list are its items with what they contain, those of a paragraph its sentences', () => {
  const pieces = (text: string) => piecesOf(text, blocksOf(text)[0]!).map(({ from, to }) => text.slice(from, to));
  expect(pieces('- one\n  - nested\n- two\n  more')).toEqual(['- one\n  - nested', '- two\n  more']);
  expect(pieces('First one. Second one?\nThird.')).toEqual(['First one.', 'Second one?', 'Third.']);
  expect(pieces('    a\n      b\n    c')).toEqual(['    a', '      b', '    c']);
});
