import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { randomId } from '@parley/runtime/rpc';
import { gate, until } from '@parley/runtime/testing';
import { createExtractiveAnswerer } from '../answerer/extractive.ts';
import { type CitedAnswer, NO_EVIDENCE } from '../domain/cite.ts';
import {
  ask,
  assistants,
  attach,
  call,
  knowledge,
  model,
  QUESTION,
  shop,
  startAssistants,
  threadDocs,
  transcript,
} from '../testing/assistants.ts';
import { OPENING_HOURS } from '../testing/knowledge.ts';

/** A model's answer, from a passage. */
const said = (message: string): CitedAnswer => ({ message, sources: [], cited: [OPENING_HOURS], confidence: 'high' });

test('a question is answered from the attached knowledge, with its source, and both are stored', async () => {
  const { account, chatbot, item } = await shop();
  const reply = await ask({ account, chatbot });
  expect(reply.message).toContain('nine in the morning');
  expect(reply.message).toMatch(/\[1\]\n\nSources:\n\[1\] Opening hours - https:\/\/shop\.example\/hours$/);
  expect(reply.sources).toMatchObject([{ n: 1, title: 'Opening hours', url: OPENING_HOURS.url }]);
  expect(knowledge.searched.at(-1)).toEqual([item]);
  expect(await transcript(account, chatbot.id, reply.id)).toEqual([`user: ${QUESTION}`, `assistant: ${reply.message}`]);
});

test('a reply with the session continues the same chat, and the model sees the earlier messages', async () => {
  const place = await shop();
  const first = await ask(place);
  const seen = gate<string[]>();
  model.answer = async ({ history }) => {
    seen.open(history.map((h) => `${h.by}: ${h.message}`));
    return said('And so on.');
  };
  const second = await ask(place, { session: first.sessionId, message: 'And then?' });
  expect(second).toMatchObject({ id: first.id, sessionId: first.sessionId, message: 'And so on.' });
  expect(await seen.opened).toEqual([`user: ${QUESTION}`, `assistant: ${first.message}`]);
});

test('a question is searched with what its asker said before, and the first one alone', async () => {
  const place = await shop();
  const first = await ask(place);
  expect(knowledge.searches.at(-1)!.context).toEqual([]);
  await ask(place, { session: first.sessionId, message: 'And on Sundays?' });
  expect(knowledge.searches.at(-1)!.context).toEqual([QUESTION]);
});

test('without attached knowledge nothing is searched, and the reply says so plainly', async () => {
  const account = randomId();
  const { chatbot } = await assistants.createChatbot({ title: 'Empty' }, call({ account }).onward());
  const searches = knowledge.searched.length;
  expect(await ask({ account, chatbot: chatbot! })).toMatchObject({ message: NO_EVIDENCE.message, sources: [] });
  expect(knowledge.searched).toHaveLength(searches);
});

test('items attached or detached since the last question, on any replica, count at once', async () => {
  const place = await shop();
  await ask(place);
  const another = knowledge.add(place.account);
  await attach(place.account, place.chatbot.id, another);
  await ask(place);
  expect(knowledge.searched.at(-1)).toEqual([place.item, another]);
  const replica = await startAssistants(createExtractiveAnswerer());
  for (const knowledgeId of [place.item, another])
    await replica.detachKnowledge(
      { kind: AssistantKind.CHATBOT, assistantId: place.chatbot.id, knowledgeId },
      call({ account: place.account }).onward(),
    );
  expect(await ask(place)).toMatchObject({ message: NO_EVIDENCE.message, sources: [] });
});

test('a blocked chat is refused before anything is stored or spent', async () => {
  const place = await shop();
  const { id, sessionId } = await ask(place);
  await threadDocs.updateOne({ _id: id as never }, { $set: { blocked_at: new Date() } });
  const searches = knowledge.searched.length;
  await expect(ask(place, { session: sessionId })).rejects.toMatchObject({
    code: Code.PermissionDenied,
    rawMessage: expect.stringContaining('blocked'),
  });
  expect(knowledge.searched).toHaveLength(searches);
  expect(await threadDocs.findOne({ _id: id as never })).toMatchObject({ n: 2 });
});

test('a reply beyond the limit of an assistant is refused at once, and nothing is stored or spent', async () => {
  const place = await shop();
  const [asked, late] = [gate(), gate()];
  const answerer = {
    name: 'test/1',
    answer: async () => {
      asked.open();
      await late.opened;
      return said('At last.');
    },
  };
  const replica = await startAssistants(answerer, { replies: { atOnce: 10, atOncePerAssistant: 1 } });
  const first = ask(place, { replica });
  await asked.opened;
  const searches = knowledge.searched.length;
  await expect(ask(place, { replica })).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: expect.stringContaining('Too many replies of this assistant'),
  });
  expect(knowledge.searched).toHaveLength(searches);
  expect(await threadDocs.countDocuments({ account: place.account })).toBe(1);
  expect((await ask(await shop(), { replica: assistants })).sources).toHaveLength(1);
  late.open();
  expect((await first).message).toBe('At last.');
});

test('passages without evidence are kept from the model; if none are left it is not asked', async () => {
  const place = await shop();
  const weak = { ...OPENING_HOURS, text: 'Weather.', evidence: 0.01 };
  let given: string[] = [];
  model.answer = async ({ passages }) => {
    given = passages.map(({ text }) => text);
    return said('Yes.');
  };
  knowledge.passages = [weak, OPENING_HOURS];
  await ask(place);
  expect(given).toEqual([OPENING_HOURS.text]);
  given = [];
  knowledge.passages = [weak];
  const reply = await ask(place).finally(() => {
    knowledge.passages = [OPENING_HOURS];
  });
  expect(reply.message).toBe(NO_EVIDENCE.message);
  expect(given).toEqual([]);
});

