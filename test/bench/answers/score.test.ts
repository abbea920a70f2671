import { expect, test } from '@jest/globals';
import type { Question } from './questions.ts';
import { endsWithColon, holds, type Places, score, withoutSources } from './score.ts';

const question = (kind: Question['kind'], facts: string[][] = []): Question => ({
  ...{ id: 'a/b/1', source: 'a', before: [], ask: 'How?' },
  kind,
  sections: facts.length > 0 ? ['page.html#here'] : [],
  facts,
});
const places: Places = {
  holds: (url, fact) => url.endsWith('#here') && holds('apt-mark hold and apt-mark unhold', fact),
  leadsTo: (url) => url.endsWith('#here'),
};
const REFUSALS = new Set(['I found nothing.']);
const reply = (message: string, ...urls: string[]) => ({
  message: urls.length > 0 ? `${message} [1]\n\nSources:\n[1] Page - ${urls[0]}` : message,
  sources: urls.map((url, i) => ({ n: i + 1, title: 'Page', url })),
  millis: 1,
});
const scored = (...[asked, answer]: [Question, ReturnType<typeof reply>]) => score(asked, answer, places, REFUSALS);

const FACTS = [['apt-mark hold'], ['unhold', 'release']];

test('an answer is correct with every fact, partial with some and wrong with none', () => {
  const asked = question('answerable', FACTS);
  expect(scored(asked, reply('Run apt-mark hold, later apt-mark unhold.', '/p#here')).outcome).toBe('correct');
  expect(scored(asked, reply('Run apt-mark hold.', '/p#here')).outcome).toBe('partial');
  expect(scored(asked, reply('Run nothing.', '/p#here')).outcome).toBe('wrong');
});

test('a fact counts in any of its wordings, whatever the case, spaces and typographic marks', () => {
  expect(holds('It  CAN’T\nbe done', ["it can't be"])).toBe(true);
  expect(holds('Use \u2013\u2013hold', ['--hold'])).toBe(true);
  expect(holds('after 20 runs', ['/\\b(twenty|20)\\b/'])).toBe(true);
  expect(holds('after 200 runs', ['twenty', '/\\b20\\b/'])).toBe(false);
  expect(holds('می\u200cخواهم', ['میخواهم'])).toBe(true);
});

test('a fact in the list of sources is not in the answer', () => {
  const answer = { ...reply('Nothing.', '/p#here'), message: 'Nothing. [1]\n\nQuellen:\n[1] apt-mark hold - /p#here' };
  expect(scored(question('answerable', [['apt-mark hold']]), answer).outcome).toBe('wrong');
  expect(withoutSources(answer.message)).toBe('Nothing. [1]');
});

test('an answer is cited if its sources hold every fact, and by section if an anchor leads there', () => {
  const asked = question('answerable', FACTS);
  expect(scored(asked, reply('apt-mark unhold', '/p#here'))).toMatchObject({ cited: true, citedSection: true });
  expect(scored(asked, reply('apt-mark unhold', '/p#there'))).toMatchObject({ cited: false, citedSection: false });
  expect(scored(asked, reply('apt-mark unhold'))).toMatchObject({ cited: false, citedSection: false });
});

test('a question with an answer that gets none is a false refusal', () => {
  expect(scored(question('answerable', FACTS), reply('I found nothing.')).outcome).toBe('refused');
  expect(scored(question('answerable', FACTS), reply('Perhaps apt-mark hold and unhold')).outcome).toBe('refused');
});

test('a question without an answer that gets one is a false answer', () => {
  for (const kind of ['near', 'foreign'] as const) {
    expect(scored(question(kind), reply('Of course.', '/p#here')).outcome).toBe('answered');
    expect(scored(question(kind), reply('I found nothing.')).outcome).toBe('refused');
  }
});

test('small talk is answered with neither the refusal nor a page', () => {
  expect(scored(question('talk'), reply('Hello! What would you like to know?')).outcome).toBe('correct');
  expect(scored(question('talk'), reply('I found nothing.')).outcome).toBe('refused');
  expect(scored(question('talk'), reply('Hello is a package.', '/p#here')).outcome).toBe('wrong');
});

test.each([
  ['Execute either: [1]\n\nSources:\n[1] Page - /p', true],
  ['Execute either: [1][2]\n\nIt works. [2]\n\nSources:\n[1] Page - /p\n[2] Page - /q', true],
  ['Execute either:', true],
  ['Execute either:\n\ndpkg --search foo [1]\n\nSources:\n[1] Page - /p', false],
  ['Nothing was found.', false],
])('a statement that ends with a colon is noticed: %j', (message, expected) => {
  expect(endsWithColon(message)).toBe(expected);
});

test('the length is that of the message without marks and sources', () => {
  expect(scored(question('near'), reply('12345', '/p')).length).toBe(5);
});
