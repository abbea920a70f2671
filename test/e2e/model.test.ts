import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import { gate, until } from '@parley/runtime/testing';
import { must } from './api.ts';
import { modelServer } from './model-server.ts';
import type { Chat, Page, Reply } from './resources.ts';
import { html, OBSERVATORY, site } from './site.ts';
import { system } from './system.ts';

const model = await modelServer();
const pages = await site({ ...OBSERVATORY });
const { variables } = model;
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
const good = 'It costs nine crowns [1].';

test("the model's answer cites the page that it names, and only the model server gets its key", async () => {
  model.chat = good;
  const { message, sources, confidence } = await a.ask(chatbot, question);
  expect(message).toMatch(/^It costs nine crowns \[1\]\.\n\nSources:\n\[1\] /);
  expect(sources).toEqual([{ n: 1, title: 'Fees', url: new URL('/fees', pages.url).href }]);
  expect(confidence).toBe('high');
  expect([...model.authorizations]).toEqual(['Bearer sk-of-this-test']);
  expect(model.prompts.at(-1)).toContain('Children under twelve');
});

test('an answer that the model made up is replaced by a quote, as uncertain', async () => {
  for (const answer of ['It costs a hundred dollars [1].', 'It costs 100 dollars.']) {
    model.chat = answer;
    const { message, sources, confidence } = await a.ask(chatbot, question);
    expect(message).not.toContain('dollars');
    expect(message).toContain('nine crowns');
    expect(sources[0]).toMatchObject({ title: 'Fees' });
    expect(confidence).toBe('low');
  }
});

test('a follow-up is searched as the model rewrites it', async () => {
  model.chat = good;
  const { session_id } = await a.ask(chatbot, question);
  model.rewritten = 'What does a visit to the observatory cost for children?';
  model.chat = 'Children under twelve pay nothing [1].';
  const { message } = must(
    await a.api.post<Reply>(`/chatbot/${chatbot.id}/reply`, { message: 'And for them?', session_id }),
  );
  expect(message).toMatch(/^Children under twelve pay nothing \[1\]\./);
  const [rewriting, answering] = model.prompts
    .filter(Boolean)
    .slice(-2)
    .map((body) => JSON.parse(body).messages[1].content);
  expect(rewriting).toContain('And for them?');
  expect(rewriting).not.toContain('<passages-');
  expect(answering).toContain('Children under twelve');
});

test('while the model fails the reply is a 503 and the question is kept; retrying the request answers it once', async () => {
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

test('while a question is being answered, two more in its session wait; others get 503 with Retry-After at once', async () => {
  model.chat = good;
  const { id, session_id } = await a.ask(chatbot, question);
  const answering = gate();
  model.held = answering.opened;
  const ask = (message: string) => a.api.post<Reply>(`/chatbot/${chatbot.id}/reply`, { message, session_id });
  const asked = model.prompts.length;
  const first = ask(`${question} (0)`);
  await until(() => model.prompts.length > asked);

  const others = [1, 2, 3, 4].map((n) => ask(`${question} (${n})`));
  const refused: Awaited<(typeof others)[number]>[] = [];
  for (const other of others) other.then((answer) => refused.push(answer));
  await until(() => refused.length === 2);
  for (const { status, headers } of refused) {
    expect(status).toBe(503);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }

  answering.open();
  const statuses = (await Promise.all([first, ...others])).map(({ status }) => status).sort();
  expect(statuses).toEqual([200, 200, 200, 503, 503]);
  const { conversation } = must(await a.api.get<Chat>(`/chatbot/${chatbot.id}/chats/${id}`));
  expect(conversation.map(({ role }) => role)).toEqual(Array.from({ length: 4 }, () => ['user', 'assistant']).flat());
});

test('a training fails with a clear message, without the key, if embedding fails, and the old build stays live', async () => {
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
