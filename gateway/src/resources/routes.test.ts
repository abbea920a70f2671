import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { deriveId } from '@parley/runtime/rpc';
import { type World, world } from '../testing/world.ts';

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const ID = expect.stringMatching(/^[0-9a-f-]{36}$/);
const AT = '2026-01-02T03:04:05.678Z';
const settings = { include: [], exclude: [], retrain_every: null };
const untrained = {
  is_training: false,
  trained_at: null,
  training_failed_at: null,
  training_failed_with: null,
  live_since: null,
  training_notes: [],
  last_training: null,
};

test('a website is created, read, trained and deleted as the contract says', async () => {
  const created = await w.post('/knowledge/website', { website_url: 'https://example.org/' });
  const { id } = created.body.data;
  const identity = { id, type: 'website', base_url: 'https://example.org/' };
  expect(created.body).toEqual({ success: true, data: { ...identity, id: ID } });
  expect((await w.get(`/knowledge/${id}`)).body.data).toEqual({ ...identity, ...settings, ...untrained });
  expect((await w.put(`/knowledge/${id}/train`)).body.data).toEqual({
    ...identity,
    ...settings,
    ...untrained,
    is_training: true,
    live_since: AT,
    training: { state: 'queued', sources_found: 3, sources_done: 0, chunks: 0 },
  });
  const pages = await w.get(`/knowledge/${id}/sub-pages`);
  expect(pages.body.data).toMatchObject({ total: 30, has_more: true, next_cursor: expect.any(String) });
  expect(pages.body.data.items.length).toBe(25);
  expect(pages.body.data.items[0]).toEqual({
    page_url: '/00',
    trained_at: null,
    training_failed_at: null,
    training_failed_with: null,
    training_note: null,
    state: 'trained',
    reason: null,
    bytes: 1_234,
    chunks: 0,
    title: null,
    kept: null,
  });
  expect((await w.delete(`/knowledge/${id}`)).body).toEqual({ success: true, data: identity });
});

test("a website's settings are changed, cleared by null, and left alone if absent", async () => {
  const { id } = (await w.post('/knowledge/website', { website_url: 'https://example.org/' })).body.data;
  const patch = async (json?: object) => (await w.call('PATCH', `/v1/knowledge/${id}`, { json })).body.data;
  const item = { id, type: 'website', base_url: 'https://example.org/', ...untrained };
  expect(await patch()).toEqual({ ...item, ...settings });
  const set = { include: ['/a', '/b*$'], exclude: ['/a/b'], retrain_every: 24 };
  expect(await patch(set)).toEqual({ ...item, ...set });
  expect(await patch({})).toEqual({ ...item, ...set });
  expect(await patch({ include: [], retrain_every: null })).toEqual({ ...item, ...settings, exclude: ['/a/b'] });
  expect(await patch({ exclude: null })).toEqual({ ...item, ...settings });
});

test("a video's title, language and transcript are changed, cleared by null, and left alone if absent", async () => {
  const video_url = 'https://youtu.be/dQw4w9WgXcQ';
  const { id } = (await w.post('/knowledge/video', { video_url, video_type: 'YOUTUBE' })).body.data;
  const patch = async (json: object) => (await w.call('PATCH', `/v1/knowledge/${id}`, { json })).body.data;
  expect(await patch({})).toMatchObject({ language: null, transcript_bytes: null });
  expect(await patch({ language: 'en', transcript: 'WEBVTT' })).toMatchObject({ language: 'en', transcript_bytes: 6 });
  expect(await patch({ language: null })).toMatchObject({ language: null, transcript_bytes: 6 });
  expect(await patch({ transcript: null })).toMatchObject({ language: null, transcript_bytes: null });
  expect(await patch({ title: 'Rye' })).toMatchObject({ title: 'Rye' });
  expect(await patch({})).toMatchObject({ title: 'Rye' });
  expect(await patch({ title: null })).not.toHaveProperty('title');
});

test.each([
  [{ transcript: ' ' }, 'transcript must not be blank.'],
  [{ transcript: 7 }, 'transcript must be a string.'],
  [{ language: 'x'.repeat(36) }, 'language must have at most 35 characters.'],
  [{ include: ['/a', 'b'] }, 'include[1] must begin with /.'],
  [{ exclude: '/a' }, 'exclude must be an array.'],
  [{ exclude: Array(51).fill('/') }, 'exclude must have at most 50 entries.'],
  [{ include: [`/${'a'.repeat(200)}`] }, 'include[0] must have at most 200 characters.'],
  [{ retrain_every: 0 }, 'retrain_every must be a whole number of hours from 1 to 8,760.'],
  [{ retrain_every: 8_761 }, 'retrain_every must be a whole number of hours from 1 to 8,760.'],
  [{ retrain_every: 1.5 }, 'retrain_every must be a whole number of hours from 1 to 8,760.'],
  [{ retrain_every: '1' }, 'retrain_every must be a whole number of hours from 1 to 8,760.'],
])('no settings: %j', async (body, message) => {
  const answer = await w.call('PATCH', `/v1/knowledge/${deriveId('none')}`, { json: body });
  expect(answer).toMatchObject({ status: 400, body: { message } });
});

