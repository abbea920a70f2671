import { expect, test } from '@jest/globals';
import { createAnalyzer } from '@parley/language';
import { superlinear } from '@parley/runtime/testing';
import fc from 'fast-check';
import { Marked } from 'marked';
import { type Passage, withoutSources } from '../domain/cite.ts';
import type { Question } from './answerer.ts';
import { createDraft } from './draft.ts';
import { createMaterial } from './material.ts';
import { showPassages } from './shown.ts';

const analyze = createAnalyzer();
const page = (title: string, text: string): Passage => ({
  title,
  text,
  url: `https://shop.example/${title}`,
  score: 1,
});
const passages = [
  page('Hours', 'The shop opens at nine in the morning. On Sundays it stays closed. Call 030 1234567.'),
  page('Refunds', 'Refunds are paid within 14 days. Returning a parcel costs €4.90. See https://shop.example/returns.'),
  page(
    'Repair',
    'Run `boxctl --repair /dev/box0` and wait. Then list[1] shows the state. See [click](https://evil.example/p).',
  ),
];

/** Releases a text that arrives in pieces, and the whole of it. */
function draftOf(text: string, { size = 3, ...asked }: { size?: number } & Partial<Question> = {}) {
  const shown = showPassages(asked.passages ?? passages, 100_000);
  const material = createMaterial({ question: 'How?', history: [], ...asked }, shown, { analyze, today: new Date() });
  const parts: string[] = [];
  const draft = createDraft(material, { text: (part) => void parts.push(part), sources: () => {} });
  for (let at = 0; at < text.length; at += size) draft.push(text.slice(at, at + size));
  const early = [...parts];
  draft.end();
  const answer = draft.answer();
  return { parts, early, answer, text: answer && withoutSources(answer.message), withheld: draft.withheld };
}
const textOf = (written: string, asked?: Partial<Question>) => draftOf(written, asked).text;

test.each([
  ['a mark before the full stop', 'It opens at nine [1].', 'It opens at nine [1].'],
  ['a mark after it', 'It opens at nine. [1]', 'It opens at nine. [1]'],
  ['a mark right after a word', 'It opens at nine[1].', 'It opens at nine [1].'],
  ['several marks', 'Open at nine; refunds take 14 days [1][2].', 'Open at nine; refunds take 14 days [1][2].'],
  ['a group of marks', 'Open at nine; refunds take 14 days [2, 1].', 'Open at nine; refunds take 14 days [1][2].'],
  ['a range of marks', 'All of it is there [1-3].', 'All of it is there [1][2][3].'],
  ['marks of other scripts', '九点开门【1】。十四天内退款［2］。', '九点开门[1]。十四天内退款[2]。'],
  ['marks in Persian digits', 'ساعت ۹ باز می‌شود [۱].', 'ساعت ۹ باز می‌شود [1].'],
  ['a mark that names no passage', 'It opens at nine [1][9].', 'It opens at nine [1].'],
  [
    'a list',
    'Do this:\n\n- Open at nine [1]\n- Refund in 14 days [2]',
    'Do this:\n\n- Open at nine [1]\n- Refund in 14 days [2]',
  ],
  ['numbers of a list', '1. Open. [1]\n2. Close. [1]\n3. Rest. [1]', '1. Open. [1]\n2. Close. [1]\n3. Rest. [1]'],
  ['paragraphs', 'It opens at nine [1].\n\nRefunds follow [2].', 'It opens at nine [1].\n\nRefunds follow [2].'],
  ['an index in code', 'Then list[1] shows the state [3].', 'Then list[1] shows the state [1].'],
  [
    'code',
    'Run this [3]:\n```sh\nboxctl --repair /dev/box0\n```\nThen wait.',
    'Run this [1] :\n\nboxctl --repair /dev/box0\n\nThen wait.',
  ],
  ['a list of sources of its own', 'At nine [1].\n\nSources:\n[1] Hours - https://shop.example/Hours', 'At nine [1].'],
  ['a lead-in without anything', 'At nine [1].\n\nDo this:', 'At nine [1].'],
])('%s', (_, written, shown) => {
  expect(textOf(written)?.replace(/\n+/g, '\n')).toBe(shown.replace(/\n+/g, '\n'));
});

