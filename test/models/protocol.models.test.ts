import { afterAll, expect, jest, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { site } from '../e2e/site.ts';
import { served } from './fennel-site.ts';
import { oneAddress, written } from './one-address.ts';
import { startChatServer, startEmbeddingServer } from './servers.ts';
import { startSystem } from './system.ts';

jest.setTimeout(15 * 60_000);

const KEY = 'the-key-of-the-model-server';
const WRONG = 'a-key-that-is-not-its-key';
/** Many passages look as if they answer it. */
const QUESTION = 'How many herbs can I grow at once?';

const chat = await startChatServer({ key: KEY });
const embeddings = await startEmbeddingServer();
const models = await oneAddress({ chat, embeddings });
const manual = await site(served);
const variables = (key: string) => ({
  OPENAI_BASE_URL: models.baseUrl,
  OPENAI_API_KEY: key,
  OPENAI_MODEL: chat.model,
  OPENAI_EMBEDDING_MODEL: embeddings.model,
});
const system = await startSystem(variables(KEY));
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await manual[Symbol.asyncDispose]();
  await models[Symbol.asyncDispose]();
  await embeddings.stop();
  await chat.stop();
});
const website = await system.account.website(manual.url);
const trained = await system.train(website);
const chatbot = await system.account.chatbot(website);

/** Asks a question, and also returns the exchanges with the chat server. */
async function ask() {
  models.exchanges.length = 0;
  const asked = await system.ask(chatbot, QUESTION);
  return { ...asked, asks: models.exchanges.filter(({ path }) => path === '/v1/chat/completions') };
}

test('a website is trained with vectors from the server, and questions are compared with them', async () => {
  expect(trained).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
  const { model, vectors } = await system.live(website);
  expect(model).toBe(embeddings.model);
  expect(new Set(vectors.map((vector) => vector.split(',').length))).toEqual(new Set([384]));
  const { lexicalOnly, passages } = await system.search(website, 'Can I send it back although I have used it?');
  expect(lexicalOnly).toBe(false);
  expect(passages.slice(0, 3).map(({ title }) => title)).toContain('Orders and returns');
});

test('the model streams its answer, which cites passages or is replaced by a quote', async () => {
  const { status, asks, sources } = await ask();
  expect(status).toBe(200);
  expect(asks[0]).toMatchObject({ status: 200, asked: { stream: true } });
  expect(written(asks[0]!)).not.toBe('');
  expect(sources.length).toBeGreaterThan(0);
});

test('a question can be retried while the server loads its model, and is then answered, even with a small context', async () => {
  const small = await startChatServer({ key: KEY, context: 704, until: 'loading' });
  models.to = { chat: small, embeddings };
  const first = await ask();
  expect(first.asks[0]!.status).toBe(503);
  expect([200, 503]).toContain(first.status);

  const { message, asks } = await until(ask, ({ status }) => status === 200, 10 * 60_000);
  models.to = { chat, embeddings };
  await small.stop();
  // A prompt that does not fit, or leaves no room for the answer, is halved.
  const lengths = asks.map(({ asked }) => JSON.stringify(asked).length);
  expect(lengths.length).toBeGreaterThan(1);
  expect(lengths.at(-1)).toBeLessThan(lengths[0]!);
  expect(asks.at(-1)!.status).toBe(200);
  expect(message).toMatch(/six/i);
});

test('a wrong key fails replies and trainings with messages that contain neither key', async () => {
  // The embedding server has no key, so both are the chat server here.
  models.to = { chat, embeddings: chat };
  await system.restart(variables(WRONG));
  const { status, text, asks } = await ask();
  const failed = await system.train(await system.account.website(manual.url));
  models.to = { chat, embeddings };
  expect(status).toBe(503);
  expect(asks.map((exchange) => exchange.status)).toEqual([401]);
  // The owner of the item can't change the key; the trainer's log tells the operator, who can.
  expect(failed.training_failed_with).toMatch(/the log of the trainer says why\.$/);
  for (const key of [KEY, WRONG]) expect(text + JSON.stringify(failed)).not.toContain(key);
});