test.each(['', 'example.org', 'ftp://example.org', 'https://', 'https://me:secret@example.org', ' http://example.org'])(
  'not a website: %j',
  async (website_url) => {
    expect(await w.post('/knowledge/website', { website_url })).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^website_url /) },
    });
  },
);

test('an FAQ, its items and its sources: rating only when created and deleted, source_url not when deleted', async () => {
  const faq = (await w.post('/knowledge/faq', { title: 'Shop' })).body.data;
  expect(faq).toEqual({ id: ID, type: 'faq', title: 'Shop', description: null });
  const path = `/knowledge/${faq.id}`;
  const body = { question: 'When?', answer: 'Now.\nOr never.', categories: ['time'] };
  const created = (await w.post(`${path}/faq-item`, body)).body.data;
  const content = {
    id: ID,
    question: 'When?',
    answer: {
      version: expect.any(String),
      time: Date.parse(AT),
      blocks: [{ id: expect.any(String), type: 'paragraph', data: { text: 'Now.<br>Or never.' } }],
    },
    categories: ['time'],
  };
  const rating = { upvotes: 0, downvotes: 0 };
  expect(created).toEqual({ ...content, source_url: null, rating });
  expect((await w.get(`${path}/faq-items`)).body.data).toEqual({
    items: [{ ...content, source_url: null }],
    total: 1,
    has_more: false,
  });
  const source = {
    type: 'faq_item',
    name: 'Why?',
    faq_item_id: faq.id,
    state: 'failed',
    reason: 'No.',
    bytes: 3,
    chunks: 0,
    title: null,
    kept: null,
    trained_at: null,
    training_failed_at: AT,
  };
  expect((await w.get(`${path}/sources`)).body.data).toEqual({ items: [source], total: 1, has_more: false });
  const deleted = await w.delete(`${path}/faq-item/${created.id}`);
  expect(deleted.body.data).toEqual({ ...content, rating });
});

test.each([
  [{ answer: 'a' }, /^question is required/],
  [{ question: 'q', answer: 'a'.repeat(50_001) }, /^answer must have at most 50,000 characters/],
  [{ question: 'q', answer: 'a', source_url: 'mailto:me' }, /^source_url must begin with/],
  [{ question: 'q', answer: 'a', categories: ['a', ' '] }, /^categories\[1\] must not be blank/],
  [{ question: 'q', answer: 'a', categories: 'a' }, /^categories must be an array/],
])('no FAQ item: %j', async (body, says) => {
  const { id } = (await w.post('/knowledge/faq', { title: 'Shop' })).body.data;
  const answer = await w.post(`/knowledge/${id}/faq-item`, body);
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(says) } });
});

test('a chatbot is found by both of its ids; attaching and detaching return only success', async () => {
  const chatbot = (await w.post('/chatbots', { title: 'Bot', allowed_domains: ['example.org:8080'] })).body.data;
  expect(chatbot).toEqual({
    id: ID,
    public_id: expect.stringMatching(/^[A-Za-z0-9]{12}$/),
    title: 'Bot',
    allowed_domains: ['example.org:8080'],
  });
  expect((await w.get(`/chatbot/${chatbot.public_id}`)).body.data).toEqual(chatbot);
  expect((await w.get(`/chatbot/${chatbot.id.toUpperCase()}`)).body.data).toEqual(chatbot);
  expect((await w.get('/chatbots')).body.data).toEqual([chatbot]);

  const path = `/chatbot/${chatbot.public_id}/knowledge`;
  const knowledge_id = (await w.post('/knowledge/faq', { title: 'F' })).body.data.id;
  expect((await w.put(path, { knowledge_id })).body).toEqual({ success: true });
  expect((await w.get(path)).body.data.items).toEqual([
    { id: knowledge_id, type: 'faq', title: 'F', description: null, ...untrained },
  ]);
  expect((await w.delete(path, { knowledge_id })).body).toEqual({ success: true });
  expect((await w.delete(path, { knowledge_id: deriveId('other') })).status).toBe(404);
});

test('a reply carries its chat, its session and its sources', async () => {
  const { id } = (await w.post('/chatbots', { title: 'Bot' })).body.data;
  const reply = await w.post(`/chatbot/${id}/reply`, { message: 'Is it?', session_id: null });
  expect(reply.body.data).toEqual({
    id: ID,
    session_id: ID,
    message: expect.stringMatching(/^Yes \[1\]\..*\n\nSources:\n\[1\] Page/s),
    sources: [
      { n: 1, title: 'Page', url: 'https://example.org/' },
      { n: 2, title: 'Question', url: null },
    ],
    confidence: 'low',
  });
  expect((await w.post(`/chatbot/${id}/reply`, { message: 'And?', session_id: '' })).status).toBe(404);
  expect((await w.post(`/chatbot/${id}/reply`, { session_id: '' })).body.message).toBe('message is required.');
  const chat = await w.get(`/chatbot/${id}/chats/${reply.body.data.id}`);
  expect(chat.body.data).toEqual({
    id: reply.body.data.id,
    session_id: ID,
    created_at: AT,
    visitor: null,
    votes: [],
    updated_at: AT,
    conversation: [
      { role: 'user', message: 'Is it?' },
      { role: 'assistant', message: 'Yes [1].' },
    ],
  });
});

