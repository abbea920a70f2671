import { beforeEach, expect, test } from '@jest/globals';
import { Outcome, ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Question } from '../answerer/answerer.ts';
import { cite } from '../domain/cite.ts';
import { ask, assistants, call, conversations, knowledge, model, shop, transcript } from '../testing/assistants.ts';
import { type FoundPassage, OPENING_HOURS } from '../testing/knowledge.ts';

type Place = Awaited<ReturnType<typeof shop>>;
type Change = Parameters<typeof assistants.updateChatbot>[0]['answers'];

/** A shop whose chatbot has these settings. */
async function shopWith(answers: NonNullable<Change>): Promise<Place> {
  const place = await shop();
  await assistants.updateChatbot({ id: place.chatbot.id, answers }, call({ account: place.account }).onward());
  return place;
}

async function evidenceOf({ account, chatbot }: Place, id: string) {
  const thread = { kind: ThreadKind.CHAT, assistantId: chatbot.id, id };
  return (await conversations.listEvidence({ thread, limit: 10, nextCursor: '' }, call({ account }).onward())).items;
}

const page = (more: Partial<FoundPassage>): FoundPassage => ({ ...OPENING_HOURS, ...more });
const faq = page({
  id: 'faq',
  title: 'When do you open?',
  url: '',
  text: 'At nine.',
  section: 'At nine.',
  isFaq: true,
  score: 0.5,
});

beforeEach(() => {
  knowledge.passages = [OPENING_HOURS];
});

test('a greeting is answered as such, is stored as answered without sources, and nothing is searched or asked', async () => {
  const place = await shop();
  model.answer = async () => {
    throw new Error('small talk is no question for the model');
  };
  const searches = knowledge.searches.length;
  const reply = await ask(place, { message: 'Hello!' });
  expect(reply).toMatchObject({ message: 'Hello! What would you like to know?', sources: [] });
  const thanks = await ask(place, { message: 'Vielen Dank!', session: reply.sessionId });
  expect(thanks.message).toMatch(/^Gern geschehen/);
  expect(knowledge.searches).toHaveLength(searches);
  expect(await transcript(place.account, place.chatbot.id, reply.id)).toHaveLength(4);
  const answered = { outcome: Outcome.ANSWERED, answerer: 'talk/2', offered: [], cited: [] };
  expect(await evidenceOf(place, reply.id)).toMatchObject([answered, answered]);
});

test('a greeting is answered with that of the assistant; a greeting with a question is a question', async () => {
  const place = await shopWith({ greeting: 'Ask me about tea.' });
  expect((await ask(place, { message: 'Hi there' })).message).toBe('Ask me about tea.');
  expect((await ask(place, { message: 'Hi, when does the shop open?' })).sources).toHaveLength(1);
});

test("a question about the assistant is the owner's page to answer, and small talk in other words is searched", async () => {
  const place = await shop();
  const about = { ...faq, title: 'What are you?', section: 'I am Tilly.', text: 'I am Tilly.', score: 1 };
  knowledge.passages = [page(about)];
  expect((await ask(place, { message: 'Who are you?' })).message).toMatch(/^I am Tilly\. \[1\]/);
  knowledge.passages = [];
  expect(await ask(place, { message: 'See you later' })).toMatchObject({
    message: expect.stringMatching(/^I could not find/),
    sources: [],
  });
  expect(knowledge.searches.at(-1)).toMatchObject({ query: 'See you later' });
});

test('without an answer, the reply is in the language of the question, or else of what was said before', async () => {
  const place = await shop();
  knowledge.passages = [];
  const reply = await ask(place, { message: 'Wie viel kostet der Versand?' });
  expect(reply.message).toMatch(/^Darauf habe ich/);
  expect((await ask(place, { message: 'Express?', session: reply.sessionId })).message).toMatch(/^Darauf habe ich/);
  expect((await ask(place, { message: 'هزینه ارسال چقدر است؟' })).message).toMatch(/^در دانشی/);
  expect((await evidenceOf(place, reply.id))[0]).toMatchObject({ outcome: Outcome.NO_EVIDENCE });
});

test('without an answer, the reply is what the owner wants said, also if the model finds none', async () => {
  const place = await shopWith({ noEvidenceMessage: 'Call us.' });
  const refusing = { message: 'I refuse.', sources: [], cited: [], confidence: null };
  model.answer = async () => refusing;
  expect(await ask(place)).toMatchObject({ message: 'Call us.', sources: [] });
  knowledge.passages = [];
  expect(await ask(place)).toMatchObject({ message: 'Call us.', sources: [] });
});

test('FAQ items come first if the assistant wants that: pages count only without one', async () => {
  const [plain, first] = [await shop(), await shopWith({ faqFirst: true })];
  knowledge.passages = [OPENING_HOURS, faq];
  expect((await ask(plain)).message).toContain('nine in the morning');
  expect((await ask(first)).message).toBe('At nine. [1]\n\nSources:\n[1] When do you open?');
  expect(knowledge.searches.at(-1)!.limit).toBe(50);
  knowledge.passages = [OPENING_HOURS, { ...faq, evidence: 0.01 }];
  expect((await ask(first)).message).toContain('nine in the morning');
});

test('a quote that may not answer says so, in the words of the owner or in the language of the question', async () => {
  const [plain, own] = [await shop(), await shopWith({ lowConfidenceMessage: 'Perhaps this helps:' })];
  knowledge.passages = [page({ evidence: 0.1 })];
  const question = { message: 'Wann öffnet der Laden am Montag?' };
  expect((await ask(plain, question)).message).toMatch(/^Ich bin nicht sicher.*:\n\nThe shop opens at nine/);
  expect((await ask(own, question)).message).toMatch(/^Perhaps this helps:\n\nThe shop opens at nine/);
  knowledge.passages = [OPENING_HOURS];
  expect((await ask(own, question)).message).toMatch(/^The shop opens at nine/);
});

test('a follow-up is searched with what the user said before, and the answerer gets what was searched', async () => {
  const place = await shopWith({ tone: 'brief' });
  const { sessionId } = await ask(place);
  let asked: Partial<Question> = {};
  model.answer = async (question) => {
    asked = question;
    return cite([{ text: 'Yes.', passages: [question.passages[0]!] }]);
  };
  await ask(place, { message: 'How much is it?', session: sessionId });
  expect(knowledge.searches.at(-1)).toMatchObject({ query: 'How much is it?', context: ['When does the shop open?'] });
  expect(asked).toMatchObject({
    question: 'How much is it?',
    searched: 'When does the shop open? How much is it?',
    tone: 'brief',
    language: 'en',
  });
});

test('what is sent along with a search is bounded', async () => {
  const place = await shop();
  let session = '';
  for (let i = 0; i < 12; i++) {
    const message = `Question ${i}: ${'x'.repeat(3_000)}?`;
    ({ sessionId: session } = await ask(place, { message, session }));
  }
  const { context } = knowledge.searches.at(-1)!;
  expect(context.length).toBeLessThanOrEqual(10);
  for (const said of context) expect(said.length).toBeLessThanOrEqual(2_000);
});
