import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { merged, quotationAt, unitsOf } from './quotation.ts';
import { shownWhole } from './testing/shown.ts';

const shownOf = (text: string) => shownWhole([{ title: '', url: '', text, score: 1 }])[0]!;
/** The quotation around the only occurrence of some words. */
function around(text: string, words: string): string {
  const shown = shownOf(text);
  const at = shown.text.indexOf(words);
  return quotationAt(shown, at, at + words.length).text;
}

test('a quotation is the whole sentence around what was quoted', () => {
  expect(around('One is here. Two is there, e.g. on top. Three.', 'is there')).toBe('Two is there, e.g. on top.');
  expect(around('One is here. Two is there. Three.', 'here. Two')).toBe('One is here. Two is there.');
});

test('a sentence goes on over a line break, but not into the next line of a table', () => {
  const wrapped = 'The pump has a warranty of five years, and the\ngarden itself has one of three. Pods have none.';
  expect(around(wrapped, 'garden itself')).toBe(wrapped.replace(' Pods have none.', ''));
  expect(around('Size | Weight of the whole garden in kilograms\n48 | 3.4', '3.4')).toBe('48 | 3.4');
});

test('a list comes with all its items and the line before it; code with its sentence', () => {
  const list = 'These do not work:\n- one\n  more of it\n- two';
  expect(around(`First.\n\n${list}\n\nLast.`, 'two')).toBe(list);
  const code = 'Then run either:\n\n    dpkg -S file\n    dlocate file';
  expect(around(`First. ${code}\nLast.`, 'dlocate')).toBe(code);
  const fenced = 'Run:\n```\na\n\nb\n```';
  expect(around(`${fenced}\nLast.`, 'a\n')).toBe(fenced);
});

test('what ends with a colon is followed by what it introduces', () => {
  expect(around('It costs less for:\nchildren under twelve.\nAll others pay.', 'costs less')).toBe(
    'It costs less for:\nchildren under twelve.',
  );
});

test('the units of a text are all of it, in order, whatever its markup', () => {
  const piece = fc.constantFrom(
    'A word. ',
    'two words:',
    '\n',
    '\n\n',
    '- item',
    '  more',
    '    code',
    '```\n',
    'a | b',
    '1. x',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const text = pieces.join('');
      const units = unitsOf(text);
      expect(
        units
          .map((unit) => unit.text)
          .join('')
          .replace(/\s/g, ''),
      ).toBe(text.replace(/\s/g, ''));
      for (const [i, unit] of units.entries()) expect(unit.from).toBeGreaterThanOrEqual(units[i - 1]?.to ?? 0);
    }),
  );
});

test('quotations that touch are one; others keep the order of the page', () => {
  const shown = shownOf('One. Two. Three. Four.');
  const at = (words: string) => quotationAt(shown, shown.text.indexOf(words), shown.text.indexOf(words) + words.length);
  expect(merged(['Four', 'Two', 'One', 'Two'].map(at)).map(({ text }) => text)).toEqual(['One. Two.', 'Four.']);
});
