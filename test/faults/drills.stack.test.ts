import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, afterEach, expect, jest, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { freePort } from '../../deploy/stack/server.ts';
import { keyed, must } from '../e2e/api.ts';
import type { Chat, KnowledgeItem, Reply } from '../e2e/resources.ts';
import { prepared } from '../e2e/world.ts';
import { insist } from '../stack/insist.ts';
import { firing, scrape } from './alerts.ts';
import { startDrilled } from './drilled.ts';

// Servers and processes start again on a busy machine.
jest.setTimeout(120_000);

const QUESTION = 'Where is the key?';

type Bare = { stop(): Promise<void> } & Awaited<ReturnType<typeof startDrilled>>;
const drilled = await prepared(startDrilled, async ({ a, model, calm, processes }: Bare) => {
  model.chat = 'The key is under the mat [1].';
  const faq = await a.faq('Keys', { [QUESTION]: 'The key is under the mat.' });
  await a.train(faq);
  const bot = await a.chatbot(faq);
  await calm();
  return { faq, bot, quiet: await scrape(processes) };
});
const { a, faq, bot, quiet, stack, processes, model, mongodb, kafka, store, alarm, calm, stop } = drilled;
afterAll(stop);
afterEach(drilled.restore);

/** The header of a request that may be sent as often as needed. */
const once = () => ({ 'Idempotency-Key': randomUUID() });
const ask = (headers: Record<string, string>) =>
  a.api.post<Reply>(`/chatbot/${bot.id}/reply`, { message: QUESTION }, headers);
const titles = async () => (await a.api.all<KnowledgeItem>('/knowledge')).map(({ title }) => title).sort();

/** Asks until there is an answer; expects the question and its answer in the chat, once. */
async function expectAnswered(key = once()) {
  const { id, message } = await insist(() => ask(key));
  expect(message).toContain('under the mat');
  expect(must(await a.api.get<Chat>(`/chatbot/${bot.id}/chats/${id}`)).conversation).toEqual([
    { role: 'user', message: QUESTION },
    { role: 'assistant', message },
  ]);
}

/** The trainings that the feed of events says have finished, and the numbers of all events. */
const readFeed = async () => {
  const events = await a.api.all<{ type: string; number: number; data: { knowledge_id: string } }>('/events');
  const finished = events.filter(({ type }) => type === 'training.finished').map(({ data }) => data.knowledge_id);
  return { finished: finished.sort(), numbers: events.map(({ number }) => number) };
};

test('nothing alarms while nothing is wrong', async () => {
  await until(
    async () => firing(quiet, await scrape(processes)),
    (alerts) => Object.keys(alerts).length === 0,
  );
});

test('Kafka loses everything: trainings and answers go on, the alert fires, and what happened meanwhile is delivered once', async () => {
  await until(readFeed, ({ finished }) => finished.length === 1); // What only Kafka has is lost with it.
  await kafka.stop();
  await drilled.wipeKafka();
  const meanwhile = await a.faq('Meanwhile', { 'When?': 'While Kafka was away.' });
  expect(await a.train(meanwhile)).toMatchObject({ training_failed_with: null });
  await expectAnswered();
  await alarm('ParleyDependencyDown', { labels: { dependency: 'bus', pod: 'knowledge' }, since: quiet });
  await kafka.start();
  const afterwards = await a.faq('Afterwards', { 'When?': 'After that.' });
  expect(await a.train(afterwards)).toMatchObject({ training_failed_with: null });
  await calm();
  const { finished, numbers } = await until(readFeed, ({ finished }) => finished.length >= 3);
  expect(finished).toEqual([faq.id, meanwhile.id, afterwards.id].sort());
  expect(numbers).toEqual(numbers.map((_, i) => i + 1));
});

