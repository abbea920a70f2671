import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { buildFileKey, type Embedder, EmbeddingUnavailable, MINILM } from '@parley/corpus';
import { randomId } from '@parley/runtime/rpc';
import { testCall } from '@parley/runtime/testing';
import { searchLive } from '../search-live.ts';
import { type KnowledgeWorld, knowledgeWorld, request } from '../testing.ts';

const aborted = (signal: AbortSignal) =>
  new Promise((_, reject) => {
    signal.throwIfAborted();
    signal.addEventListener('abort', () => reject(signal.reason));
  });

/** Distinguishes two topics by their letters, so that a query finds passages that share no word with it. */
function topics(model: string) {
  const unit = (text: string) => Float32Array.from(/cat|feline/i.test(text) ? [1, 0] : [0, 1]);
  const state = { unavailable: false, stalls: false };
  const embedder: Embedder = {
    model,
    prior: { ...MINILM, far: 0, near: 0.5 },
    embed: async (texts) => texts.map(unit),
    async embedQuery(text, signal) {
      if (state.unavailable) throw new EmbeddingUnavailable('The embedder is unavailable.');
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

const faqItem = { question: 'Q', source_url: null, categories: [] };
const add = (account: string, item: string, answer: string) =>
  world.corpus.faqItems.create(account, item, randomId(), { ...faqItem, answer });

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
  expect(found.passages![0]).toMatchObject({ similarity: 1, title: 'Q', url: 'https://example.com/' });
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
  // Cached by its owner.
  await find(account, [deleted], 'bread');
  expect(await texts(account, ids, 'bread')).toEqual(['Bread is mine.']);
  expect(await find(account, [], 'bread')).toMatchObject({ passages: [], lexicalOnly: false });
});

test('if the embedder is unavailable or stalls, search is lexical, and the answer says so', async () => {
  const account = randomId();
  const id = await faq(account, ['A feline sleeps.', 'Bread is baked.']);
  first.state.unavailable = true;
  const found = await find(account, [id], 'baked bread');
  expect(found).toMatchObject({ lexicalOnly: true, passages: [{ text: 'Bread is baked.' }] });
  expect(found.passages![0]!.similarity).toBeUndefined();
  first.state.unavailable = false;
  first.state.stalls = true;
  const hurried = testCall({ account, deadline: performance.timeOrigin + performance.now() + 200 });
  const late = await world.rpc.search(request({ knowledgeIds: [id], query: 'bread' }), hurried);
  expect(late).toMatchObject({ lexicalOnly: true, passages: [{ text: 'Bread is baked.' }] });
  first.state.stalls = false;
});

test('a build whose model this process lacks is searched by words', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is baked.'], topics('retired').embedder);
  expect(await find(account, [id], 'bread')).toMatchObject({
    lexicalOnly: true,
    passages: [{ text: 'Bread is baked.' }],
  });
});

test('a search ends when its caller hangs up, instead of falling back to words', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is baked.']);
  first.state.stalls = true;
  const signal = AbortSignal.abort(new Error('hung up'));
  const call = testCall({ account, signal });
  await expect(world.rpc.search(request({ knowledgeIds: [id], query: 'bread' }), call)).rejects.toThrow('hung up');
  first.state.stalls = false;
});

test('the live build answers until the next one is published', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is old.']);
  await add(account, id, 'Bread is new.');
  const job = await world.begin(account, id);
  const build = await world.writeFaq(job);
  expect(await texts(account, [id], 'bread')).toEqual(['Bread is old.']);
  await world.corpus.training.publish(job, build);
  expect((await texts(account, [id], 'bread')).sort()).toEqual(['Bread is new.', 'Bread is old.']);
});

test('an item added after a running training has read the list is found after the next requested training', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is early.'], null);
  const job = await world.begin(account, id);
  const build = await world.writeFaq(job);
  await add(account, id, 'Bread is late.');
  await world.rpc.trainKnowledgeItem(request({ id }), testCall({ account }));
  await world.corpus.training.publish(job, build);
  expect(await texts(account, [id], 'late')).toEqual(['Bread is early.']);
  const again = (await world.corpus.training.claim())!;
  await world.corpus.training.publish(again, await world.writeFaq(again));
  expect((await texts(account, [id], 'late'))[0]).toBe('Bread is late.');
});

/** Where the build of an item is in the object store, and on local disk. */
async function copiesOf(account: string, id: string) {
  const { live } = (await world.stored(id))!;
  const local = path.join(world.indexDir, `${account}.${live!.file.sha256}.sqlite`);
  return { key: buildFileKey(account, live!.build), local };
}

test('a local copy that is deleted or damaged is fetched again', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is baked.']);
  expect(await texts(account, [id], 'bread')).toHaveLength(1);
  const { local } = await copiesOf(account, id);
  const removed = () => rm(world.indexDir, { recursive: true });
  for (const harm of [() => truncate(local, 1_000), () => writeFile(local, 'no database'), removed]) {
    await harm();
    expect(await texts(account, [id], 'bread')).toEqual(['Bread is baked.']);
  }
  // An open file outlives its folder; the next one needs it.
  const other = await faq(account, ['Bread is sold.']);
  expect(await texts(account, [other], 'bread')).toEqual(['Bread is sold.']);
});

