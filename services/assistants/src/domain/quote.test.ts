import { expect, test } from '@jest/globals';
import { superlinear } from '@parley/runtime/testing';
import fc from 'fast-check';
import { isAnnouncing, unitsOf } from './blocks.ts';
import type { Passage } from './cite.ts';
import { quote } from './quote.ts';
import { sectionsOf } from './sections.ts';
import { anySection } from './testing/sections.ts';

const passage = (section: string, more: Partial<Passage> = {}): Passage => ({
  ...{ title: 'Page', url: `https://docs.example/${section.length}`, text: section.slice(0, 800), section, score: 1 },
  ...{ sectionId: section, language: 'en', ...more },
});
const quoted = (question: string, ...passages: Passage[]): string => quote(question, sectionsOf(passages))?.text ?? '';
const from = (section: string, question: string, more: Partial<Passage> = {}) =>
  quoted(question, passage(section, { text: section, ...more }));
const filler = (sentences: number, word = 'weather') =>
  Array.from({ length: sentences }, (_, i) => `Sentence ${i} tells of ${word}${' and of weather'.repeat(16)}.`).join(
    ' ',
  );
const paragraphs = (...all: string[]) => all.join('\n\n');

test('a section that is short is quoted whole, without the marks of its headings', () => {
  expect(from('## When\n\nWithin 14 days.\n\n## How\n\nBy post.', 'refund?')).toBe(
    'When\n\nWithin 14 days.\n\nHow\n\nBy post.',
  );
});

test('of a long section, the paragraph that has the words of the question is quoted whole', () => {
  const answer = 'Money comes back to the card within a fortnight. Cash is paid at the desk.';
  const section = paragraphs(filler(2, 'rain'), answer, filler(2, 'snow'));
  expect(from(section, 'When does my money come back to the card?')).toBe(answer);
});

test('where words say nothing, what the search found is quoted', () => {
  const answer = 'Money comes back within a fortnight.';
  const section = paragraphs(filler(2, 'rain'), answer, filler(2, 'snow'));
  const said = from(section, 'Rückzahlung?', { text: answer });
  expect(said).toContain(answer);
  expect(said).not.toContain('snow');
});

test('a list comes with the line that introduces it', () => {
  const list = 'Ways to repair that:\n\n- raise the quota of the server\n- delete old mail';
  const section = paragraphs(filler(2), list, filler(2, 'rain'));
  expect(from(section, 'How do I repair the quota?')).toBe(list);
});

test('code comes with its sentence, and keeps its indentation', () => {
  const code = 'Rename the files in a loop:\n\n    for f in *; do\n        mv $f $f.old\n    done';
  const section = paragraphs(filler(2), code, filler(2, 'rain'));
  expect(from(section, 'How do I rename files in a loop?')).toBe(code);
});

const table = Array.from({ length: 60 }, (_, i) => `Foot length: ${i + 100} mm; Size: ${i + 20}; Price: £${i + 40}`);

test('of a long table, the rows in question are quoted with its caption', () => {
  const section = paragraphs('Sizes of our boots', table.join('\n'));
  const said = from(section, 'Which size is a foot length of 140 mm?', { text: table.slice(38, 44).join('\n') });
  expect(said).toMatch(/^Sizes of our boots\n\n…\n\nFoot length: 1/);
  expect(said.split('\n\n').at(-1)!.split('\n')).toContain(table[40]);
  for (const row of said.split('\n\n').at(-1)!.split('\n')) expect(table).toContain(row);
  expect(said.length).toBeLessThan(600);
});

test('of a list that is too long, the introduction and the items in question are quoted, with ellipses for the rest', () => {
  const items = Array.from({ length: 60 }, (_, i) => `- option ${i}: sets the value of thing number ${i}`);
  items[40] = '- timeout: sets how many seconds it waits';
  const section = `These options change what it does:\n\n${items.join('\n')}`;
  const said = from(section, 'What sets the timeout seconds?', { text: items.slice(38, 43).join('\n') });
  expect(said).toMatch(
    /^These options change what it does:\n\n…\n\n- .*- timeout: sets how many seconds it waits.*\n\n…$/s,
  );
  expect(said.length).toBeLessThanOrEqual(600);
});

test('one list may take 1,200 characters where all of it is needed', () => {
  const steps = Array.from(
    { length: 9 },
    (_, i) => `${i + 1}. Turn the refund valve of pipe ${i} to the left${' and wait'.repeat(8)}.`,
  );
  expect(from(steps.join('\n'), 'refund valve?')).toBe(steps.join('\n'));
});

test('a paragraph that is too long is cut between sentences, an endless sentence between words or characters', () => {
  const said = from(`${filler(12)} The refund is paid on Friday. ${filler(12)}`, 'When is the refund paid?');
  expect(said).toContain('The refund is paid on Friday.');
  expect(said).toMatch(/^[TS][^…]*\.$/);
  expect(from('endless '.repeat(500), 'refund')).toMatch(/^(endless )+endless…$/);
  expect(from('x'.repeat(5_000), 'refund')).toMatch(/^x+…$/);
  expect(from('👩'.repeat(2_000), 'refund')).toMatch(/^(👩)+…$/u);
});

