import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Embedder, EmbeddingUnavailable } from '@parley/corpus';
import { randomId } from '@parley/runtime';
import { testCall } from '@parley/runtime/testing';
import { type KnowledgeWorld, knowledgeWorld, request } from '../testing.ts';

const aborted = (signal: AbortSignal) =>
  new Promise((_, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** Knows two topics by their letters; so that a query finds what shares no word with it. */
function topics(model: string) {
  const unit = (text: string) => Float32Array.from(/cat|feline/i.test(text) ? [1, 0] : [0, 1]);
  const state = { away: false, stalls: false };
  const embedder: Embedder = {
    model,
    weight: 0.8,
    embed: async (texts) => texts.map(unit),
    async embedQuery(text, signal) {
      if (state.away) throw new EmbeddingUnavailable('The embedder is away.');
      if (state.stalls) await aborted(signal!);
      return unit(text);
    },
    close: async () => {},
  };
  return { embedder, state };
}

const first = topics('first');
const second = topics('second');
let world: KnowledgeWorld;
beforeAll(async () => {
  world = await knowledgeWorld([first.embedder, second.embedder]);
});
afterAll(() => world.close());

async function faq(account: string, answers: string[], embedder: Embedder | null = first.embedder) {
  const { _id } = await world.faq(account);
  for (const answer of answers) await add(account, _id, answer);
  if (embedder) await world.train(account, _id, embedder);
  return _id;
}

const add = (account: string, item: string, answer: string) =>
  world.corpus.faqItems.create(account, item, randomId(), { question: 'Q', answer, source_url: null, categories: [] });

const find = (account: string, knowledgeIds: string[], query: string, fields: object = {}) =>
  world.rpc.search(request({ knowledgeIds, query, ...fields }), testCall({ account }));

const texts = async (...args: Parameters<typeof find>) => (await find(...args)).passages!.map(({ text }) => text);

test('a passage is found by its words and by its meaning, over many items at once, each with its own model', async () => {
  const account = randomId();
  const ids = [
    await faq(account, ['A feline sleeps.', 'Bread is baked.']),
    await faq(account, ['My feline eats.', 'Steel is forged.'], second.embedder),
  ];
  const found = await find(account, ids, 'cat', { limit: 2 });
  expect(found.lexicalOnly).toBe(false);
  expect(found.passages!.map(({ text }) => text).sort()).toEqual(['A feline sleeps.', 'My feline eats.']);
  expect(found.passages![0]).toMatchObject({ similarity: 1, coverage: 0, title: 'Q', url: 'https://example.com/' });
  expect((await texts(account, ids, 'forged steel'))[0]).toBe('Steel is forged.');
});

test('items that are unknown, untrained, deleted or of another account add nothing', async () => {
  const account = randomId();
  const mine = await faq(account, ['Bread is mine.']);
  const foreign = await faq(randomId(), ['Bread is foreign.']);
  const untrained = await faq(account, ['Bread is untrained.'], null);
  const deleted = await faq(account, ['Bread is deleted.']);
  await world.corpus.items.delete(account, deleted, randomId());
  const ids = [randomId(), foreign, untrained, deleted, mine];
  // In the cache, by its owner.
  await find(account, [deleted], 'bread');
  expect(await texts(account, ids, 'bread')).toEqual(['Bread is mine.']);
  expect(await find(account, [], 'bread')).toMatchObject({ passages: [], lexicalOnly: false });
});

test('where the embedder is away or stalls, words alone are compared, and the answer says so', async () => {
  const account = randomId();
  const id = await faq(account, ['A feline sleeps.', 'Bread is baked.']);
  first.state.away = true;
  const found = await find(account, [id], 'baked bread');
  expect(found).toMatchObject({ lexicalOnly: true, passages: [{ text: 'Bread is baked.' }] });
  expect(found.passages![0]!.similarity).toBeUndefined();
  first.state.away = false;
  first.state.stalls = true;
  const hurried = testCall({ account, deadline: performance.timeOrigin + performance.now() + 200 });
  const late = await world.rpc.search(request({ knowledgeIds: [id], query: 'bread' }), hurried);
  expect(late).toMatchObject({ lexicalOnly: true, passages: [{ text: 'Bread is baked.' }] });
  first.state.stalls = false;
});

test('a build whose model this process does not have is searched by words', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is baked.'], topics('retired').embedder);
  expect(await find(account, [id], 'bread')).toMatchObject({
    lexicalOnly: true,
    passages: [{ text: 'Bread is baked.' }],
  });
});

test('a search whose caller hung up ends, instead of answering by words', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is baked.']);
  first.state.stalls = true;
  const signal = AbortSignal.abort(new Error('hung up'));
  const call = testCall({ account, signal });
  await expect(world.rpc.search(request({ knowledgeIds: [id], query: 'bread' }), call)).rejects.toThrow('hung up');
  first.state.stalls = false;
});

test('what was live answers while the next build is made, and the next one from its publication on', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is old.']);
  await add(account, id, 'Bread is new.');
  const job = await world.begin(account, id);
  await world.writeFaq(job);
  expect(await texts(account, [id], 'bread')).toEqual(['Bread is old.']);
  await world.corpus.training.publish(job, 'first');
  expect((await texts(account, [id], 'bread')).sort()).toEqual(['Bread is new.', 'Bread is old.']);
});

test('an item added after a running training has read the list is found after the training that is asked for then', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is early.'], null);
  const job = await world.begin(account, id);
  await world.writeFaq(job);
  await add(account, id, 'Bread is late.');
  await world.rpc.trainKnowledgeItem(request({ id }), testCall({ account }));
  await world.corpus.training.publish(job, 'first');
  expect(await texts(account, [id], 'late')).toEqual(['Bread is early.']);
  const again = (await world.corpus.training.claim())!;
  await world.writeFaq(again);
  await world.corpus.training.publish(again, 'first');
  expect((await texts(account, [id], 'late'))[0]).toBe('Bread is late.');
});

test('a build that vanished before it was read is replaced by its successor, or the search says to try again', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is old.']);
  const { items, collections } = world.corpus;
  const stale = await items.liveBuilds(account, [id]);
  await world.train(account, id);
  await collections.chunks.deleteMany({ account, build: stale.get(id)!.build });
  expect(await texts(account, [id], 'bread')).toEqual(['Bread is old.']);
  const broken = await faq(account, ['Bread is broken.']);
  await collections.chunks.deleteMany({ account, item: broken });
  await expect(find(account, [broken], 'bread')).rejects.toMatchObject({ code: 'unavailable' });
});

test('what can not be asked is refused', async () => {
  for (const [ids, query, fields] of [
    [[], ' ', {}],
    [[], 'q'.repeat(10_001), {}],
    [[], 'q', { limit: 51 }],
    [Array.from({ length: 1_001 }, randomId), 'q', {}],
  ] as const)
    await expect(find(randomId(), [...ids], query, fields)).rejects.toMatchObject({ code: 'invalid_argument' });
});