test('a file store that only reads answers questions, refuses uploads for now, and trainings wait for it', async () => {
  await store.stop();
  await store.start('--readonly');
  const upload = async () => {
    const type = { file_type: 'text/plain', file_name: 'note.txt' };
    const { id, upload_url } = must(
      await a.api.post<KnowledgeItem & { upload_url: string }>('/knowledge/document', type),
    );
    const { status } = await fetch(upload_url, { method: 'PUT', body: 'The spare key is with the neighbour.' });
    return { id, status };
  };
  const { status } = await upload();
  expect(status).toBe(503);
  const waiting = await a.faq('Waits', { 'Why?': 'The store takes no files.' });
  must(await a.api.put(`/knowledge/${waiting.id}/train`));
  await expectAnswered();
  await alarm('ParleyDependencyDown', { labels: { dependency: 'object store writes', pod: 'gateway' }, since: quiet });
  expect(must(await a.api.get<KnowledgeItem>(`/knowledge/${waiting.id}`))).toMatchObject({
    is_training: true,
    training_failed_with: null,
  });
  await store.stop();
  await store.start();
  expect(await a.settled(waiting)).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
  await calm(); // Of the gateway too, which nobody has given a file since.
  expect(await upload()).toMatchObject({ status: 200 });
});

test('a model that hangs costs an answer its time and nothing else, the alert fires, and the question is answered later, once', async () => {
  let release = () => {};
  model.held = new Promise((resolve) => {
    release = resolve;
  });
  const key = once();
  const asked = ask(key);
  must(await a.api.get('/knowledge'));
  expect(await asked).toMatchObject({ status: 503 });
  await alarm('ParleyDependencyDown', { labels: { dependency: 'model', pod: 'assistants' }, since: quiet });
  model.held = Promise.resolve();
  release();
  await calm(); // Although nobody asks anything.
  await expectAnswered(key);
});

test('without MongoDB requests are refused for now, the alert fires, and all that was acknowledged is there afterwards', async () => {
  const acknowledged = await titles();
  await mongodb.stop();
  const key = once();
  const write = (headers = {}) => a.api.post<KnowledgeItem>('/knowledge/faq', { title: 'Written once' }, headers);
  // By whoever finds out first: the services, or the gateway, which stores keys of requests and limits the whole.
  const refused = await Promise.all([write(), write(key), ask(once()), a.api.get('/knowledge')]);
  expect(refused.map(({ status }) => status)).toEqual([503, 503, 503, 503]);
  for (const pod of ['knowledge', 'gateway'])
    await alarm('ParleyDependencyDown', { labels: { dependency: 'mongodb', pod }, since: quiet });
  await mongodb.start();
  await insist(() => write(key));
  await calm();
  expect(await titles()).toEqual([...acknowledged, 'Written once'].sort());
});

test('a gateway whose clock is five minutes ahead is refused, the log says why, and it serves as soon as its clock is right; a trainer trains, by the clock of the database', async () => {
  const port = await freePort();
  const gateway = await drilled.startAhead('gateway', { PORT: String(port) });
  const ahead = keyed(`http://127.0.0.1:${port}/v1`, a.key);
  const before = await scrape([...processes, gateway]);
  const refused = await ahead.get('/knowledge');
  expect(refused).toMatchObject({ status: 503, body: { message: expect.stringContaining('clocks of our servers') } });
  expect(await readFile(stack.processes['auth']!.logFile, 'utf8')).toContain(
    'A call of gateway was signed 300 s after now',
  );
  await alarm('ParleyErrors', { since: before, act: () => ahead.get('/knowledge'), more: [gateway] });
  must(await a.api.get('/knowledge'));
  gateway.kill('SIGUSR2');
  await insist(() => ahead.get('/knowledge'));
  await insist(() => ahead.post('/knowledge/faq', { title: 'With the right clock' }, once()));

  await stack.processes['trainer-1']!.stop();
  const trainer = await drilled.startAhead('trainer');
  expect(await a.train(faq)).toMatchObject({ training_failed_with: null });
  trainer.kill('SIGUSR2');
  expect(await a.train(faq)).toMatchObject({ training_failed_with: null });
});