test('an unknown session, another account’s chatbot and an empty message are refused, and nothing is stored', async () => {
  const place = await shop();
  await expect(ask(place, { session: randomId() })).rejects.toMatchObject({ code: Code.NotFound });
  await expect(ask({ ...place, account: randomId() })).rejects.toMatchObject({ code: Code.PermissionDenied });
  await expect(ask({ ...place, chatbot: { ...place.chatbot, id: 'abcdefghijkl' } })).rejects.toMatchObject({
    code: Code.NotFound,
  });
  await expect(ask(place, { message: ' ' })).rejects.toMatchObject({ code: Code.InvalidArgument });
  const form = { kind: AssistantKind.TICKET_FORM, assistantId: place.chatbot.id, message: 'x' };
  await expect(assistants.reply(form, call({ account: place.account }).onward())).rejects.toMatchObject({
    code: Code.InvalidArgument,
  });
  expect(await threadDocs.countDocuments({ account: place.account })).toBe(0);
});

test('two concurrent questions in one session are answered in turn, each next to its answer', async () => {
  const place = await shop();
  const { sessionId, id } = await ask(place);
  let answering = 0;
  model.answer = async ({ question }) => {
    expect(++answering).toBe(1);
    await new Promise((resolve) => setImmediate(resolve));
    answering--;
    return said(`to ${question}`);
  };
  await Promise.all(['a', 'b', 'c'].map((message) => ask(place, { session: sessionId, message })));
  const lines = (await transcript(place.account, place.chatbot.id, id)).slice(2);
  expect(lines).toHaveLength(6);
  for (let i = 0; i < 6; i += 2) expect(lines[i + 1]).toBe(`assistant: to ${lines[i]!.slice('user: '.length)}`);
});

test('the same operation twice at once, on two replicas, stores one question and asks the model once', async () => {
  const place = await shop();
  let asked = 0;
  const once = async () => said(`answer ${++asked}`);
  model.answer = once;
  const replica = await startAssistants({ name: 'test/1', answer: once });
  const operation = randomId();
  const replies = await Promise.all([ask(place, { operation }), ask(place, { operation, replica })]);
  expect(replies.map((r) => r.message)).toEqual(['answer 1', 'answer 1']);
  expect(replies[0]).toEqual(replies[1]);
  expect(await threadDocs.findOne({ account: place.account })).toMatchObject({ n: 2, questions: 1 });
});

test('a reply continues when its caller hangs up; a retry returns what was stored', async () => {
  const place = await shop();
  const [asked, model_] = [gate(), gate()];
  let times = 0;
  model.answer = async () => {
    times++;
    asked.open();
    await model_.opened;
    return said('Patience.');
  };
  const disconnect = new AbortController();
  const operation = randomId();
  const refused = expect(ask(place, { operation, signal: disconnect.signal })).rejects.toMatchObject({
    code: Code.Canceled,
  });
  await asked.opened;
  disconnect.abort();
  await refused;
  model_.open();
  await until(async () => (await threadDocs.countDocuments({ account: place.account, 'last.by': 'ai' })) === 1);
  expect((await ask(place, { operation })).message).toBe('Patience.');
  expect(times).toBe(1);
});

test('if the model fails, the question is kept without an answer, and the same operation finishes it', async () => {
  const place = await shop();
  const operation = randomId();
  let failures = 0;
  model.answer = async () => {
    failures++;
    throw new Error('secret detail');
  };
  await expect(ask(place, { operation })).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: 'The model is unavailable. Try again in a moment.',
  });
  expect(failures).toBe(1);
  expect(await threadDocs.findOne({ account: place.account })).toMatchObject({ n: 1, pending: null });
  model.answer = async () => said('Here it is.');
  const reply = await ask(place, { operation });
  expect(await transcript(place.account, place.chatbot.id, reply.id)).toEqual([
    `user: ${QUESTION}`,
    'assistant: Here it is.',
  ]);
});

/** A question being answered while a test changes its thread; the model ignores its signal. */
async function underWay(place: Awaited<ReturnType<typeof shop>>, operation: string) {
  const [asked, late] = [gate(), gate()];
  model.answer = async () => {
    asked.open();
    await late.opened;
    return said('Late.');
  };
  const first = ask(place, { operation });
  first.catch(() => {});
  await asked.opened;
  return { first, finish: late.open };
}

test('a question that was taken over gets one answer, which its first caller receives too', async () => {
  const place = await shop();
  const operation = randomId();
  const { first, finish } = await underWay(place, operation);
  await threadDocs.updateOne({ account: place.account }, { $set: { 'pending.until': new Date(0) } });
  const replica = await startAssistants({ name: 'test/1', answer: async () => said('In time.') });
  const reply = await ask(place, { operation, replica });
  finish();
  expect((await first).message).toBe('In time.');
  expect(await transcript(place.account, place.chatbot.id, reply.id)).toEqual([
    `user: ${QUESTION}`,
    'assistant: In time.',
  ]);
});

test.each([
  ['another attempt claimed it', { 'pending.fence': 7 }, 'Another attempt has taken over'],
  ['the claim ended and nobody claimed it', { pending: null }, 'took too long'],
  ['the chat was blocked', { pending: null, blocked_at: new Date() }, 'was blocked'],
])('when a claim is lost because %s, the caller learns just that', async (_, change, words) => {
  const place = await shop();
  const { first, finish } = await underWay(place, randomId());
  await threadDocs.updateOne({ account: place.account }, { $set: change });
  finish();
  await expect(first).rejects.toMatchObject({ code: Code.Unavailable, rawMessage: expect.stringContaining(words) });
});
