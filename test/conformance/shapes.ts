import { describe, expect, test } from '@jest/globals';
import { type Answer, must } from '../e2e/api.ts';
import type { ApiKey, Chatbot, FaqItem, KnowledgeItem, Page, Reply } from '../e2e/resources.ts';
import { site } from '../e2e/site.ts';
import { untouched } from './given.ts';

const { account: a, ids, chatbot, session } = untouched;
const { api } = a;

const UUID = expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
const PUBLIC_ID = expect.stringMatching(/^[\w-]{4,24}$/);
const KEY = expect.stringMatching(/^parley_[0-9A-Za-z]{30,60}$/);

const never = { trained_at: null, training_failed_at: null, training_failed_with: null };
/** `live_since` and, while it runs, `training` are extensions. */
const untrained = { ...never, is_training: false, live_since: null };
const trained = { ...untrained, trained_at: TIME, live_since: TIME };
const running = {
  ...untrained,
  is_training: true,
  training: {
    state: expect.stringMatching(/^(queued|running)$/),
    sources_found: expect.any(Number),
    sources_done: expect.any(Number),
    chunks: expect.any(Number),
  },
};
const paged = (items: unknown[]) => ({ items, total: items.length, has_more: false });

function isData<T>(answer: Answer<T>, data: unknown): T {
  expect(answer.body).toEqual({ success: true, data });
  return answer.body.data;
}
const isEmpty = (answer: Answer<unknown>) => expect(answer.body).toEqual({ success: true });

describe('a website', () => {
  const identity = (base_url: string) => ({ id: UUID, type: 'website', base_url });

  test('has its fields in creation, reading, listing, training, deleting', async () => {
    await using pages = await site({ '/': '<main><p>Nothing but one page of text about a lighthouse.</p></main>' });
    const created = isData(
      await api.post<KnowledgeItem>('/knowledge/website', { website_url: pages.url }),
      identity(pages.url),
    );
    const at = `/knowledge/${created.id}`;
    isData(await api.get(at), { ...identity(pages.url), ...untrained });
    isData(await api.put(`${at}/train`), { ...identity(pages.url), ...running });
    await a.settled(created);
    isData(await api.get(at), { ...identity(pages.url), ...trained });
    isData(await api.get(`${at}/sub-pages`), paged([{ ...never, page_url: '/', trained_at: TIME }]));
    isData(await api.del(at), identity(pages.url));
    expect((await api.get(at)).status).toBe(404);
    expect((await api.del(at)).status).toBe(404);
  });

  test('that failed says when and why, and so does its page', async () => {
    await using pages = await site({});
    const { id } = await a.website(pages.url);
    await a.train({ id });
    const failed = { training_failed_at: TIME, training_failed_with: expect.stringMatching(/^[A-Z].*\.$/) };
    isData(await api.get(`/knowledge/${id}`), { ...identity(pages.url), ...untrained, ...failed });
    isData(await api.get(`/knowledge/${id}/sub-pages`), paged([{ ...never, ...failed, page_url: '/' }]));
  });
});

describe('an FAQ', () => {
  const identity = { id: UUID, type: 'faq', title: 'Colours', description: 'Of paint.' };

  test('has its fields in creation, reading, training, deleting', async () => {
    const { id } = isData(
      await api.post<KnowledgeItem>('/knowledge/faq', { title: 'Colours', description: 'Of paint.' }),
      identity,
    );
    isData(await api.get(`/knowledge/${id}`), { ...identity, ...untrained });
    must(await api.post(`/knowledge/${id}/faq-item`, { question: 'Which?', answer: 'Green.' }));
    isData(await api.put(`/knowledge/${id}/train`), { ...identity, ...running });
    await a.settled({ id });
    isData(await api.get(`/knowledge/${id}`), { ...identity, ...trained });
    isData(await api.del(`/knowledge/${id}`), identity);
  });

  test('without a description has null', async () => {
    const { id } = isData(await api.post<KnowledgeItem>('/knowledge/faq', { title: 'Colours' }), {
      ...identity,
      description: null,
    });
    isData(await api.post('/knowledge/faq', { title: 'Colours', description: null }), {
      ...identity,
      description: null,
    });
    must(await api.del(`/knowledge/${id}`));
  });
});

