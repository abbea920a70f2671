import { expect, test } from '@jest/globals';
import { superlinear } from '@parley/runtime/testing';
import fc from 'fast-check';
import { isAnnouncing, type Range, unitsOf } from './blocks.ts';
import { anySection } from './testing/sections.ts';

const said = (text: string) => (range: Range) => text.slice(range.from, range.to);
const units = (text: string) => unitsOf(text).map(said(text));
const parts = (text: string) => unitsOf(text).flatMap((unit) => unit.parts.map(said(text)));
const kinds = (text: string) => unitsOf(text).map(({ kind }) => kind);

test('paragraphs, lists, tables and code are told apart, and a heading stays with what it names', () => {
  const text =
    '# Files\nOne\nparagraph.\n\n- first\n  more of it\n- second\n\n1. next\n\nSize: 41; Price: 9\nSize: 42; Price: 8\n\nThe end.';
  expect(units(text)).toEqual([
    '# Files\nOne\nparagraph.',
    '- first\n  more of it\n- second\n\n1. next',
    'Size: 41; Price: 9\nSize: 42; Price: 8',
    'The end.',
  ]);
  expect(kinds(text)).toEqual(['text', 'list', 'lines', 'text']);
});

test.each([
  ['a colon', 'Ways that do not work:\n\n- one\n- two', 'list'],
  ['a colon, without a blank line', 'Ways that do not work:\n- one\n- two', 'list'],
  ['a caption', 'Prices for a night\n\nRoom: Attic; Price: 9\nRoom: Garden; Price: 12', 'lines'],
  ['the beginning of a sentence', 'Rather, do\n\n- this\n- that', 'list'],
  ['a sentence before code', 'Run this.\n\n    npm start', 'code'],
  ['a full-width colon', '请执行以下命令：\n\n    npm start', 'code'],
  ['a sentence that goes on', 'Run\n\n    npm start\n\nwhich is faster.', 'code'],
])('what %s introduces is not separated from it', (_, text, kind) => {
  expect(units(`Before.\n\n${text}\n\nAfter.`)).toEqual(['Before.', text, 'After.']);
  expect(kinds(text)).toEqual([kind]);
});

test('a list knows the short sentence before it, which is another paragraph', () => {
  const text = 'We have shops. These are our towns.\n\n- Leeds\n- York';
  expect(unitsOf(text).map(({ lead }) => lead && said(text)(lead))).toEqual([undefined, 'These are our towns.']);
});

test.each([
  ['items with what they contain', '- one\n  - nested\n- two\n  more', ['- one\n  - nested', '- two\n  more']],
  ['rows', 'Standard | 4 days | £4\nExpress | 1 day | £9', ['Standard | 4 days | £4', 'Express | 1 day | £9']],
  ['terms with their meanings', 'PORT\nThe port.\nHOST\nThe host.', ['PORT\nThe port.', 'HOST\nThe host.']],
  ['sentences', 'First one. Second one? Third!', ['First one.', 'Second one?', 'Third!']],
  ['sentences of a script without spaces', '押金三天内退回。请带身份证！', ['押金三天内退回。', '请带身份证！']],
  [
    'sentences from right to left',
    'کتابخانه هر روز باز است. آیا جمعه هم باز است؟ بله.',
    ['کتابخانه هر روز باز است.', 'آیا جمعه هم باز است؟', 'بله.'],
  ],
  [
    'sentences over lines that are broken because the window was narrow',
    'The parcel leaves our house on the day of\nthe order and arrives two days later. You\nget a message.',
    ['The parcel leaves our house on the day of\nthe order and arrives two days later.', 'You\nget a message.'],
  ],
])('parts are %s', (_, text, expected) => {
  expect(parts(text)).toEqual(expected);
});

test('what announces something is never the end of a unit, unless nothing follows', () => {
  fc.assert(
    fc.property(anySection, (text) => {
      for (const unit of units(text).slice(0, -1)) expect(isAnnouncing(unit)).toBe(false);
    }),
  );
});

test('units cover a text in order, and parts their unit: only blank space is between them', () => {
  const covers = (text: string, ranges: readonly Range[], from = 0, to = text.length) => {
    let at = from;
    for (const range of ranges) {
      expect(text.slice(at, range.from).trim()).toBe('');
      expect(range.to).toBeGreaterThan(range.from);
      at = range.to;
    }
    expect(text.slice(at, to).trim()).toBe('');
  };
  fc.assert(
    fc.property(fc.oneof(anySection, fc.string({ unit: 'binary' })), (text) => {
      covers(text, unitsOf(text));
      for (const { parts, from, to } of unitsOf(text)) covers(text, parts, from, to);
    }),
    { examples: [['\r\u0000'], ['a\n\r\n- b']] },
  );
});

test.each([
  ' ',
  'a',
  '1',
  '(',
  ':',
  '#',
  '- ',
  '- a\n',
  'a\n',
  'a; b\n',
  'a | b\n',
  '    a\n',
  '\n\n',
  'a.\n\n',
  '水',
  'a: b; ',
  '۱ ',
])('takes linear time for %j over and over', async (part) => {
  expect(await superlinear(unitsOf, [part])).toBeUndefined();
});
