import { expect, test } from '@jest/globals';
import { NO_EVIDENCE, type Passage } from '../domain/cite.ts';
import { ground, MalformedAnswer, MisquotedAnswer } from './ground.ts';

const passage = (title: string, text: string): Passage => ({ title, text, url: `https://${title}.example/`, score: 1 });
const passages = [
  passage('hours', 'The shop opens at nine.\nOn Sundays, it stays closed.'),
  passage('refunds', 'Refunds are paid within 14 days — always.'),
];
const write = (quotes: unknown, answer: unknown) => ground(JSON.stringify({ quotes, answer }), passages);

test('the source is the passage that holds the quote, whatever became of case, spaces and punctuation', () => {
  for (const quote of ['Refunds are paid within 14 days', '"REFUNDS  are paid\nwithin 14 days - always!"'])
    expect(write([quote], 'In two weeks.')).toEqual({
      message: 'In two weeks. [1]\n\nSources:\n[1] refunds - https://refunds.example/',
      sources: [{ n: 1, title: 'refunds', url: 'https://refunds.example/' }],
    });
});

test('quotes that no passage holds are dropped; an answer that is left without one is misquoted', () => {
  expect(write(['The shop opens at nine.', 'Free beer.'], 'At nine.').sources.map((s) => s.title)).toEqual(['hours']);
  for (const quotes of [['Free beer for everyone.'], ['the'], [''], ['shop opens at nineteen']])
    expect(() => write(quotes, 'Yes, certainly.')).toThrow(MisquotedAnswer);
});

test('an answer for which nothing is quoted is no evidence', () => {
  expect(write([], 'Yes, certainly.')).toEqual(NO_EVIDENCE);
});

test('a title or a heading is no quote by itself; with words of the text it is', () => {
  const page = passage('Orders and returns', '## Ways of delivery\nParcels take a day.');
  const from = (quote: string) => ground(JSON.stringify({ quotes: [quote], answer: 'A day.' }), [page]);
  for (const quote of ['Orders and returns', '## Ways of delivery', 'Orders and returns - Ways of delivery'])
    expect(() => from(quote)).toThrow(MisquotedAnswer);
  for (const quote of ['Ways of delivery: Parcels take a day.', 'Parcels take a day'])
    expect(from(quote).sources).toHaveLength(1);
});

test('what the model calls unknown is the sentence that says so, whatever it quotes', () => {
  expect(write(['The shop opens at nine.'], 'NOT_IN_KNOWLEDGE')).toEqual(NO_EVIDENCE);
});

test('numbers that the model writes are not taken for marks', () => {
  const { message, sources } = write(['The shop opens at nine.'], 'At nine [2], they say [17].');
  expect(message).toMatch(/^At nine, they say\. \[1\]\n/);
  expect(sources).toHaveLength(1);
});

test('links, images and addresses that the model made do not survive; those of the passages do', () => {
  const cases: [string, string][] = [
    ['See [the page](https://evil.example/?q=secret).', 'See the page.'],
    ['![x](https://evil.example/p.png)Nine.', 'Nine.'],
    ['Nine <img src="https://evil.example/p"> o’clock.', 'Nine o’clock.'],
    ['Go to https://evil.example/a?b=c, now.', 'Go to, now.'],
    ['Go to <https://evil.example>.', 'Go to.'],
    ['[x][1]\n\n[1]: https://evil.example', 'x'],
    ['[[a](b)](https://evil.example)', 'a'],
    ['javascript:alert(1)', ')'],
    ['www.evil.example is it', 'is it'],
    ['Look at https://hours.example/ first.', 'Look at https://hours.example/ first.'],
    ['a < b and c > d', 'a < b and c > d'],
  ];
  for (const [written, plain] of cases)
    expect(write(['The shop opens at nine.'], written).message.split(' [1]\n')[0]).toBe(plain);
});

test('an object in a code fence or behind a word is read', () => {
  const json = '{"quotes": ["The shop opens at nine."], "answer": "At nine."}';
  for (const written of [json, `\`\`\`json\n${json}\n\`\`\``, `Sure: ${json} Done.`])
    expect(ground(written, passages).sources).toHaveLength(1);
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
    expect(() => ground(written, passages)).toThrow(MalformedAnswer);
});
