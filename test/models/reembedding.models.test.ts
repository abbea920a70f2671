import { afterAll, expect, jest, test } from '@jest/globals';
import { site } from '../e2e/site.ts';
import { served } from './fennel-site.ts';
import { startEmbeddingServer } from './servers.ts';
import { startSystem } from './system.ts';

jest.setTimeout(15 * 60_000);

const MINILM = 'minilm-l6-v2-int8';
/** It shares no content word with its answer. */
const QUESTION = 'Would I get my money back?';

const embeddings = await startEmbeddingServer();
/** Leaves vectors as they are until they are renewed. */
const asItWas = { TRAINER_REEMBED: 'false' };
const local = { ...asItWas, EMBEDDINGS: 'local' };
const remote = {
  ...asItWas,
  OPENAI_BASE_URL: embeddings.baseUrl,
  OPENAI_EMBEDDING_MODEL: embeddings.model,
};
const manual = await site(served);
const system = await startSystem(local);
afterAll(async () => {
  await system[Symbol.asyncDispose]();
  await manual[Symbol.asyncDispose]();
  await embeddings.stop();
});
const website = await system.account.website(manual.url);
await system.train(website);

const pagesFor = async (query: string) => {
  const { passages, lexicalOnly } = await system.search(website, query);
  return { lexicalOnly, compared: passages.map(({ similarity }) => similarity), first: titles(passages).slice(0, 3) };
};
const titles = (passages: { title: string }[]) => passages.map(({ title }) => title);

test('after the embedding model changes, a build is searched with its own model while that is available', async () => {
  const before = await pagesFor(QUESTION);
  expect(before).toMatchObject({ lexicalOnly: false, first: expect.arrayContaining(['Orders and returns']) });
  const built = await system.live(website);
  expect(built.model).toBe(MINILM);

  await system.restart(remote);
  expect(await pagesFor(QUESTION)).toEqual(before);
  expect(await system.live(website)).toEqual(built);
});

test('a training publishes only vectors of the new model', async () => {
  const before = await system.live(website);
  expect(await system.train(website)).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
  const after = await system.live(website);
  expect(after.model).toBe(embeddings.model);
  expect(after.vectors).toHaveLength(before.vectors.length);
  expect(after.vectors.filter((vector) => before.vectors.includes(vector))).toEqual([]);
  expect(await pagesFor(QUESTION)).toMatchObject({
    lexicalOnly: false,
    first: expect.arrayContaining(['Orders and returns']),
  });
});

test('if its model is gone, a build is searched by words and still answers', async () => {
  await system.restart(local);
  const { lexicalOnly, compared, first } = await pagesFor('How many litres does the tank hold?');
  expect({ lexicalOnly, first: first[0] }).toEqual({ lexicalOnly: true, first: 'Setting up' });
  expect(compared.every((similarity) => similarity === undefined)).toBe(true);
  const chatbot = await system.account.chatbot(website);
  const { message, sources } = await system.ask(chatbot, 'How many litres does the tank hold?');
  expect(message).toContain('2.8 litres');
  expect(sources.map(({ title }) => title)).toContain('Setting up');

  await system.train(website);
  expect((await system.live(website)).model).toBe(MINILM);
  expect((await pagesFor(QUESTION)).lexicalOnly).toBe(false);
});

test('while the server of its model is unavailable, a build is searched by words', async () => {
  await system.restart(remote);
  await system.train(website);
  await embeddings.stop();
  expect(await pagesFor('How many litres does the tank hold?')).toMatchObject({
    lexicalOnly: true,
    first: expect.arrayContaining(['Setting up']),
  });
});
