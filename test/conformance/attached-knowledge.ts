import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import { must } from '../e2e/api.ts';
import type { KnowledgeItem, Page } from '../e2e/resources.ts';
import { expectData, expectDone, expectFields, expectRefused, pageOf, TRAINED, whole } from './check.ts';
import { a, bare, mine, storesNothing, theirs } from './given.ts';
import { unique } from './operations.ts';

const { api } = a;
const { ids } = mine;

const KINDS = [
  { list: '/chatbots', one: '/chatbot', other: 'public_id' },
  { list: '/ticket-forms', one: '/ticket-form', other: 'public_id' },
  { list: '/email-inboxes', one: '/email-inbox', other: 'alias' },
] as const;

let [one, two, three, four, untrained] = ['', '', '', '', ''];
beforeAll(async () => {
  const made = await Promise.all(['a', 'b', 'c', 'd', 'e'].map((name) => a.faq(name, { 'Which letter?': name })));
  [one = '', two = '', three = '', four = '', untrained = ''] = made.map(({ id }) => id);
  await Promise.all(made.slice(0, 4).map((item) => a.train(item)));
});

describe.each(KINDS)('knowledge of $one', ({ list, one: path, other }) => {
  let at = '';
  let names: string[] = [];
  beforeAll(async () => {
    const made = must(
      await api.post<Record<string, string>>(list, { title: 'K', ...(other === 'alias' && { alias: unique() }) }),
    );
    names = [made['id']!, made['id']!.toUpperCase(), made[other]!];
    at = `${path}/${made['id']}/knowledge`;
  });
  const attached = async () => (await api.all<KnowledgeItem>(at)).map(({ id }) => id);

  test('is attached and detached without data in the answer, under each id of the assistant', async () => {
    expectData(await api.get(at), whole([]));
    for (const name of names) {
      const here = `${path}/${name}/knowledge`;
      expectDone(await api.put(here, { knowledge_id: one }));
      const { items, ...page } = pageOf(await api.get<Page<KnowledgeItem>>(here));
      expect(page).toEqual({ total: 1, has_more: false });
      expectFields(items[0], { id: one, type: 'faq', title: 'a', description: null, ...TRAINED });
      expectDone(await api.del(here, { knowledge_id: one }));
      expectData(await api.get(here), whole([]));
    }
    expect((await api.get(`/knowledge/${one}`)).status).toBe(200);
  });

  test('is attached twice with success, and once', async () => {
    expectDone(await api.put(at, { knowledge_id: one.toUpperCase() }));
    expectDone(await api.put(at, { knowledge_id: one }));
    expect(await attached()).toEqual([one]);
    expectDone(await api.del(at, { knowledge_id: one }));
    expectRefused(await api.del(at, { knowledge_id: one }), 404);
  });

  test('needs no scope', async () => {
    const unscoped = api.as(`Bearer ${bare}`);
    expectDone(await unscoped.put(at, { knowledge_id: two }));
    expectDone(await unscoped.del(at, { knowledge_id: two }));
  });

  test('is listed by time of attaching, newest first, in pages', async () => {
    for (const id of [three, one, four, two, three]) must(await api.put(at, { knowledge_id: id }));
    expect(await attached()).toEqual([two, four, one, three]);
    const first = pageOf(await api.get<Page<KnowledgeItem>>(`${at}?limit=2`));
    expect(first).toMatchObject({ total: 4, has_more: true });
    must(await api.del(at, { knowledge_id: four }));
    must(await api.put(at, { knowledge_id: ids.faq }));
    const rest = pageOf(await api.get<Page<KnowledgeItem>>(`${at}?next_cursor=${first.next_cursor}`));
    expect(rest.items.map(({ id }) => id)).toEqual([one, three]);
    const elsewhere = `${path}/${path === '/chatbot' ? ids.chatbot : path === '/ticket-form' ? ids.form : ids.inbox}/knowledge`;
    expectRefused(await api.get(`${elsewhere}?next_cursor=${first.next_cursor}`), 400, 'next_cursor');
  });

  test.each(['0', '101', '5.5', '', 'ten'])('has no page with the limit %p', async (limit) => {
    expectRefused(await api.get(`${at}?limit=${limit}`), 400, 'limit');
  });

  test('refuses what it cannot attach or detach, and keeps what it has', async () => {
    const before = await attached();
    const refusals: [status: number, id: unknown, word: string][] = [
      [400, untrained, 'train'],
      [400, ids.website, 'train'],
      [400, ids.video, 'train'],
      [400, ids.document, 'train'],
      [404, randomUUID(), 'knowledge'],
      [403, theirs.ids.faq, 'knowledge'],
      [400, 'x', 'knowledge_id'],
      [400, '', 'knowledge_id'],
      [400, null, 'knowledge_id'],
      [400, undefined, 'knowledge_id'],
      [400, [one], 'knowledge_id'],
    ];
    for (const [status, knowledge_id, word] of refusals)
      expectRefused(await api.put(at, { knowledge_id }), status, word);
    for (const [status, knowledge_id] of refusals.slice(0, 6)) {
      // What is not attached cannot be detached, whoever owns it.
      const refused = await api.del(at, { knowledge_id });
      expect([status === 403 ? 403 : 404, 404]).toContain(refused.status);
    }
    for (const [, knowledge_id] of refusals.slice(6))
      expectRefused(await api.del(at, { knowledge_id }), 400, 'knowledge_id');
    expect(await attached()).toEqual(before);
  });

  storesNothing([], () => {
    test('needs an assistant', async () => {
      expectRefused(await api.put(`${path}/${randomUUID()}/knowledge`, { knowledge_id: one }), 404);
      expectRefused(await api.del(`${path}/${randomUUID()}/knowledge`, { knowledge_id: one }), 404);
    });
  });
});
