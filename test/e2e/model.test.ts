import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { must } from './api.ts';
import { modelServer } from './model-server.ts';
import type { Chat, Page, Reply } from './resources.ts';
import { html, site } from './site.ts';
import { system } from './system.ts';

const model = await modelServer();
const pages = await site({
  '/': html('Observatory', 'The dome opens on clear nights only. Visitors may look through the old refractor.', [
    '/fees',
  ]),
  '/fees': html('Fees', 'A visit to the observatory costs nine crowns. Children under twelve pay nothing.'),
});
const variables = {
  OPENAI_BASE_URL: model.baseUrl,
  OPENAI_API_KEY: 'sk-of-this-test',
  OPENAI_EMBEDDING_MODEL: 'words',
};
const { a, stop, website, chatbot } = await system({ embeddings: 'openai', variables }, async ({ a }) => {
  const website = await a.website(pages.url);
  await a.train(website);
  return { website, chatbot: await a.chatbot(website) };
});
afterAll(async () => {
  await stop();
  await pages[Symbol.asyncDispose]();
  await model[Symbol.asyncDispose]();
});

const question = 'How many crowns does a visit to the observatory cost?';
const good = { quotes: ['A visit to the observatory costs nine crowns.'], answer: 'It costs nine crowns.' };

test("the model's answer is cited with the page that holds its quote, and its key is sent to it alone", async () => {
  model.chat = good;
  const { message, sources } = await a.ask(chatbot, question);
  expect(message).toMatch(/^It costs nine crowns\. \[1\]\n\nSources:\n\[1\] /);
  expect(sources).toEqual([{ n: 1, title: 'Fees', url: new URL('/fees', pages.url).href }]);
  expect([...model.authorizations]).toEqual(['Bearer sk-of-this-test']);
  expect(model.prompts.at(-1)).toContain('Children under twelve');
});

test('what the model makes up has no source, so it is not said', async () => {
  model.chat = { quotes: ['A visit costs a hundred dollars.'], answer: 'It costs a hundred dollars. [1]' };
  const { message, sources } = await a.ask(chatbot, question);
  expect(message).not.toContain('hundred');
  expect(sources).toEqual([]);
});

test('while the model fails the reply is a 503 and the question is kept; the same request finishes it once', async () => {
  model.chat = 500;
  const headers = { 'Idempotency-Key': randomUUID() };
  const ask = () => a.api.post<Reply>(`/chatbot/${chatbot.id}/reply`, { message: question }, headers);
  const refused = await ask();
  expect(refused.status).toBe(503);
  expect(refused.text).not.toContain('sk-of');
  const newest = must(await a.api.get<Page<Chat>>(`/chatbot/${chatbot.id}/chats?limit=1`)).items[0]!;
  const at = `/chatbot/${chatbot.id}/chats/${newest.id}`;
  expect(must(await a.api.get<Chat>(at)).conversation).toEqual([{ role: 'user', message: question }]);

  model.chat = good;
  const { id, message } = must(await ask());
  expect(id).toBe(newest.id);
  expect(must(await a.api.get<Chat>(at)).conversation).toEqual([
    { role: 'user', message: question },
    { role: 'assistant', message },
  ]);
  expect((await ask()).headers.get('idempotent-replayed')).toBe('true');
});

test('a training that can not be embedded fails with a sentence, without the key, and the old build answers on', async () => {
  model.chat = good;
  model.embedding = 401;
  pages.pages['/fees'] = html('Fees', 'A visit to the observatory costs ten crowns.');
  const failed = await a.train(website);
  expect(failed).toMatchObject({ trained_at: null, training_failed_with: expect.stringMatching(/^[A-Z].*\.$/) });
  expect(JSON.stringify(failed)).not.toContain('sk-of');
  model.embedding = 200;
  expect(
    (
      await until(
        () => a.ask(chatbot, question),
        ({ sources }) => sources.length > 0,
      )
    ).message,
  ).toContain('nine');
});
