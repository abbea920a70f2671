import { expect, test } from '@jest/globals';
import { cpuMs } from '@parley/runtime/testing';
import fc from 'fast-check';
import { partsOfQuestion } from './parts-of-question.ts';

test.each<[string, string[]]>([
  [
    'How do I install a package and how do I remove it later?',
    ['How do I install a package', 'how do I remove it later?'],
  ],
  ['What is a tag, and what is a branch?', ['What is a tag', 'what is a branch?']],
  ['What is a commit? What is a branch?', ['What is a commit?', 'What is a branch?']],
  [
    'I have a server. How do I back it up? And how often should I? Thanks!',
    ['I have a server. How do I back it up?', 'And how often should I?'],
  ],
  ['Wie installiere ich es und wie entferne ich es wieder?', ['Wie installiere ich es', 'wie entferne ich es wieder?']],
  ['Comment installer un paquet et comment le supprimer ?', ['Comment installer un paquet', 'comment le supprimer ?']],
  ['¿Cuánto cuesta el envío y cuándo llega?', ['¿Cuánto cuesta el envío', 'cuándo llega?']],
  ['Как установить пакет и как его удалить?', ['Как установить пакет', 'как его удалить?']],
  ['چطور بسته نصب کنم و چگونه آن را حذف کنم؟', ['چطور بسته نصب کنم', 'چگونه آن را حذف کنم؟']],
  ['كم تكلفة الشحن وكيف أعيد المنتج؟', ['كم تكلفة الشحن', 'كيف أعيد المنتج؟']],
  ['运费是多少？怎么退货？', ['运费是多少？', '怎么退货？']],
])('%j asks several things', (message, parts) => {
  expect(partsOfQuestion(message)).toEqual(parts);
});

test.each([
  'What is the capital of France?',
  'How do I find and remove files?',
  'Is it free and open source?',
  'What is the difference between apt and aptitude?',
  'How do I do it? Why?',
  'salt and whatever pepper',
  '',
  `${'Really? '.repeat(100)}`,
])('%j asks one thing, or too much', (message) => {
  expect(partsOfQuestion(message)).toEqual([]);
});

test('there are two or three parts, or none, and each is in the message', () => {
  const words = fc.constantFrom(
    'how',
    'and',
    'what',
    'is',
    'package?',
    'the',
    'und',
    'wie',
    'installed,',
    '?',
    'e',
    'y',
  );
  fc.assert(
    fc.property(
      fc.array(words, { maxLength: 40 }).map((all) => all.join(' ')),
      (message) => {
        const parts = partsOfQuestion(message);
        expect([0, 2, 3]).toContain(parts.length);
        for (const part of parts) expect(message).toContain(part);
      },
    ),
  );
});

test('hostile messages take no time', () => {
  for (const unit of [' and ', ', ', ' ', 'und  ', '?', ' o que'])
    expect(cpuMs(() => partsOfQuestion(unit.repeat(600).slice(0, 600)))).toBeLessThan(500);
});
