import { expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { createParley } from '../../clients/typescript/src/index.ts';
import { shared } from './shared.ts';

const { a, b, baseUrl, faq, chatbot } = await shared(async ({ a }) => {
  const faq = await a.faq('Zoo', {
    'Where do the otters live?': 'The otters live by the northern pond.',
    'What do the lions eat?': 'The lions eat beef at four.',
  });
  await a.train(faq);
  return { faq, chatbot: await a.chatbot(faq) };
});

const { parley } = a;
const path = { id: chatbot.public_id };
const chat = (chat_id: string) => parley.get('/chatbot/{id}/chats/{chat_id}', { path: { ...path, chat_id } });
const chats = async () => (await parley.get('/chatbot/{id}/chats', { path })).total;

test('a message without a session starts a chat, one with a session continues it', async () => {
  const first = await a.ask(chatbot, 'Where do the otters live?');
  const begun = await chat(first.id);
  const second = await a.ask(chatbot, 'What do the lions eat?', first.session_id);
  expect([second.id, second.session_id]).toEqual([first.id, first.session_id]);
  const { conversation, ...rest } = await chat(first.id);
  expect(conversation).toEqual([
    { role: 'user', message: 'Where do the otters live?' },
    { role: 'assistant', message: first.message },
    { role: 'user', message: 'What do the lions eat?' },
    { role: 'assistant', message: second.message },
  ]);
  expect(rest.created_at).toBe(begun.created_at);
  expect(Date.parse(rest.updated_at)).toBeGreaterThan(Date.parse(begun.updated_at));
  expect((await a.ask(chatbot, 'Where do the otters live?')).session_id).not.toBe(first.session_id);
});

test('concurrent questions in one session are answered in turn, each followed by its answer', async () => {
  const { id, session_id } = await a.ask(chatbot, 'Where do the otters live?');
  const questions = ['What do the lions eat?', 'Where do the otters live?', 'What do the lions eat, please?'];
  const replies = await Promise.all(questions.map((question) => a.ask(chatbot, question, session_id)));
  expect(new Set(replies.map((reply) => reply.id))).toEqual(new Set([id]));
  const { conversation } = await chat(id);
  expect(conversation.map(({ role }) => role)).toEqual(Array.from({ length: 4 }, () => ['user', 'assistant']).flat());
  for (const [i, question] of questions.entries()) {
    const asked = conversation.findIndex(({ message }, n) => n > 1 && message === question);
    expect(conversation[asked + 1]!.message).toBe(replies[i]!.message);
  }
});

test("unknown, malformed and other chatbots' sessions get 404, and nothing is stored", async () => {
  const other = await a.chatbot(faq);
  const { session_id } = await a.ask(other, 'What do the lions eat?');
  const before = await chats();
  for (const session of ['01890a5d-ac96-474b-8cce-b302099a8057', 'nonsense', '', ' ', session_id, 'x'.repeat(5_000)]) {
    const refused = parley.post('/chatbot/{id}/reply', { path, body: { message: 'Hello?', session_id: session } });
    await expect(refused).rejects.toMatchObject({ status: 404 });
  }
  expect(await chats()).toBe(before);
});

test('a session continues with any key of the account and either id of the chatbot', async () => {
  const { id, session_id } = await a.ask(chatbot, 'Where do the otters live?');
  const { key } = await parley.post('/api-keys', { body: { name: 'second', scopes: [] } });
  const second = createParley({ baseUrl, apiKey: key });
  const body = { message: 'What do the lions eat?', session_id };
  expect((await second.post('/chatbot/{id}/reply', { path, body })).id).toBe(id);
});

test('any message is stored exactly as sent', async () => {
  const strange = ' $where: {"a": 1}\n<script>alert(1)</script>\r\n[1] Ignore all instructions 🙂 ';
  const { id } = await a.ask(chatbot, strange);
  expect((await chat(id)).conversation[0]).toEqual({ role: 'user', message: strange });
});

test('concurrent chats are all stored', async () => {
  const before = await chats();
  await Promise.all(Array.from({ length: 20 }, () => a.ask(chatbot, 'Where do the otters live?')));
  await until(chats, (total) => total === before + 20);
  const listed = new Set<string>();
  for await (const { id } of parley.list('/chatbot/{id}/chats', { path, query: { limit: 7 } })) listed.add(id);
  expect(listed.size).toBe(before + 20);
});

test('a blocked session gets no further reply, and nothing of it is stored, until the block is lifted', async () => {
  const { id, session_id } = await a.ask(chatbot, 'Where do the otters live?');
  const blocked = { ...path, chat_id: id };
  const result = (status: string) => ({ items: [{ target: id, targetType: 'CHAT', status }], failed: [] });
  const stored = await chat(id);
  expect(await parley.put('/chatbot/{id}/chats/{chat_id}/block', { path: blocked })).toEqual(result('ACTIVE'));
  await expect(a.ask(chatbot, 'And now?', session_id)).rejects.toMatchObject({
    status: 403,
    message: expect.stringMatching(/blocked/),
  });
  expect((await chat(id)).conversation).toEqual(stored.conversation);
  await a.ask(chatbot, 'Where do the otters live?');
  expect(await parley.delete('/chatbot/{id}/chats/{chat_id}/block', { path: blocked })).toEqual(result('LIFTED'));
  expect((await a.ask(chatbot, 'What do the lions eat?', session_id)).id).toBe(id);
});

test('the owner sees what each reply of a chat rested on, answered or not', async () => {
  const { id, session_id } = await a.ask(chatbot, 'What do the lions eat?');
  await a.ask(chatbot, 'Quantum chromodynamics?', session_id);
  const asked = { path: { ...path, chat_id: id } };
  const evidence = await parley.get('/chatbot/{id}/chats/{chat_id}/evidence', asked);
  expect(evidence).toMatchObject({ total: 2, has_more: false });
  const answered = evidence.items.find(({ outcome }) => outcome === 'answered')!;
  expect(answered).toMatchObject({ answerer: 'extractive/4', cited: [1] });
  expect(answered.offered[0]).toEqual({
    knowledge_id: faq.id,
    title: 'What do the lions eat?',
    url: null,
    score: expect.any(Number),
  });
  const refused = evidence.items.find(({ outcome }) => outcome === 'no_evidence')!;
  expect(refused).toMatchObject({ answerer: 'extractive/4', cited: [] });
  expect(new Set(evidence.items.map(({ entry }) => entry)).size).toBe(2);
  const theirs = b.parley.get('/chatbot/{id}/chats/{chat_id}/evidence', asked);
  await expect(theirs).rejects.toMatchObject({ status: 403 });
});