describe('an FAQ item', () => {
  const block = (text: string) => ({ id: expect.any(String), type: 'paragraph', data: { text } });
  const answer = (...texts: string[]) => ({
    version: expect.any(String),
    time: expect.any(Number),
    blocks: texts.map(block),
  });
  const add = (body: object) =>
    api.post<FaqItem>(`/knowledge/${ids.faq}/faq-item`, { question: 'Why?', answer: 'So.', ...body });

  test('has its fields in creation, listing, deleting', async () => {
    const body = {
      question: 'How?',
      answer: 'Thus.',
      source_url: 'https://example.com/how',
      categories: ['One', 'Two', 'One'],
    };
    const base = { id: UUID, question: 'How?', answer: answer('Thus.'), categories: ['One', 'Two'] };
    const rating = { upvotes: 0, downvotes: 0 };
    const { id, answer: made } = isData(await add(body), { ...base, rating, source_url: body.source_url });
    expect(made.time).toBeGreaterThan(Date.now() - 60_000);
    expect(Number.isInteger(made.time)).toBe(true);
    const { items } = must(await api.get<Page<FaqItem>>(`/knowledge/${ids.faq}/faq-items`));
    expect(items[0]).toEqual({ ...base, answer: made, source_url: body.source_url });
    isData(await api.del(`/knowledge/${ids.faq}/faq-item/${id}`), { ...base, answer: made, rating });
    expect((await api.del(`/knowledge/${ids.faq}/faq-item/${id}`)).status).toBe(404);
  });

  test('without the optional fields has null and an empty list', async () => {
    expect(must(await add({}))).toMatchObject({ source_url: null, categories: [] });
    expect(must(await add({ source_url: null, categories: null }))).toMatchObject({ source_url: null, categories: [] });
  });

  test.each([
    ['one line', ['one line']],
    ['first\nsecond', ['first<br>second']],
    ['first\r\nsecond', ['first<br>second']],
    ['first\n\nsecond', ['first', 'second']],
    ['first\n  \t \nsecond\nthird\n\n\nfourth', ['first', 'second<br>third', 'fourth']],
    ['\n\nfirst\n\n', ['first']],
    ['<b>&amp;</b> "q"', ['&lt;b&gt;&amp;amp;&lt;/b&gt; "q"']],
  ])('answered with %j has the paragraphs %j', async (text, blocks) => {
    const { id, answer: made } = must(await add({ answer: text }));
    expect(made).toEqual(answer(...blocks));
    expect(new Set(made.blocks.map((one) => one.id)).size).toBe(made.blocks.length);
    must(await api.del(`/knowledge/${ids.faq}/faq-item/${id}`));
  });
});

describe('a chatbot', () => {
  const shape = (title: string, allowed_domains: string[] = []) => ({
    id: UUID,
    public_id: PUBLIC_ID,
    title,
    allowed_domains,
  });

  test('has its fields in creation, reading by either id, listing', async () => {
    const domains = ['Example.com', '*.Example.org', 'localhost:3000', '127.0.0.1:8080'];
    const lowered = domains.map((domain) => domain.toLowerCase());
    const made = isData(
      await api.post<Chatbot>('/chatbots', { title: ' Shop ', allowed_domains: domains }),
      shape(' Shop ', lowered),
    );
    isData(await api.get(`/chatbot/${made.id}`), made);
    isData(await api.get(`/chatbot/${made.public_id}`), made);
    isData(await api.get(`/chatbot/${made.id.toUpperCase()}`), made);
    isData(await api.get('/chatbots'), [made, chatbot]);
    isData(await api.post('/chatbots', { title: 'Plain', allowed_domains: null }), shape('Plain'));
  });

  test('gives and takes knowledge without data', async () => {
    const at = `/chatbot/${chatbot.public_id}/knowledge`;
    isData(
      await api.get(at),
      paged([{ id: ids.faq, type: 'faq', title: 'Opening hours', description: null, ...trained }]),
    );
    isEmpty(await api.del(at, { knowledge_id: ids.faq }));
    isData(await api.get(at), paged([]));
    expect((await api.del(at, { knowledge_id: ids.faq })).status).toBe(404);
    isEmpty(await api.put(at, { knowledge_id: ids.faq.toUpperCase() }));
    isEmpty(await api.put(at, { knowledge_id: ids.faq }));
    expect(must(await api.get<Page<KnowledgeItem>>(at)).total).toBe(1);
    expect((await api.get(`/knowledge/${ids.faq}`)).status).toBe(200);
  });

  test('replies with the chat, its session, the message and its sources', async () => {
    const source = { n: 1, title: expect.any(String), url: null };
    const body = { message: 'When is the shop open?' };
    const shape = {
      id: UUID,
      session_id: expect.any(String),
      message: expect.stringContaining('[1]'),
      sources: [source],
    };
    const first = isData(
      await api.post<Reply>(`/chatbot/${chatbot.public_id}/reply`, { ...body, session_id: null }),
      shape,
    );
    isData(await api.post(`/chatbot/${chatbot.id}/reply`, { ...body, session_id: first.session_id }), {
      ...shape,
      id: first.id,
      session_id: first.session_id,
    });
  });
});

test('a chat has its fields in listing, and its conversation when it is read', async () => {
  const listed = { id: UUID, session_id: expect.any(String), created_at: TIME, updated_at: TIME };
  const at = `/chatbot/${chatbot.public_id}/chats`;
  const { items } = must(await api.get<Page<{ id: string }>>(at));
  for (const item of items) expect(item).toEqual(listed);
  const turn = [
    { role: 'user', message: 'When is the shop open?' },
    { role: 'assistant', message: expect.stringContaining('nine') },
  ];
  isData(await api.get(`${at}/${ids.chat}`), { ...listed, id: ids.chat, session_id: session, conversation: turn });
});

describe('a key', () => {
  test('is shown once, and never again', async () => {
    const key = {
      id: UUID,
      name: 'CI',
      scopes: ['CHATBOTS_WRITE'],
      created_at: TIME,
      expires_at: null,
      last_used_at: null,
    };
    const body = { name: 'CI', scopes: ['CHATBOTS_WRITE'] };
    const made = isData(await api.post<ApiKey>('/api-keys', body), { ...key, key: KEY });
    const listed = await a.api.all<ApiKey>('/api-keys');
    expect(listed[0]).toEqual({ ...key, id: made.id });
    for (const other of listed) expect(Object.keys(other).sort()).toEqual(Object.keys(key).sort());
    isData(await api.del(`/api-key/${made.id}`), { ...key, id: made.id });
  });

  test('knows itself and its account', async () => {
    isData(await api.get('/me'), {
      account: { id: UUID, name: expect.any(String) },
      key: { id: UUID, name: expect.any(String), scopes: expect.any(Array), expires_at: null },
    });
  });
});