test('text without spaces is quoted by its sentences', () => {
  const answer = '押金在三到七个工作日内退回。';
  const other = '读者证可以借十二册书，每次三十天。'.repeat(30);
  const said = from(`${other}${answer}${other}`, '押金几天退回？', { language: 'zh', text: other });
  expect(said).toContain(answer);
  expect(said).toMatch(/^[读押].*。$/);
  expect(said.length).toBeLessThanOrEqual(600);
});

test('text from right to left is quoted by its sentences', () => {
  const answer = 'هزینه ارسال به تبریز چهل هزار تومان است.';
  const other = 'کتابخانه هر روز از ساعت نه باز است '.repeat(12).trim();
  const said = from(paragraphs(other, answer, other), 'هزینه ارسال به تبریز چقدر است؟', {
    language: 'fa',
    text: `${other}.`,
  });
  expect(said).toBe(answer);
});

test('what announces something that the page does not have ends with an ellipsis', () => {
  expect(from('Do the following:', 'x')).toBe('Do the following: …');
  expect(from('请执行以下命令：', 'x')).toBe('请执行以下命令： …');
});

test('an answer of an FAQ comes whole up to 1,200 characters, a longer one as whole sentences', () => {
  const whole = paragraphs(filler(2), 'The refund is paid.', filler(2));
  expect(whole.length).toBeGreaterThan(900);
  expect(from(whole, 'refund?', { isFaq: true })).toBe(whole);
  const said = from(paragraphs(...Array(20).fill(filler(1))), 'refund?', { isFaq: true });
  expect(said.length).toBeGreaterThan(900);
  expect(said.length).toBeLessThanOrEqual(1_200);
  expect(said).toMatch(/\.$/);
});

test('of two sections with about the same score, the one that covers the question is quoted', () => {
  const near = passage(paragraphs(filler(3, 'returns'), filler(3, 'orders')));
  const right = passage('You may return boots from the sale within 14 days of the order.', { score: 0.97 });
  expect(quoted('return boots sale days', near, right)).toBe(right.section);
  expect(quoted('return boots sale days', near, { ...right, score: 0.02 })).not.toBe(right.section);
});

test('passages of one section are one section, and blank ones none', () => {
  const section = 'One. Two.';
  const parts = [passage(section, { text: 'One.' }), passage(section, { text: 'Two.', score: 0.5 })];
  expect(sectionsOf(parts)).toEqual([{ text: section, passages: parts }]);
  expect(sectionsOf([passage('', { text: ' \n' })])).toEqual([]);
  expect(quote('x', [])).toBeUndefined();
});

const question = fc.constantFrom(
  'remove kernel',
  'mail server option',
  'debian release',
  '押金',
  'nothing like it',
  '',
);
const fromAny = (section: string, asked: string, isFaq = false) => quoted(asked, passage(section, { isFaq }));

test('a quote is not empty, does not end with a colon, and is not too long', () => {
  fc.assert(
    fc.property(anySection, question, fc.boolean(), (section, asked, isFaq) => {
      const said = fromAny(section, asked, isFaq);
      expect(said.trim()).not.toBe('');
      expect(isAnnouncing(said)).toBe(false);
      expect(said.length).toBeLessThanOrEqual(1_202);
      const isText = unitsOf(section).every(({ kind }) => kind === 'text');
      if (isText && !isFaq) expect(said.length).toBeLessThanOrEqual(602);
    }),
    { numRuns: 300 },
  );
});

test('whatever a quote has, the section has word for word: only ellipses are added', () => {
  fc.assert(
    fc.property(anySection, question, (section, asked) => {
      for (const part of fromAny(section, asked).split(/(?:^|\s*)…(?:\s*|$)/)) expect(section).toContain(part.trim());
    }),
  );
});

test('a quote begins and ends where a sentence, an item, a row or code does', () => {
  fc.assert(
    fc.property(anySection, question, (section, asked) => {
      const parts = unitsOf(section).flatMap(({ parts }) => parts);
      fc.pre(parts.every(({ from, to }) => to - from <= 600));
      for (const part of fromAny(section, asked)
        .split(/(?:^|\n\n| )…(?:\n\n|$)/)
        .filter(Boolean)) {
        const places = parts.filter(({ from }) => section.startsWith(part, from));
        expect(places.some(({ from }) => parts.some(({ to }) => to === from + part.length))).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test('any text at all can be quoted', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.string(), (section, asked) => {
      fc.pre(section.trim() !== '');
      expect(fromAny(section, asked)).not.toBe('');
    }),
    { examples: [['\r\u0000', '']] },
  );
});

test.each([' a', 'ab\n\n', 'ab. ', '- a\n', 'a; b\n', 'a:\n\n', '1 ', '(', 'x', '水', '    a\n\n'])(
  'quoting takes linear time for %j over and over',
  async (part) => {
    const question = part.repeat(1_000);
    expect(await superlinear((text) => fromAny(`.${text}`, question, true), [part])).toBeUndefined();
  },
);