test('chats are listed between two dates, with cursors valid only for that list', async () => {
  const { id, public_id } = (await w.post('/chatbots', { title: 'Bot' })).body.data;
  const dates = 'created_after=2026-01-01&created_before=2026-01-31T10:00:00%2B02:00';
  const first = await w.get(`/chatbot/${public_id}/chats?${dates}&limit=2`);
  expect(first.body.data.items[0]).toEqual({
    id: deriveId(id, '0'),
    session_id: ID,
    created_at: AT,
    updated_at: AT,
    visitor: null,
    votes: [],
  });
  expect(w.conversations.state.lastFilter).toEqual({
    before: BigInt(Date.parse('2026-01-31T08:00:00Z') / 1000),
    after: BigInt(Date.parse('2026-01-01') / 1000),
  });
  const cursor = first.body.data.next_cursor;
  const same = 'created_before=2026-01-31T08:00:00Z&created_after=2026-01-01T00:00Z';
  expect((await w.get(`/chatbot/${public_id}/chats?${same}&next_cursor=${cursor}`)).status).toBe(200);
  const other = 'created_after=2026-01-02&created_before=2026-01-31T08:00:00Z';
  for (const query of [other, same.split('&')[0], ''])
    expect((await w.get(`/chatbot/${public_id}/chats?${query}&next_cursor=${cursor}`)).status).toBe(400);
});

test.each([
  'created_after=2026-02-30',
  'created_before=',
  'created_before=soon',
  'created_after=2026&created_after=2026',
])('no date: %s', async (query) => {
  const answer = await w.get(`/chatbot/unknown12345/chats?${query}`);
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(/^created_\w+ must be/) } });
});

test('/me says whose key it is', async () => {
  expect((await w.get('/me', { key: w.keyWith(Scope.TICKETS_WRITE) })).body.data).toEqual({
    account: { id: w.account.id, name: 'Acme' },
    key: { id: ID, name: 'test', scopes: ['TICKETS_WRITE'], restricted: false, expires_at: null },
  });
});

test('a persona is created, listed and deleted; a picture of null is none', async () => {
  const image_url = 'https://example.org/ann.png';
  const ann = (await w.post('/personas', { name: 'Ann', image_url })).body.data;
  expect(ann).toEqual({ id: ID, name: 'Ann', image_url });
  const bob = (await w.post('/personas', { name: 'Bob', image_url: null })).body.data;
  expect(bob).toEqual({ id: ID, name: 'Bob', image_url: null });
  expect((await w.get('/personas')).body.data).toEqual({ items: [bob, ann], total: 2, has_more: false });
  expect((await w.delete(`/persona/${ann.id.toUpperCase()}`)).body).toEqual({ success: true, data: ann });
  expect((await w.delete(`/persona/${ann.id}`)).status).toBe(404);
  expect((await w.delete(`/persona/${bob.id}`, undefined, { key: w.other.key })).status).toBe(403);
});

test.each([
  [{}, /^name is required/],
  [{ name: null }, /^name is required/],
  [{ name: ' ' }, /^name must not be blank/],
  [{ name: 'x'.repeat(201) }, /^name must have at most 200 characters/],
  [{ name: 'Ann', image_url: 7 }, /^image_url must be a string/],
  [{ name: 'Ann', image_url: '' }, /^image_url must not be blank/],
  [{ name: 'Ann', image_url: 'ftp://example.org/a' }, /^image_url must begin with http/],
  [{ name: 'Ann', image_url: `https://e.org/${'x'.repeat(2_048)}` }, /^image_url must have at most 2,048 characters/],
])('no persona: %j', async (body, says) => {
  const answer = await w.post('/personas', body);
  expect(answer).toMatchObject({ status: 400, body: { message: expect.stringMatching(says) } });
});

test.each(['GET /v1/personas', 'POST /v1/personas', 'DELETE /v1/persona/x'])(
  '%s needs ACCOUNT_WRITE, before anything about the request is checked',
  async (operation) => {
    const [method, path] = operation.split(' ') as [string, string];
    const others = Object.values(Scope).filter((scope) => scope !== Scope.UNSPECIFIED && scope !== Scope.ACCOUNT_WRITE);
    const answer = await w.call(method, path, { key: w.keyWith(...others) });
    expect(answer).toMatchObject({ status: 403, body: { message: 'This API key lacks the scope ACCOUNT_WRITE.' } });
    expect((await w.call(method, path, { key: w.keyWith(Scope.ACCOUNT_WRITE) })).status).toBe(
      method === 'GET' ? 200 : 400,
    );
  },
);
