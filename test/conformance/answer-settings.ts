import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { AnswerSettings } from '../e2e/resources.ts';
import { expectData } from './check.ts';
import { a } from './given.ts';
import { unique } from './operations.ts';

const { api } = a;

describe.each([
  { list: '/chatbots', one: '/chatbot', create: () => ({ title: 'T' }) },
  { list: '/ticket-forms', one: '/ticket-form', create: () => ({ title: 'T' }) },
  { list: '/email-inboxes', one: '/email-inbox', create: () => ({ title: 'T', alias: unique() }) },
])('the settings of answers of $one', ({ list, one, create }) => {
  const made = async () => must(await api.post<AnswerSettings & { id: string }>(list, create()));
  const said = {
    greeting: ' Hello 🙂 ',
    no_evidence_message: 'Call us.',
    low_confidence_message: 'Perhaps this helps:',
  };
  const set = { ...said, tone: 'brief', faq_first: true };
  const texts = { greeting: null, tone: null, no_evidence_message: null, low_confidence_message: null };
  const defaults = { ...texts, faq_first: false };

  test('appear once one is set, change one by one, and are cleared by null', async () => {
    const assistant = await made();
    const at = `${one}/${assistant.id}`;
    expect(Object.keys(assistant).filter((field) => field in set)).toEqual([]);
    expectData(await api.patch(at, { tone: 'brief' }), { ...assistant, ...defaults, tone: 'brief' });
    expectData(await api.patch(at, set), { ...assistant, ...set });
    expectData(await api.patch(at, { title: 'Other' }), { ...assistant, ...set, title: 'Other' });
    expectData(await api.patch(at, { greeting: null }), { ...assistant, ...set, title: 'Other', greeting: null });
    const cleared = { ...assistant, ...defaults, title: 'Other' };
    expectData(await api.patch(at, { ...defaults, faq_first: null }), cleared);
    expectData(await api.get(at), cleared);
    expect(must(await api.get<unknown[]>(list))).toContainEqual(cleared);
    expectData(await api.del(at), cleared);
  });
});

test('a greeting is answered with the one that is set, and a question without an answer with the message for it', async () => {
  const bot = await a.chatbot();
  must(await api.patch(`/chatbot/${bot.id}`, { greeting: 'Ask me about tea.', no_evidence_message: 'Call us.' }));
  expect(await a.ask(bot, 'Hello!')).toMatchObject({ message: 'Ask me about tea.', sources: [] });
  expect(await a.ask(bot, 'Who invented the spoon?')).toMatchObject({ message: 'Call us.', sources: [] });
});
