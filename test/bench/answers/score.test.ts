import { expect, test } from '@jest/globals';
import type { Places } from './places.ts';
import type { Question } from './questions.ts';
import { endsWithColon, holds, type Reply, score, withoutLists } from './score.ts';
import { question } from './testing/results.ts';

const FACTS = [['apt-mark hold'], ['unhold', 'release']];
const asked = question({ facts: FACTS });
const near = question({ kind: 'near', sections: [], facts: [] });
const places: Places = { leadsToPage: (url) => url.startsWith('/p'), leadsTo: (url) => url === '/p#here' };
const reply = (message: string, ...urls: string[]): Reply => ({
  message: urls.length > 0 ? `${message} [1]\n\nSources:\n[1] Page - ${urls[0]}` : message,
  sources: urls.map((url, i) => ({ n: i + 1, title: 'Page', url })),
  ...{ confidence: null, millis: 1 },
});
const scored = (asked: Question, answer: Reply) => score(asked, answer, places);

test('an answer is right with every fact, partial with some and wrong with none', () => {
  expect(scored(asked, reply('Run apt-mark hold, later apt-mark unhold.', '/p#here')).outcome).toBe('right');
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

test('an answer is cited if a source leads to the page, and by section if its anchor leads there', () => {
  const cited = (...urls: string[]) => scored(asked, reply('apt-mark unhold', ...urls));
  expect(cited('/p#here')).toMatchObject({ cited: true, citedSection: true });
  expect(cited('/p#there')).toMatchObject({ cited: true, citedSection: false });
  expect(cited('/q', '/p#here')).toMatchObject({ cited: true, citedSection: true });
  expect(cited('/q')).toMatchObject({ cited: false, citedSection: false });
  expect(cited()).toMatchObject({ cited: false, citedSection: false });
});

test('neither sources nor pages to see also are in the answer', () => {
  const sources = 'Quellen:\n[1] apt-mark hold - http://h/p#here';
  const message = `Nothing. [1]\n\nSiehe auch:\n- apt-mark unhold - http://h/q\n\n${sources}`;
  expect(withoutLists(message)).toBe('Nothing. [1]');
  expect(scored(asked, { ...reply('', '/p#here'), message })).toMatchObject({ outcome: 'wrong', length: 8 });
});

test.each(['Do either:\n- this\n- that', 'Sources:\n[1] Page', 'It works.\n\nThen: [1]'])(
  'what only looks like a list of links stays: %j',
  (message) => {
    expect(withoutLists(message)).toBe(message);
  },
);

test('a question without an answer is refused or answered, however unsure', () => {
  const nothing = reply('I found nothing.');
  expect(scored(asked, nothing).outcome).toBe('refused');
  expect(scored(near, nothing).outcome).toBe('refused');
  expect(scored(near, reply('Of course.', '/p#here')).outcome).toBe('answered');
  expect(scored(near, { ...nothing, confidence: 'low' }).outcome).toBe('answered');
});

test('what is said about being unsure belongs to no quote', () => {
  const unsure = question({ facts: FACTS, needs: ['Run it.'] });
  const answer = (confidence: Reply['confidence']) => ({
    ...reply('The closest I found:\n\nRun it.', '/p'),
    confidence,
  });
  expect(scored(unsure, answer('low')).quoted).toEqual({ needed: 1, said: 1 });
  expect(scored(unsure, answer('high')).quoted!.needed).toBeLessThan(0.5);
  expect(scored(asked, answer('low')).quoted).toBeNull();
  expect(scored(unsure, reply('I found nothing.')).quoted).toBeNull();
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
