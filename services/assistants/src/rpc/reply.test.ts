import { Code } from '@connectrpc/connect';
import { expect, test } from '@jest/globals';
import { AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { randomId } from '@parley/runtime';
import { gate, until } from '@parley/runtime/testing';
import { createExtractiveAnswerer } from '../answerer/extractive.ts';
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
  transcript,
  turnDocs,
} from '../assistants.fixture.ts';
import { NO_EVIDENCE } from '../domain/cite.ts';
import { OPENING_HOURS } from '../knowledge.fixture.ts';

const said = (message: string) => ({ message, sources: [] });

test('a question is answered from the attached knowledge, with its source, and both are stored', async () => {
  const { account, chatbot, item } = await shop();
  const reply = await ask({ account, chatbot });
  expect(reply.message).toContain('nine in the morning');
  expect(reply.message).toMatch(/\[1\]\n\nSources:\n\[1\] Opening hours - https:\/\/shop\.example\/hours$/);
  expect(reply.sources).toMatchObject([{ n: 1, title: 'Opening hours', url: OPENING_HOURS.url }]);
  expect(knowledge.searched.at(-1)).toEqual([item]);
  expect(await transcript(account, chatbot.id, reply.id)).toEqual([`user: ${QUESTION}`, `assistant: ${reply.message}`]);
});

test('a reply with the session goes on in the same chat, and the model sees what was said', async () => {
  const place = await shop();
  const first = await ask(place);
  const heard = gate<string[]>();
  model.answer = async ({ history }) => {
    heard.open(history.map((h) => `${h.by}: ${h.message}`));
    return said('And so on.');
  };
  const second = await ask(place, { session: first.sessionId, message: 'And then?' });
  expect(second).toMatchObject({ id: first.id, sessionId: first.sessionId, message: 'And so on.' });
  expect(await heard.opened).toEqual([`user: ${QUESTION}`, `assistant: ${first.message}`]);
});

test('without attached knowledge nothing is searched, and the reply says so plainly', async () => {
  const account = randomId();
  const { chatbot } = await assistants.createChatbot({ title: 'Empty' }, call({ account }).onward());
  const searches = knowledge.searched.length;
  expect(await ask({ account, chatbot: chatbot! })).toMatchObject({ message: NO_EVIDENCE.message, sources: [] });
  expect(knowledge.searched).toHaveLength(searches);
});

test('a question is searched for once; what was detached since the last one, on whatever replica, answers nothing', async () => {
  const place = await shop();
  await ask(place);
  const searches = knowledge.searched.length;
  expect((await ask(place)).sources).toHaveLength(1);
  expect(knowledge.searched).toHaveLength(searches + 1);
  const replica = await startAssistants(createExtractiveAnswerer());
  await replica.detachKnowledge(
    { kind: AssistantKind.CHATBOT, assistantId: place.chatbot.id, knowledgeId: place.item },
    call({ account: place.account }).onward(),
  );
  expect(await ask(place)).toMatchObject({ message: NO_EVIDENCE.message, sources: [] });
});

test('what was attached since the last question is searched, too', async () => {
  const place = await shop();
  await ask(place);
  const another = knowledge.add(place.account);
  await attach(place.account, place.chatbot.id, another);
  await ask(place);
  expect(knowledge.searched.at(-1)).toEqual([place.item, another]);
});

test('passages without evidence are kept from the model; with none left it is not asked', async () => {
  const place = await shop();
  const weak = { ...OPENING_HOURS, text: 'Weather.', similarity: 0.1, coverage: 0 };
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
  expect(await turnDocs.countDocuments({ account: place.account })).toBe(0);
});

test('two questions at once in one session are answered one after the other, each next to its answer', async () => {
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

test('the same operation twice at once, on two replicas, makes one turn and asks the model once', async () => {
  const place = await shop();
  let asked = 0;
  const once = async () => said(`answer ${++asked}`);
  model.answer = once;
  const replica = await startAssistants({ answer: once });
  const operation = randomId();
  const replies = await Promise.all([ask(place, { operation }), ask(place, { operation, replica })]);
  expect(replies.map((r) => r.message)).toEqual(['answer 1', 'answer 1']);
  expect(replies[0]).toEqual(replies[1]);
  expect(await turnDocs.countDocuments({ account: place.account })).toBe(1);
});

test('a caller that hangs up does not end the reply; asking again gives what was stored', async () => {
  const place = await shop();
  const [asked, model_] = [gate(), gate()];
  let times = 0;
  model.answer = async () => {
    times++;
    asked.open();
    await model_.opened;
    return said('Patience.');
  };
  const hangUp = new AbortController();
  const operation = randomId();
  const refused = expect(ask(place, { operation, signal: hangUp.signal })).rejects.toMatchObject({
    code: Code.Canceled,
  });
  await asked.opened;
  hangUp.abort();
  await refused;
  model_.open();
  await until(async () => (await turnDocs.countDocuments({ account: place.account, state: 'answered' })) === 1);
  expect((await ask(place, { operation })).message).toBe('Patience.');
  expect(times).toBe(1);
});

test('when the model fails the question is kept without an answer, and the same operation finishes it', async () => {
  const place = await shop();
  const operation = randomId();
  let failures = 0;
  model.answer = async () => {
    failures++;
    throw new Error('secret detail');
  };
  await expect(ask(place, { operation })).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: 'The model is away for the moment. Try again.',
  });
  expect(failures).toBe(1);
  expect(await turnDocs.findOne({ account: place.account })).toMatchObject({ state: 'unanswered', answer: null });
  model.answer = async () => said('Here it is.');
  const reply = await ask(place, { operation });
  expect(await transcript(place.account, place.chatbot.id, reply.id)).toEqual([
    `user: ${QUESTION}`,
    'assistant: Here it is.',
  ]);
});

test('a turn that was taken over is told so to its first owner, whose late answer is not stored', async () => {
  const place = await shop();
  const operation = randomId();
  const [asked, late] = [gate(), gate()];
  // It ignores its signal, as a process that was stopped would.
  model.answer = async () => {
    asked.open();
    await late.opened;
    return said('Late.');
  };
  const first = expect(ask(place, { operation })).rejects.toMatchObject({
    code: Code.Unavailable,
    rawMessage: expect.stringContaining('taken over'),
  });
  await asked.opened;
  await turnDocs.updateOne({ account: place.account }, { $set: { until: new Date(0) } });
  const replica = await startAssistants({ answer: async () => said('In time.') });
  const reply = await ask(place, { operation, replica });
  late.open();
  await first;
  expect(reply.message).toBe('In time.');
  expect(await transcript(place.account, place.chatbot.id, reply.id)).toEqual([
    `user: ${QUESTION}`,
    'assistant: In time.',
  ]);
});
