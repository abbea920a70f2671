import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { gate, until } from '@parley/runtime/testing';
import { type Answer, must } from './api.ts';
import { modelServer } from './model-server.ts';
import type { Chat, Page } from './resources.ts';
import { system } from './system.ts';
import { UNLIMITED, type VisitorReply, visitorOf } from './visitor.ts';

const QUESTION = 'When does the observatory open?';
const GOOD = 'It opens at nine in the evening [1].';

const model = await modelServer();
const variables = {
  ...model.variables,
  ...UNLIMITED,
};
const { a, baseUrl, mongo, stop, bot } = await system({ embeddings: 'openai', variables }, async ({ a }) => {
  const faq = await a.faq('Observatory', { [QUESTION]: 'The observatory opens at nine in the evening.' });
  await a.train(faq);
  return { bot: await a.chatbot(faq) };
});
afterAll(async () => {
  await stop();
  await model[Symbol.asyncDispose]();
});

const threads = mongo.db('parley_conversations').collection<{ _id: string; waiting: unknown[] }>('threads');
const at = `/chatbot/${bot.id}/chats`;
const visitor = () => visitorOf(baseUrl, bot.public_id);
const chatOf = async (id: string) => must(await a.api.get<Chat>(`${at}/${id}`)).conversation;
const chats = async () => must(await a.api.get<Page<Chat>>(`${at}?limit=1`)).total;

/** The model answers only once the gate is open. */
function holdModel() {
  const held = gate();
  model.held = held.opened;
  return held;
}

test('of four messages at once two wait, in their order, and the last is a 503 with Retry-After', async () => {
  model.chat = GOOD;
  const ann = visitor();
  const { id } = await ann.told(QUESTION);
  const held = holdModel();
  const asked = model.prompts.length;
  const answers: Promise<Answer<VisitorReply>>[] = [ann.ask(`${QUESTION} (0)`)];
  await until(() => model.prompts.length > asked);
  const refused = async () => {
    const settled = await Promise.all(answers.map((answer) => Promise.race([answer, undefined])));
    return settled.find((answer) => answer?.status === 503);
  };
  for (const n of [1, 2, 3]) answers.push(ann.ask(`${QUESTION} (${n})`));
  const full = await until(refused);
  expect(Number(full!.headers.get('retry-after'))).toBeGreaterThan(0);
  held.open();
  const statuses = (await Promise.all(answers)).map(({ status }) => status);
  expect(statuses.sort()).toEqual([200, 200, 200, 503]);
  const said = (await chatOf(id)).map(({ role }) => role);
  expect(said).toEqual(Array.from({ length: 4 }, () => ['user', 'assistant']).flat());
});

test('messages that wait are answered in the order in which they came', async () => {
  model.chat = GOOD;
  const ann = visitor();
  const { id } = await ann.told(QUESTION);
  const held = holdModel();
  const asked = model.prompts.length;
  const first = ann.ask('When? (0)');
  await until(() => model.prompts.length > asked);
  const second = ann.ask('When? (1)');
  await until(
    () => waiting(),
    (count) => count === 1,
  );
  const third = ann.ask('When? (2)');
  await until(
    () => waiting(),
    (count) => count === 2,
  );
  held.open();
  await Promise.all([first, second, third]);
  const questions = (await chatOf(id)).filter(({ role }) => role === 'user').map(({ message }) => message);
  expect(questions).toEqual([QUESTION, 'When? (0)', 'When? (1)', 'When? (2)']);

  /** How many messages wait in the conversation. */
  async function waiting(): Promise<number> {
    const thread = await threads.findOne({ _id: id });
    return (thread?.waiting ?? []).length;
  }
});

test('a first message whose stream breaks off is repeated by its key: one question, one call of the model, one chat', async () => {
  model.chat = GOOD;
  const before = await chats();
  const held = holdModel();
  const asked = model.prompts.length;
  const key = { 'Idempotency-Key': randomUUID() };
  const broken = new AbortController();
  const lost = fetch(new URL(`/public/v1/chatbots/${bot.public_id}/reply`, baseUrl), {
    method: 'POST',
    headers: { ...key, 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ message: QUESTION }),
    signal: broken.signal,
  }).catch(() => undefined);
  await until(() => model.prompts.length > asked);
  broken.abort();
  await lost;
  const ann = visitor();
  const repeated = ann.ask(QUESTION, key);
  held.open();
  const { id, message } = must(await repeated);
  expect(model.prompts.length).toBe(asked + 1);
  expect(await chats()).toBe(before + 1);
  expect(await chatOf(id)).toEqual([
    { role: 'user', message: QUESTION },
    { role: 'assistant', message },
  ]);
  expect(must(await ann.mine()).id).toBe(id);
});

test('a visitor who is blocked while an answer is written does not get it, and asks nothing more', async () => {
  model.chat = GOOD;
  const eve = visitor();
  const { id } = await eve.told(QUESTION);
  const held = holdModel();
  const asked = model.prompts.length;
  const asking = eve.ask('And today?');
  await until(() => model.prompts.length > asked);
  must(await a.api.put(`${at}/${id}/block`));
  held.open();
  expect((await asking).status).toBeGreaterThanOrEqual(400);
  expect((await eve.ask(QUESTION)).status).toBe(403);
  expect((await chatOf(id)).filter(({ role }) => role === 'assistant')).toHaveLength(1);
});
