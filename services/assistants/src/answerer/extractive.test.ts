import { expect, test } from '@jest/globals';
import type { Passage } from '../domain/cite.ts';
import { createExtractiveAnswerer } from './extractive.ts';

const passage = (text: string, more: Partial<Passage> = {}): Passage => ({
  title: 'Page',
  url: `https://docs.example/${text.length}`,
  text,
  score: 1,
  ...more,
});
const filler = (word: string, sentences: number) =>
  Array.from({ length: sentences }, (_, i) => `The ${word} ${i} is long and tells of weather.`).join(' ');

const answer = (question: string, ...passages: Passage[]) =>
  createExtractiveAnswerer().answer({ question, history: [], passages }, new AbortController().signal);
const body = async (question: string, ...passages: Passage[]) =>
  (await answer(question, ...passages)).message.split('\n\nSources:')[0]!;

test('the sentences that share most with the question are quoted whole, with their source', async () => {
  const text = `${filler('north', 20)} Refunds are paid within 14 days. Write to the desk. ${filler('south', 20)}`;
  const said = await body('When is a refund paid?', passage(text));
  expect(said).toMatch(/^Refunds are paid within 14 days\. Write to the desk\. .*\. \[1\]$/s);
  expect(said.length).toBeLessThanOrEqual(604);
});

test('what shares no word with the question is quoted from its start', async () => {
  expect(await body('How come?', passage(`First. ${filler('x', 40)}`))).toMatch(/^First\. /);
});

test('a sentence that is too long ends at a word, with an ellipsis', async () => {
  const said = await body('long?', passage(`${'long words '.repeat(100)}end.`));
  expect(said).toMatch(/(long|words)… \[1\]$/);
  expect(said.length).toBeLessThanOrEqual(604);
});

test('a second passage is heard where it is as good and says something else', async () => {
  const first = passage('Shipping takes two days.', { url: 'https://a.example/' });
  const second = passage('Shipping abroad costs ten euros.', { url: 'https://b.example/', score: 0.95 });
  const { message, sources } = await answer('What about shipping?', first, second);
  expect(message).toContain('two days. [1]\n\nShipping abroad costs ten euros. [2]\n\nSources:');
  expect(sources.map((s) => s.url)).toEqual(['https://a.example/', 'https://b.example/']);
});

test('a second passage that says the same, is far behind or speaks of something else is not', async () => {
  const first = passage('Shipping takes two days.');
  for (const second of [
    passage('Shipping takes two days!', { url: 'https://copy.example/' }),
    passage('Shipping abroad costs ten euros.', { score: 0.5 }),
    passage('Opening hours are short.'),
  ])
    expect((await answer('What about shipping?', first, second)).sources).toHaveLength(1);
});

test('the same question and passages give the same answer', async () => {
  const passages = [passage(filler('a', 30)), passage(filler('b', 30), { score: 0.9 })];
  expect(await answer('weather?', ...passages)).toEqual(await answer('weather?', ...passages));
});

test('a passage of nothing but spaces or of one endless word still gives an answer', async () => {
  expect(await body('x?', passage('   '))).toBe('[1]');
  expect((await body('x?', passage('x'.repeat(5_000)))).length).toBeLessThanOrEqual(604);
});
