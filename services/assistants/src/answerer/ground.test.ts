import { expect, test } from '@jest/globals';
import { NO_EVIDENCE, type Passage } from '../domain/cite.ts';
import { ground, MalformedAnswer, MisquotedAnswer } from './ground.ts';
import { shownWhole } from './testing/shown.ts';

const passage = (title: string, text: string): Passage => ({ title, text, url: `https://${title}.example/`, score: 1 });
const passages = [
  passage('hours', 'The shop opens at nine.\nOn Sundays, it stays closed.'),
  passage('refunds', 'Refunds are paid within 14 days — always.'),
];
const QUESTION = 'When does the shop open, and when are refunds paid?';
const write = (quotes: unknown, answer: unknown, question = QUESTION, from: readonly Passage[] = passages) =>
  ground(JSON.stringify({ quotes, answer }), shownWhole(from), question);
const answerOf = ({ message }: { message: string }) => message.split('\n\nSources:\n')[0]!;

test('the source is the passage with the quote, despite changes of case, spaces and punctuation', () => {
  for (const quote of ['Refunds are paid within 14 days', '"REFUNDS  are paid\nwithin 14 days - always!"'])
    expect(write([quote], 'Within 14 days.')).toEqual({
      message: 'Within 14 days. [1]\n\nSources:\n[1] refunds - https://refunds.example/',
      sources: [{ n: 1, title: 'refunds', url: 'https://refunds.example/' }],
      cited: [passages[1]],
    });
});

test('quotes in no passage are dropped; an answer left without any is misquoted', () => {
  expect(write(['The shop opens at nine.', 'Free beer.'], 'At nine.').sources.map((s) => s.title)).toEqual(['hours']);
  for (const quotes of [['Free beer for everyone.'], ['the'], [''], ['shop opens at nineteen']])
    expect(() => write(quotes, 'Yes, certainly.')).toThrow(MisquotedAnswer);
});

test('an answer without quotes is no evidence', () => {
  expect(write([], 'Yes, certainly.')).toEqual(NO_EVIDENCE);
});

test('a title or a heading alone is no quote; with words of the text it is', () => {
  const page = { ...passage('Orders and returns', '## Ways of delivery\nParcels take a day.'), headings: ['Shipping'] };
  const from = (quote: string) => write([quote], 'Parcels take a day.', 'How long do parcels take?', [page]);
  for (const quote of ['Orders and returns', '## Ways of delivery', 'Orders and returns - Shipping - Ways of delivery'])
    expect(() => from(quote)).toThrow(MisquotedAnswer);
  for (const quote of ['Ways of delivery: Parcels take a day.', 'Parcels take a day'])
    expect(from(quote).sources).toHaveLength(1);
});

test('a question that a page asks is no answer to it', () => {
  const asks = [passage('hours', 'When does the shop open?\n\nIt opens at nine.')];
  expect(() => write(['When does the shop open?'], 'When does the shop open?', QUESTION, asks)).toThrow(
    MisquotedAnswer,
  );
  expect(() => write(['When does the shop open?'], 'At ten.', QUESTION, asks)).toThrow(MisquotedAnswer);
  expect(answerOf(write(['open?\n\nIt opens at nine.'], 'At nine.', QUESTION, asks))).toBe('At nine. [1]');
});

test('an answer that the model calls unknown is the sentence that says so, whatever it quotes', () => {
  expect(write(['The shop opens at nine.'], 'NOT_IN_KNOWLEDGE')).toEqual(NO_EVIDENCE);
});

test('numbers that the model writes are not mistaken for marks', () => {
  const { message, sources } = write(['The shop opens at nine.'], 'At nine [9].');
  expect(message).toMatch(/^At nine\. \[1\]\n/);
  expect(sources).toHaveLength(1);
});

test.each([
  ['a number', 'It opens at eight.'],
  ['a name', 'Miller opens it at nine.'],
  ['a command', 'Run `open --now` at nine.'],
  ['a word', 'It opens at nine and breakfast is free.'],
  ['a denial', 'It does not open at nine.'],
  ['a restriction', 'It opens only at nine.'],
  ['a yes', 'Yes, certainly.'],
  ['nothing that can be checked', 'It does.'],
])('an answer that adds %s to its quotes is replaced by whole sentences of the page', (_, answer) => {
  expect(answerOf(write(['opens at nine'], answer))).toBe('The shop opens at nine. [1]');
});

