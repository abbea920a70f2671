import { afterAll, expect, test } from '@jest/globals';
import { must } from './api.ts';
import { modelServer } from './model-server.ts';
import type { Reply, Usage } from './resources.ts';
import { system } from './system.ts';

const model = await modelServer();
const { a, account, stop } = await system({
  embeddings: 'openai',
  variables: {
    ...model.variables,
    QUOTA_ITEMS: '4',
    QUOTA_FAQ_ITEMS: '5',
    QUOTA_API_KEYS: '6',
    QUOTA_CHATS: '3',
    MODEL_TOKENS_PER_DAY: '8000',
    EMBEDDING_TOKENS_PER_DAY: '200',
  },
});
afterAll(async () => {
  await stop();
  await model[Symbol.asyncDispose]();
});

type Account = typeof a;

const usage = async ({ api }: Account, name: string, window = 'none') =>
  must(await api.get<Usage[]>('/usage')).find((each) => each.name === name && each.window === window)!;

/** Creates eight at once, when there is room for some, and returns their ids. */
async function crowd({ api }: Account, path: string, body: object, refusal: RegExp): Promise<string[]> {
  const answers = await Promise.all(Array.from({ length: 8 }, () => api.post<{ id: string }>(path, body)));
  for (const { status, body } of answers.filter(({ status }) => status !== 200))
    expect({ status, message: body.message }).toEqual({ status: 403, message: expect.stringMatching(refusal) });
  return answers.flatMap(({ status, body }) => (status === 200 ? body.data.id : []));
}

test('of items that are created at once only as many are as there is room for; deleting one makes room for one', async () => {
  const owner = await account('Items');
  const create = () =>
    crowd(
      owner,
      '/knowledge/website',
      { website_url: 'https://example.com/' },
      /4 knowledge items \(QUOTA_ITEMS\).* 4\./,
    );
  const ids = await create();
  expect(ids).toHaveLength(4);
  expect(await usage(owner, 'items')).toEqual({ name: 'items', used: 4, limit: 4, window: 'none', spent_at: null });
  must(await owner.api.del(`/knowledge/${ids[0]}`));
  expect(await create()).toHaveLength(1);
});

test('the questions of all FAQs together and the keys of an account are limited likewise', async () => {
  const owner = await account('Questions');
  const [one, two] = [await owner.faq('One', { 'Why?': 'So.' }), await owner.faq('Two')];
  const body = { question: 'How?', answer: 'Thus.' };
  const add = () => crowd(owner, `/knowledge/${two.id}/faq-item`, body, /5 questions in FAQs \(QUOTA_FAQ_ITEMS\)/);
  const [first] = await add();
  expect(await usage(owner, 'faq_items')).toMatchObject({ used: 5, limit: 5 });
  must(await owner.api.del(`/knowledge/${two.id}/faq-item/${first}`));
  must(await owner.api.post(`/knowledge/${one.id}/faq-item`, body));

  const made = await crowd(owner, '/api-keys', { name: 'k', scopes: [] }, /6 API keys \(QUOTA_API_KEYS\)/);
  expect(made).toHaveLength(5);
  must(await owner.api.del(`/api-key/${made[0]}`));
  must(await owner.api.post('/api-keys', { name: 'k', scopes: [] }));
});

test('a chat too many is refused before the model is asked; those that there are go on', async () => {
  model.chat = 'It costs nine crowns [1].';
  const owner = await account('Chats');
  const chatbot = await owner.chatbot();
  const at = `/chatbot/${chatbot.id}/reply`;
  const first = must(await owner.api.post<Reply>(at, { message: 'Hello?' }));
  const asked = model.prompts.length;
  expect(await crowd(owner, at, { message: 'Hello?' }, /3 chats \(QUOTA_CHATS\)/)).toHaveLength(2);
  expect(model.prompts.length - asked).toBeLessThanOrEqual(4);
  must(await owner.api.post<Reply>(at, { message: 'And now?', session_id: first.session_id }));
  expect(await usage(owner, 'chats')).toMatchObject({ used: 3 });
});

test('once the tokens of the day are spent, trainings fail and name the setting, and replies quote', async () => {
  const price = { 'What does a visit to the observatory cost?': 'A visit to the observatory costs nine crowns.' };
  const faq = await a.faq('Prices', price);
  await a.train(faq);
  const counted = await usage(a, 'embedding_tokens', 'day');
  expect(counted).toMatchObject({ used: expect.any(Number), limit: 200, spent_at: null });
  expect(counted.used).toBeGreaterThan(0);
  expect(await usage(a, 'embedding_tokens', 'month')).toMatchObject({ used: counted.used, limit: null });

  const long = await a.faq('Long', { 'Why?': 'It is said that the dome opens on clear nights only. '.repeat(100) });
  expect(await a.train(long)).toMatchObject({
    trained_at: null,
    training_failed_with: expect.stringMatching(/200 tokens .*EMBEDDING_TOKENS_PER_DAY/),
  });
  expect(await usage(a, 'embedding_tokens', 'day')).toMatchObject({ spent_at: expect.any(String) });

  const chatbot = await a.chatbot(faq);
  model.chat = 'It costs nine crowns [1].';
  const { session_id } = must(await a.api.post<Reply>(`/chatbot/${chatbot.id}/reply`, { message: 'Hello?' }));
  const ask = (message: string) => a.api.post<Reply>(`/chatbot/${chatbot.id}/reply`, { message, session_id });
  for (let i = 0; i < 20 && !(await usage(a, 'model_tokens', 'day')).spent_at; i++)
    must(await ask('How many crowns does a visit to the observatory cost?'));
  const { used, limit, spent_at } = await usage(a, 'model_tokens', 'day');
  expect({ limit, spent_at }).toEqual({ limit: 8_000, spent_at: expect.any(String) });
  expect(used).toBeLessThanOrEqual(8_000);
  const asked = model.prompts.length;
  expect(must(await ask('How many crowns does a visit to the observatory cost?')).message).toContain('nine crowns');
  expect(model.prompts).toHaveLength(asked);
});
