import { describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { KnowledgeItem } from '../e2e/resources.ts';
import { expectRefused, TIME } from './check.ts';
import { a, b, mine, storesNothing, theirs } from './given.ts';

const { api } = a;
const { ids } = mine;

describe('an operation on the wrong type of item is a 400 that names the type', () => {
  const items = { faq: ids.faq, website: ids.website, video: ids.video, document: ids.document };
  const types = Object.keys(items) as (keyof typeof items)[];
  const OPERATIONS: [type: keyof typeof items, method: string, path: string, body?: object][] = [
    ['website', 'GET', 'sub-pages'],
    ['faq', 'GET', 'faq-items'],
    ['faq', 'POST', 'faq-item', { question: 'Q', answer: 'A' }],
    ['faq', 'DELETE', `faq-item/${ids.faqItem}`],
    ['document', 'POST', 'finalize'],
    ['document', 'GET', 'finalize'],
    ['document', 'GET', 'file'],
  ];
  const rows = OPERATIONS.flatMap(([right, method, path, body]) =>
    types.filter((type) => type !== right).map((type) => ({ type, method, path, body })),
  );
  storesNothing(['/knowledge', ...Object.values(items).map((id) => `/knowledge/${id}`)], () => {
    test.each(rows)('$method $path of a $type', async ({ type, method, path, body }) => {
      const at = `/knowledge/${items[type]}/${path}`;
      expectRefused(await api.request(method, at, { ...(body && { body }) }), 400, type);
      expectRefused(await b.api.request(method, at, { ...(body && { body }) }), 403);
    });
  });
});

describe('training', () => {
  test('again while it runs changes nothing, and starts nothing', async () => {
    const { id } = await a.faq('Twice', { 'Twice?': 'Yes.' });
    const first = must(await api.put<KnowledgeItem>(`/knowledge/${id}/train`));
    const second = must(await api.put<KnowledgeItem>(`/knowledge/${id}/train`));
    expect(first).toMatchObject({
      is_training: true,
      trained_at: null,
      training_failed_at: null,
      training_failed_with: null,
    });
    expect(second).toMatchObject({
      is_training: true,
      trained_at: null,
      training_failed_at: null,
      training_failed_with: null,
    });
    expect(await a.settled({ id })).toMatchObject({ is_training: false, trained_at: TIME });
  });

  test('is refused for an FAQ without items', async () => {
    const { id } = await a.faq('Empty');
    const before = await api.get(`/knowledge/${id}`);
    const refused = await api.put(`/knowledge/${id}/train`);
    expectRefused(refused, 400);
    expect((await api.get(`/knowledge/${id}`)).body).toEqual(before.body);
  });

  test('clears a failure until it has ended', async () => {
    const id = mine.ids.video;
    await a.train({ id });
    expect(must(await api.put(`/knowledge/${id}/train`))).toMatchObject({
      is_training: true,
      training_failed_at: null,
      training_failed_with: null,
    });
    await a.settled({ id });
  });
});

test('a knowledge item that was attached is gone from the assistant when it is deleted', async () => {
  const faq = await a.faq('Brief', { 'How long?': 'Brief.' });
  await a.train(faq);
  const bot = await a.chatbot(faq);
  must(await api.del(`/knowledge/${faq.id}`));
  expect(await api.all(`/chatbot/${bot.id}/knowledge`)).toEqual([]);
  expect((await a.ask(bot, 'How long?')).sources).toEqual([]);
  expectRefused(await api.put(`/chatbot/${bot.id}/knowledge`, { knowledge_id: faq.id }), 404);
  expectRefused(await api.get(`/knowledge/${faq.id}/faq-items`), 404);
});

test("another account's items are not listed", async () => {
  const listed = await api.all<KnowledgeItem>('/knowledge');
  const foreign = Object.values(theirs.ids);
  expect(listed.filter(({ id }) => foreign.includes(id))).toEqual([]);
});