test('an answer that leaves out a denial of its quote is replaced by the quote', () => {
  const water = passage('water', 'Do not use softened water: its salt harms the roots.');
  const asked = (answer: string) => answerOf(write([water.text], answer, 'May I use softened water?', [water]));
  expect(asked('Use softened water.')).toBe(`${water.text} [1]`);
  expect(asked('Yes, you may use softened water.')).toBe(`${water.text} [1]`);
  expect(asked('No, do not use softened water.')).toBe('No, do not use softened water. [1]');
});

test('quotes that replace an answer keep the list and its introduction, and never end with a colon', () => {
  const text =
    'It will not start. Solutions that do not work:\n- Restart the box\n- Shout at it\n\nRun this instead:\n\n    boxctl --repair\n\nThen wait.';
  const page = passage('box', text);
  const asked = (quote: string) =>
    answerOf(write([quote], 'Eat a sandwich!', 'How do I restart and repair the box?', [page]));
  expect(asked('Restart the box')).toBe('Solutions that do not work:\n- Restart the box\n- Shout at it [1]');
  expect(asked('Run this instead:')).toMatch(/^Run this instead:\s+boxctl --repair\s+\[1\]$/);
  // The item alone would say the opposite.
  expect(answerOf(write(['Restart the box'], 'Restart the box.', 'How do I repair the box?', [page]))).toContain(
    'do not work',
  );
});

test('a polite sentence without content is left out, not a reason to drop the answer', () => {
  expect(answerOf(write(['The shop opens at nine.'], 'Great question! It opens at nine.'))).toBe(
    'It opens at nine. [1]',
  );
});

test('quotes of another subject than the question are no evidence, unless the search is sure of their passage', () => {
  const question = 'Which dentist speaks Portuguese?';
  expect(write(['The shop opens at nine.'], 'The shop opens at nine.', question)).toEqual(NO_EVIDENCE);
  const sure = [{ ...passages[0]!, evidence: 0.9 }];
  expect(write(['The shop opens at nine.'], 'The shop opens at nine.', question, sure).sources).toHaveLength(1);
});

test('an answer cites only the quotes that it uses', () => {
  const { sources } = write(['The shop opens at nine.', 'Refunds are paid within 14 days'], 'The shop opens at nine.');
  expect(sources.map(({ title }) => title)).toEqual(['hours']);
});

test('links, images and addresses that the model invents are removed; those of the passages stay', () => {
  const cases: [string, string][] = [
    ['Nine: [the shop](https://evil.example/?q=secret).', 'Nine: the shop.'],
    ['![x](https://evil.example/p.png)Nine.', 'Nine.'],
    ['At nine <img src="https://evil.example/p"> the shop opens.', 'At nine the shop opens.'],
    ['[[nine](b)](https://evil.example)', 'nine'],
  ];
  for (const [written, plain] of cases)
    expect(answerOf(write(['The shop opens at nine.'], written))).toBe(`${plain} [1]`);
  const page = passage('hours', 'The shop opens at nine, see https://hours.example/ first.');
  const { message } = write([page.text], 'At nine, see https://hours.example/ first.', QUESTION, [page]);
  expect(message).toMatch(/^At nine, see https:\/\/hours\.example\/ first\. \[1\]/);
});

test('an object in a code fence or after a word is parsed', () => {
  const json = '{"quotes": ["The shop opens at nine."], "answer": "At nine."}';
  for (const written of [json, `\`\`\`json\n${json}\n\`\`\``, `Sure: ${json} Done.`])
    expect(ground(written, shownWhole(passages), QUESTION).sources).toHaveLength(1);
});

test('anything else is malformed', () => {
  for (const written of [
    '',
    'At nine.',
    '{"quotes": ["The shop',
    '{"answer": "x"}',
    '[]',
    '{"quotes": "x", "answer": 1}',
  ])
    expect(() => ground(written, shownWhole(passages), QUESTION)).toThrow(MalformedAnswer);
});
