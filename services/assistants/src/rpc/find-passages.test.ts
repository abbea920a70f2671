import { beforeEach, expect, test } from '@jest/globals';
import type { Rewritten } from '../answerer/answerer.ts';
import { NO_EVIDENCE } from '../domain/cite.ts';
import { ask, knowledge, model, shop, startAssistants } from '../testing/assistants.ts';
import { OPENING_HOURS } from '../testing/knowledge.ts';

const refunds = { ...OPENING_HOURS, id: 'refunds', title: 'Refunds', evidence: 0.6 };
const hours = { ...OPENING_HOURS, id: 'hours' };

beforeEach(() => {
  knowledge.passages = [hours];
  knowledge.passagesFor = {};
});

/** A replica whose model says how to search, and what it was given to answer from. */
async function searching(rewritten: Partial<Rewritten>) {
  const asked: { question: string; history: number; languages: readonly string[] }[] = [];
  const given: string[][] = [];
  const replica = await startAssistants({
    name: 'test/1',
    async answer({ passages }) {
      given.push(passages.map(({ title }) => title));
      return NO_EVIDENCE;
    },
    async rewrite({ question, history }, languages) {
      asked.push({ question, history: history.length, languages });
      return { queries: [question], asksNothing: false, ...rewritten };
    },
  });
  return { replica, asked, given };
}

test('the first message in the language of the knowledge is searched as it is, without asking how', async () => {
  knowledge.passages = [{ ...hours, language: 'en' }];
  const { replica, asked } = await searching({});
  const place = await shop();
  const searches = knowledge.searches.length;
  await ask(place, { replica, message: 'When does the shop open on Sundays?' });
  expect(asked).toEqual([]);
  expect(knowledge.searches.slice(searches)).toMatchObject([{ limit: 50, context: [] }]);
});

test('a message in another language is searched in the language of the knowledge, too, and the surest passages come first', async () => {
  knowledge.passages = [{ ...refunds, language: 'en', evidence: 0.3 }];
  knowledge.passagesFor = { 'opening hours': [hours, refunds] };
  const message = 'Wann macht der Laden am Sonntag auf?';
  const { replica, asked, given } = await searching({ queries: [message, 'opening hours'] });
  await ask(await shop(), { replica, message });
  expect(asked).toEqual([{ question: message, history: 0, languages: ['en'] }]);
  expect(given).toEqual([['Opening hours', 'Refunds']]);
});

test('a follow-up is searched as a message that stands alone', async () => {
  const { replica, asked, given } = await searching({ queries: ['How long do refunds take?'] });
  const place = await shop();
  const { sessionId } = await ask(place, { replica });
  knowledge.passagesFor = { 'How long do refunds take?': [refunds] };
  await ask(place, { replica, message: 'And refunds?', session: sessionId });
  expect(asked).toEqual([{ question: 'And refunds?', history: 2, languages: [] }]);
  expect(given.at(-1)).toEqual(['Refunds']);
});

test('a message that asks for nothing is thanked for, and no answer is looked for', async () => {
  const { replica, given } = await searching({ queries: [], asksNothing: true });
  const place = await shop();
  const { sessionId } = await ask(place, { replica });
  const { message, sources } = await ask(place, { replica, message: 'No.', session: sessionId });
  expect([message, sources]).toEqual([expect.stringMatching(/welcome/i), []]);
  expect(given).toHaveLength(1);
});

test('a model that can not say how to search is not asked', async () => {
  const place = await shop();
  const { sessionId } = await ask(place);
  expect(model).not.toHaveProperty('rewrite');
  expect((await ask(place, { message: 'And on Sundays?', session: sessionId })).sources).toHaveLength(1);
});