test.each([
  ['a number', 'It closes at 17 [1].'],
  ['a number of another passage', 'It opens after 14 minutes [1].'],
  ['an amount', 'Returning a parcel costs €5.90 [2].'],
  ['a percentage', 'Returning costs 14% [2].'],
  ['another currency', 'Returning a parcel costs $4.90 [2].'],
  ['another unit', 'Refunds are paid within 14 weeks [2].'],
  ['a date', 'Refunds are paid by 14 May [2].'],
  ['a phone number', 'Call 030 1234576 [1].'],
  ['an address', 'See https://shop.example/refund-form [2].'],
  ['the beginning of an address', 'See https://shop.example.evil.example [2].'],
  ['a mail address', 'Write to help@shop.example [1].'],
  ['an option', 'Run `boxctl --wipe /dev/box0` [3].'],
  ['a command without a fence', 'Run boxctl with --force now [3].'],
  ['a name of a product', 'It takes the battery CR2032 [3].'],
  ['code in a block', 'Then [3]:\n```\nboxctl --format\n```'],
])('a sentence that makes up %s is withheld', (_, written) => {
  const { text = '', withheld } = draftOf(`It opens at nine [1]. ${written}`);
  expect(text.startsWith('It opens at nine [1].')).toBe(true);
  expect(text).not.toContain(written.slice(-12, -5));
  expect(withheld).toHaveLength(1);
});

test.each([
  ['the question', 'You asked about 77 boxes [1].', { question: 'Do you have 77 boxes?' }],
  [
    'what was said before',
    'Your order 88123 is not mentioned [1].',
    { history: [{ by: 'user', message: 'Order 88123' }] },
  ],
  ['today', `It is ${new Date().getUTCFullYear()} now [1].`, {}],
  ['the address of a passage', 'See shop.example/Refunds [2].', {}],
  ['a sum', 'Two returns cost €9.80 [2].', { question: 'What do 2 returns cost?' }],
] as const)('facts may come from %s', (_, written, asked) => {
  expect(textOf(written, asked as Partial<Question>)?.replace(/\d\]/g, '')).toBe(written.replace(/\d\]/g, ''));
});

test('nothing is released before the first sentence with a source; then every sentence at once', () => {
  const { early } = draftOf('Good question! Let me look. It opens at nine [1]. It never sleeps. On Sund', { size: 1 });
  expect(early).toEqual(['Good question!', ' Let me look.', ' It opens at nine [1].', ' It never sleeps.']);
  expect(draftOf('Good question! Let me look.').answer).toBeUndefined();
});

test('a sentence that is not cited gets the mark of the only passage that has its facts', () => {
  expect(textOf('It opens at nine [1]. Returning a parcel costs €4.90.')).toBe(
    'It opens at nine [1]. Returning a parcel costs €4.90. [2]',
  );
  expect(textOf('Eine Rücksendung kostet 4,90 €.')).toBe('Eine Rücksendung kostet 4,90 €. [1]');
  expect(textOf('The moon is made of cheese.')).toBeUndefined();
});

test('however a text arrives, its parts are the message, and every mark has its source', () => {
  const piece = fc.constantFrom(
    ...[
      'It opens at nine',
      ' [1]',
      '[2]',
      '[1, 3]',
      '. ',
      '.',
      '\n',
      '\n\n- ',
      'Yes! ',
      '。',
      '九点',
      '```',
      ' 14 days',
      ' 99',
      '[9]',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), (pieces, size) => {
      const { parts, answer, text } = draftOf(pieces.join(''), { size });
      if (!answer) return expect(parts).toEqual([]);
      expect(parts.join('')).toBe(text);
      const marks = [...text!.matchAll(/\[(\d+)\]/g)].map(([, n]) => Number(n));
      expect([...new Set(marks)].sort()).toEqual(answer.sources.map(({ n }) => n));
    }),
    { numRuns: 500 },
  );
});

test('whatever a model writes, its answer renders without links, images, HTML and addresses of its own', () => {
  const piece = fc.constantFrom(
    ...[
      '[',
      ']',
      '(',
      ')',
      '](',
      '![',
      '<',
      '>',
      '`',
      '```',
      '\n',
      ' ',
      ':',
      'word',
      '[1]',
      '[9]',
      '\u200b',
      'Sources:\n',
      '. ',
    ],
    ...[
      'https://evil.example/?q=secret',
      'www.evil.example',
      'javascript:alert(1)',
      '<img src=x>',
      '[a](b)',
      '[x]: /y',
    ],
    ...[
      'ht',
      'tps://evil.example/?q=secret',
      '[click](https://evil.example/p)',
      '<img src=https://evil.example/x.png>',
    ],
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 16 }), (written) => {
      const { answer } = draftOf(`Well [1]. ${written.join('')}`);
      const marked = new Marked({ gfm: false });
      marked.walkTokens(marked.lexer(answer?.message ?? ''), ({ type }) =>
        expect(['link', 'image', 'html', 'def']).not.toContain(type),
      );
      expect(answer?.message ?? '').not.toContain('?q=secret');
    }),
    { numRuns: 1_000 },
  );
});

test.each([' ', 'a', '1', '[', '(', '`', 'a.', '1 ', '\n', 'a@', '三', 'It costs 17. '])(
  'the time to check an answer is linear in its length: %j',
  async (unit) => {
    expect(await superlinear((text) => draftOf(text, { size: 8 }), [unit])).toBeUndefined();
  },
);
