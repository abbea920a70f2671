import { randomUUID } from 'node:crypto';
import { afterAll, expect, test } from '@jest/globals';
import type { ServiceName } from '@parley/embedded';
import { until } from '@parley/runtime/testing';
import { type Api, must } from '../e2e/api.ts';
import type { ApiKey, Chat, KnowledgeItem, Reply } from '../e2e/resources.ts';
import { world } from '../e2e/world.ts';

const { a, parley, stop, faq, chatbot, first } = await world({ embeddings: 'none' }, async ({ a }) => {
  const faq = await a.faq('Museum', { 'Where are the fossils?': 'The fossils are in the west wing.' });
  await a.train(faq);
  const chatbot = await a.chatbot(faq);
  return { faq, chatbot, first: await a.ask(chatbot, 'Where are the fossils?') };
});
afterAll(stop);

const { api } = a;
const { id: chat, session_id } = first;
const at = `/chatbot/${chatbot.public_id}`;

/** Routes and the services that they need. Every route needs auth, but verified keys are cached for a while. */
const NEEDS: [needs: ServiceName[], ask: (api: Api) => Promise<{ status: number }>][] = [
  [[], (api) => api.get('/me')],
  [['knowledge'], (api) => api.get('/knowledge')],
  [['knowledge'], (api) => api.get(`/knowledge/${faq.id}/faq-items`)],
  [['knowledge'], (api) => api.post('/knowledge/website', { website_url: 'https://example.com/' })],
  [['assistants'], (api) => api.get('/chatbots')],
  [['assistants'], (api) => api.get(at)],
  [['assistants'], (api) => api.post('/chatbots', { title: 'T' })],
  [['assistants', 'knowledge'], (api) => api.get(`${at}/knowledge`)],
  [['assistants', 'knowledge'], (api) => api.put(`${at}/knowledge`, { knowledge_id: faq.id })],
  [['assistants', 'conversations'], (api) => api.get(`${at}/chats`)],
  [['assistants', 'conversations'], (api) => api.get(`${at}/chats/${chat}`)],
  [
    ['assistants', 'conversations', 'knowledge'],
    (api) => api.post(`${at}/reply`, { message: 'Where are the fossils?' }),
  ],
  [['auth'], (api) => api.get('/api-keys')],
];
const statuses = (api: Api) => Promise.all(NEEDS.map(async ([, ask]) => (await ask(api)).status));
const allIsWell = () =>
  until(
    () => statuses(api),
    (answered) => answered.every((status) => status === 200),
  );

/** The same account with a new key: the cache entry of an older one could expire during the test on a slow machine. */
async function withNewKey(): Promise<Api> {
  const { key } = must(
    await api.post<ApiKey>('/api-keys', { name: 'new', scopes: ['CHATBOTS_WRITE', 'API_KEYS_WRITE'] }),
  );
  return api.as(`Bearer ${key}`);
}

test.each<ServiceName>(['knowledge', 'assistants', 'conversations', 'auth'])(
  'without %s its routes answer 503 with Retry-After, the others keep working, and all recover once it is back',
  async (name) => {
    const fresh = await withNewKey();
    expect(await statuses(fresh)).toEqual(NEEDS.map(() => 200));
    await parley.services[name].stop();
    try {
      expect(await statuses(fresh)).toEqual(NEEDS.map(([needs]) => (needs.includes(name) ? 503 : 200)));
    } finally {
      await parley.services[name].start();
    }
    await allIsWell();
  },
);

test('without auth uncached keys get 503, and routes that need no key still work', async () => {
  const unknown = await withNewKey();
  await parley.services.auth.stop();
  try {
    expect((await unknown.get('/me')).status).toBe(503);
    for (const path of ['/healthz', '/v1/openapi.json']) expect((await fetch(parley.baseUrl + path)).status).toBe(200);
  } finally {
    await parley.services.auth.start();
  }
  await allIsWell();
  expect(must(await unknown.get('/me'))).toMatchObject({ key: { name: 'new' } });
});

test('a question asked while search is unavailable is kept, and retrying the request answers it later', async () => {
  const headers = { 'Idempotency-Key': randomUUID() };
  const ask = () => api.post<Reply>(`${at}/reply`, { message: 'Where, again, are the fossils?', session_id }, headers);
  await parley.services.knowledge.stop();
  try {
    expect((await ask()).status).toBe(503);
  } finally {
    await parley.services.knowledge.start();
  }
  const kept = must(await api.get<Chat>(`${at}/chats/${chat}`)).conversation;
  expect(kept.at(-1)).toEqual({ role: 'user', message: 'Where, again, are the fossils?' });

  const { message } = must(await until(ask, ({ status }) => status !== 503));
  expect(message).toContain('west wing');
  const { conversation } = must(await api.get<Chat>(`${at}/chats/${chat}`));
  expect(conversation).toEqual([...kept, { role: 'assistant', message }]);
});

test('without the trainer a training is queued, as its item says, and runs once the trainer is back', async () => {
  await parley.services.trainer.stop();
  const asked = must(await api.put<KnowledgeItem>(`/knowledge/${faq.id}/train`));
  expect(asked).toMatchObject({ is_training: true, training: { state: 'queued' } });
  expect((await a.ask(chatbot, 'Where are the fossils?')).message).toContain('west wing');
  await parley.services.trainer.start();
  expect(await a.settled(faq)).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
});