test('while many ask about many items, the folder of local copies may be deleted, or all of them cut short: none fails', async () => {
  const account = randomId();
  const ids: string[] = [];
  for (let i = 0; i < 8; i++) ids.push(await faq(account, [`Bread ${i} is baked.`]));
  const local = await Promise.all(ids.map(async (id) => (await copiesOf(account, id)).local));
  const harms = [
    () => rm(world.indexDir, { recursive: true, maxRetries: 10 }),
    () => Promise.all(local.map((file) => truncate(file, 5_000))),
    () => Promise.all(local.map((file) => truncate(file, 0))),
  ];
  for (const harm of harms) {
    const harmed = Promise.all([
      harm(),
      ...Array.from({ length: 20 }, () => texts(account, ids, 'bread', { limit: 8 })),
    ]);
    for (const found of (await harmed).slice(1)) expect(found).toHaveLength(8);
    expect(await texts(account, ids, 'bread', { limit: 8 })).toHaveLength(8);
  }
});

test('a build that no thread can read is refused with the reason', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is baked.']);
  const live = await world.corpus.items.liveBuilds(account, [id]);
  const { sha256, size: bytes } = await world.objects.put(
    buildFileKey(account, live.get(id)!.build),
    Buffer.from('the format of a later version'),
  );
  const later = new Map([[id, { ...live.get(id)!, file: { sha256, bytes } }]]);
  const { items } = world.corpus;
  const corpus = { ...world.corpus, items: { ...items, liveBuilds: async () => later } };
  await expect(searchLive({ ...world.dependencies, corpus }, account, later, async () => 1)).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringContaining('INDEX_DIR'),
  });
});

test('an item whose stored build is damaged is trained again, and the search says so', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is baked.']);
  const { key } = await copiesOf(account, id);
  await world.objects.put(key, Buffer.from('damaged'));
  const refusal = { code: 'unavailable', message: expect.stringContaining('trained again') };
  await expect(find(account, [id], 'bread')).rejects.toMatchObject(refusal);
  await expect(find(account, [id], 'bread')).rejects.toMatchObject(refusal);
  expect(await world.stored(id)).toMatchObject({
    generation: 2,
    training: { state: 'queued' },
    live: { damaged: true },
  });
  const again = (await world.corpus.training.claim())!;
  await world.corpus.training.publish(again, await world.writeFaq(again));
  expect(await texts(account, [id], 'bread')).toEqual(['Bread is baked.']);
  expect((await world.stored(id))!.live).not.toHaveProperty('damaged');
});

test('a build that is replaced and deleted while a search begins is searched in its successor', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is old.']);
  const { items } = world.corpus;
  const stale = await items.liveBuilds(account, [id]);
  await add(account, id, 'Bread is new.');
  await world.train(account, id);
  await world.objects.delete(buildFileKey(account, stale.get(id)!.build));
  const found = await searchLive(world.dependencies, account, stale, async (builds) => builds[0]!.index.info.passages);
  expect(found).toBe(2);
});

test('a search that needs more disk than allowed is refused before fetching, with the reason', async () => {
  const small = await knowledgeWorld([first.embedder], { diskBytes: 75_000 });
  const account = randomId();
  const item = async () => {
    const { _id } = await small.faq(account);
    await small.corpus.faqItems.create(account, _id, randomId(), { ...faqItem, answer: `Bread ${_id}.` });
    await small.train(account, _id);
    return _id;
  };
  const ask = (...knowledgeIds: string[]) =>
    small.rpc.search(request({ knowledgeIds, query: 'bread' }), testCall({ account }));
  const [one, two] = [await item(), await item()];
  await expect(ask(one, two)).rejects.toMatchObject({
    ...{ code: 'unavailable', retried: true },
    message: expect.stringMatching(/too large.*INDEX_DISK_MIB/),
  });
  for (const id of [one, two, one]) expect((await ask(id)).passages).toHaveLength(1);
  expect(await readdir(small.indexDir)).toHaveLength(1);
  await small.close();
});

test('an invalid search is refused', async () => {
  for (const [ids, query, fields] of [
    [[], ' ', {}],
    [[], 'q'.repeat(10_001), {}],
    [[], 'q', { limit: 51 }],
    [Array.from({ length: 1_001 }, randomId), 'q', {}],
  ] as const)
    await expect(find(randomId(), [...ids], query, fields)).rejects.toMatchObject({ code: 'invalid_argument' });
});

test('a follow-up is searched with the question before it, and any other question alone', async () => {
  const account = randomId();
  const id = await faq(account, ['My feline eats fish.', 'My feline sleeps at noon.']);
  const context = ['Do you have a cat?'];
  const followUp = await find(account, [id], 'And what does it eat?', { context });
  expect(followUp).toMatchObject({ searched: `${context[0]}\nAnd what does it eat?` });
  expect(followUp.passages![0]!.text).toContain('eats');
  const other = await faq(account, ['Bread costs two euros.']);
  for (const query of ['What does bread cost?', 'Quantum chromodynamics?', 'No.'])
    expect(await find(account, [id, other], query, { context })).toMatchObject({ searched: query });
});

test('a passage of an FAQ says so, and has the whole answer as its section', async () => {
  const account = randomId();
  const id = await faq(account, ['Bread is baked.']);
  const { passages } = await find(account, [id], 'bread');
  expect(passages).toMatchObject([{ isFaq: true, title: 'Q', section: 'Bread is baked.', headings: [] }]);
  expect(passages![0]!.sectionId).not.toBe('');
  expect(passages![0]!.relatedness).toBeGreaterThan(0.5);
});
