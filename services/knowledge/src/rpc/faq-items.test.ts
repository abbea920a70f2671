import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { testCall } from '@parley/runtime/testing';
import { type KnowledgeWorld, knowledgeWorld, request } from '../testing.ts';

let world: KnowledgeWorld;
let rpc: KnowledgeWorld['rpc'];
let account: string;
let knowledgeId: string;
beforeAll(async () => {
  world = await knowledgeWorld();
  rpc = world.rpc;
});
beforeEach(async () => {
  account = randomId();
  knowledgeId = (await world.faq(account))._id;
});
afterAll(() => world.close());

const call = (operation = randomId()) => testCall({ account, operation });
const add = (fields: object = {}, as = call()) =>
  rpc.createFaqItem(request({ knowledgeId, question: 'Why?', answer: 'Because.', ...fields }), as);
const list = (fields: object = {}) => rpc.listFaqItems(request({ knowledgeId, ...fields }), call());
const version = async () => (await world.stored(knowledgeId))!.content_version;

test('an item is kept as sent, its categories in order without duplicates', async () => {
  const sent = {
    question: ' $q ',
    answer: 'a\n\nb',
    sourceUrl: 'HTTPS://Example.com',
    categories: ['b', 'a', 'b', 'A'],
  };
  const { item } = await add(sent);
  expect(item).toMatchObject({ ...sent, categories: ['b', 'a', 'A'], rating: { upvotes: 0, downvotes: 0 } });
  expect((await list()).items).toEqual([item]);
});

test('a field that is missing, blank, too long or not a web address is refused by name, and nothing is stored', async () => {
  for (const [field, wrong] of [
    ['question', { question: ' ' }],
    ['question', { question: 'q'.repeat(1_001) }],
    ['answer', { answer: '' }],
    ['answer', { answer: 'a'.repeat(50_001) }],
    ['source_url', { sourceUrl: 'mailto:a@example.com' }],
    ['source_url', { sourceUrl: '' }],
    ['categories', { categories: ['a', ' '] }],
    ['categories', { categories: ['c'.repeat(65)] }],
    ['categories', { categories: Array.from({ length: 21 }, (_, i) => `c${i}`) }],
  ] as const)
    await expect(add(wrong)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: expect.stringContaining(field),
    });
  expect((await list()).total).toBe(0);
  expect(await version()).toBe(0);
});

test('the same operation twice adds one item, and deletes it once', async () => {
  const operation = call();
  const [one, two] = await Promise.all([add({}, operation), add({}, operation)]);
  expect(one.item?.id).toBe(two.item?.id);
  expect((await list()).total).toBe(1);
  const deletion = call();
  const remove = (as = deletion) => rpc.deleteFaqItem(request({ knowledgeId, id: one.item!.id }), as);
  expect((await remove()).item).toEqual((await remove()).item);
  await expect(remove(call())).rejects.toMatchObject({ code: 'not_found' });
  expect((await list()).total).toBe(0);
});

test('every change raises the content version', async () => {
  const { item } = await add();
  expect(await version()).toBe(1);
  await rpc.deleteFaqItem(request({ knowledgeId, id: item!.id }), call());
  expect(await version()).toBe(2);
});

test('an item is found only in its own FAQ', async () => {
  const { item } = await add();
  const other = (await world.faq(account))._id;
  const remove = rpc.deleteFaqItem(request({ knowledgeId: other, id: item!.id }), call());
  await expect(remove).rejects.toMatchObject({ code: 'not_found' });
  expect((await list()).total).toBe(1);
});

test('items are listed newest first, page by page', async () => {
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) ids.unshift((await add()).item!.id!);
  const first = await list({ limit: 2 });
  const rest = await list({ nextCursor: first.nextCursor });
  expect([...first.items!, ...rest.items!].map(({ id }) => id)).toEqual(ids);
  expect([first.total, first.hasMore, rest.hasMore]).toEqual([3, true, false]);
});

test('FAQ operations on a website are refused with the reason', async () => {
  knowledgeId = (await world.website(account))._id;
  for (const ask of [add, list])
    await expect(ask()).rejects.toMatchObject({
      code: 'failed_precondition',
      message: expect.stringMatching(/is a website.*for an FAQ/),
    });
});

test('training an empty FAQ is refused with the reason', async () => {
  const train = () => rpc.trainKnowledgeItem(request({ id: knowledgeId }), call());
  const { item } = await add();
  await rpc.deleteFaqItem(request({ knowledgeId, id: item!.id }), call());
  await expect(train()).rejects.toMatchObject({
    code: 'failed_precondition',
    message: expect.stringContaining('no items'),
  });
  expect(await world.stored(knowledgeId)).toMatchObject({ generation: 0, training: { state: 'idle' } });
});

test('an item added while its FAQ is being deleted is removed again', async () => {
  await world.corpus.items.delete(account, knowledgeId, randomId());
  const late = world.corpus.faqItems.create(account, knowledgeId, randomId(), {
    question: 'q',
    answer: 'a',
    source_url: null,
    categories: [],
  });
  await expect(late).rejects.toMatchObject({ code: 'not_found' });
  expect(await world.corpus.collections.faqItems.countDocuments({ item: knowledgeId })).toBe(0);
});
