import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { ANY, buildFileKey, type Embedder, type Embedders } from '@parley/corpus';
import { estimateTokens } from '@parley/runtime';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { page, trainerWorld } from '../testing/trainer.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
let site: typeof world.site;
let trainer: Awaited<ReturnType<typeof world.startTrainer>>;
const embedded: string[] = [];
/** Holds up embedding. */
let held: Promise<void> | undefined;

/** Its vectors tell texts apart, roughly. */
function countingEmbedder(model: string): Embedder {
  const vector = (text: string) => Float32Array.from([0.6, text.length % 2 ? 0.8 : -0.8]);
  return {
    model,
    prior: ANY,
    async embed(texts) {
      embedded.push(...texts);
      await held;
      return texts.map(vector);
    },
    embedQuery: async (text) => vector(text),
    close: async () => {},
  };
}

const only = (embedder: Embedder): Embedders => ({
  name: 'embedders',
  current: embedder,
  forLanguage: () => embedder,
  byModel: () => embedder,
  models: [embedder.model],
});

beforeAll(async () => {
  world = await trainerWorld();
  site = world.site;
  trainer = await world.startTrainer({ embedders: only(countingEmbedder('m')) });
});
afterEach(() => {
  embedded.length = 0;
  return world.reset();
});
afterAll(() => world.close());

const file = (text: string) => Buffer.from(text);
const answer = { answer: 'Because it is so.', source_url: null, categories: [] };

async function websiteOf(...paths: string[]) {
  site.pages.set('/', page('Home', 'Welcome to all', paths));
  for (const path of paths) site.pages.set(path, page(path, `This is the text of ${path}`));
  return (await world.website())._id;
}

async function faqOf(...questions: string[]) {
  const { _id } = await world.faq(world.account);
  for (const question of questions)
    await world.corpus.faqItems.create(world.account, _id, randomId(), { question, ...answer });
  await world.train(_id);
  return _id;
}

const documentOf = async (text: string) => (await world.document('text/plain', file(text)))._id;

async function retrained(id: string) {
  embedded.length = 0;
  await world.train(id);
  return world.ended(id);
}

test.each([
  ['website', () => websiteOf('/a', '/b')],
  ['document', () => documentOf('One line.\n\nAnother line.')],
  ['FAQ', () => faqOf('Why?', 'How?')],
])('retraining an unchanged %s embeds nothing and writes no chunk: its live build stays', async (_type, create) => {
  const id = await create();
  const first = await world.ended(id);
  expect(embedded.length).toBeGreaterThan(0);
  const { length } = embedded;
  const tokens = embedded.reduce((sum, text) => sum + estimateTokens(text), 0);
  expect(first.last_training).toMatchObject({ embedded: length, reused: 0, calls: expect.any(Number), tokens });
  for (const fence of [2, 3]) {
    const again = await retrained(id);
    expect(embedded).toEqual([]);
    expect(again).toMatchObject({
      training_failed_with: null,
      last_training: { embedded: 0, reused: first.live!.chunks, calls: 0, tokens: 0 },
      live: { ...first.live!, trained_at: expect.any(Date), confirmed_by: `${id}:${fence}` },
    });
    expect(again.trained_at).toEqual(again.live!.trained_at);
    expect(again.live!.trained_at.getTime()).toBeGreaterThan(first.live!.trained_at.getTime());
    expect(await world.objects.stat(buildFileKey(world.account, `${id}:${fence}`))).toBeUndefined();
  }
});

test('a website of which a page has changed embeds that page only, and has all others', async () => {
  const id = await websiteOf('/a', '/b', '/c');
  const first = await world.ended(id);
  const texts = (await world.texts(id)).sort();
  site.pages.set('/b', page('/b', 'Something new'));
  const again = await retrained(id);
  expect(embedded.join()).toContain('Something new');
  expect(embedded).toHaveLength(1);
  expect(again.live).toMatchObject({ build: `${id}:2`, chunks: first.live!.chunks, sources: 4, model: 'm' });
  const expected = texts.filter((text) => !text.includes('text of /b'));
  const now = await world.texts(id);
  expect(now.filter((text) => !text.includes('Something new')).sort()).toEqual(expected);
  expect(now.filter((text) => text.includes('Something new'))).toHaveLength(1);
  expect(await retrained(id)).toMatchObject({ live: { build: `${id}:2`, confirmed_by: `${id}:3` } });
});

test('an FAQ item that was deleted is no longer searched, and the others are not embedded again', async () => {
  const id = await faqOf('Why?', 'How?', 'When?');
  await world.ended(id);
  const { items } = await world.corpus.faqItems.page(world.account, id, { limit: 10, nextCursor: '' });
  await world.corpus.faqItems.delete(world.account, id, items[1]!._id, randomId());
  const again = await retrained(id);
  expect(embedded).toEqual([]);
  expect(again.live).toMatchObject({ build: `${id}:2`, chunks: 2, sources: 2 });
});

test('the same text on many pages is embedded once', async () => {
  site.pages.set('/', page('Same', 'Welcome', ['/1', '/2', '/3']));
  for (const path of ['/1', '/2', '/3']) site.pages.set(path, page('Same', 'The very same text'));
  const { _id } = await world.website();
  expect((await world.ended(_id)).live!.sources).toBe(4);
  expect(embedded.filter((text) => text.includes('very same'))).toHaveLength(1);
});

test('a live build whose file is damaged is not kept', async () => {
  const id = await faqOf('Why?', 'How?');
  const { live } = await world.ended(id);
  await world.objects.put(buildFileKey(world.account, live!.build), Buffer.from('damaged'));
  await rm(world.config.index.dir, { recursive: true });
  expect((await retrained(id)).live).toMatchObject({ build: `${id}:2`, chunks: 2 });
});

/** Trains an item by one model, then starts a trainer whose new builds have another. */
async function changeModel(model: string) {
  const id = await websiteOf('/a', '/b');
  const before = await world.ended(id);
  const pages = await world.subPages(id);
  await trainer.stop();
  embedded.length = 0;
  site.requests.length = 0;
  trainer = await world.startTrainer({ embedders: only(countingEmbedder(model)) });
  return { id, before, pages };
}

const vectorModels = async (id: string) => {
  const { live } = (await world.stored(id))!;
  return { model: live!.model, texts: (await world.texts(id)).sort() };
};

test('after a change of model, live builds get the vectors of the new one without being loaded or trained again', async () => {
  const { id, before, pages } = await changeModel('n');
  const texts = (await world.texts(id)).sort();
  const after = await until(
    () => world.stored(id),
    (item) => item!.live!.model === 'n',
  );
  expect(embedded).toHaveLength(texts.length);
  expect(site.requests).toEqual([]);
  const { live, training, training_notes, trained_at, generation } = before;
  expect(after).toMatchObject({
    ...{ training_notes, trained_at, generation, training_failed_with: null },
    live: { ...live!, model: 'n', build: `${id}:2`, file: expect.any(Object) },
    training: { ...training, state: 'idle', fence: 2 },
  });
  expect(await vectorModels(id)).toEqual({ model: 'n', texts });
  expect(await world.subPages(id)).toEqual(pages);
  expect(await retrained(id)).toMatchObject({ live: { build: `${id}:2`, confirmed_by: `${id}:3` } });
  expect(embedded).toEqual([]);
});

test('while vectors are renewed the item answers as trained, and a training that is requested does not wait', async () => {
  let release = () => {};
  held = new Promise((resolve) => {
    release = resolve;
  });
  embedded.length = 0;
  const id = await faqWithoutModel();
  await trainer.stop();
  trainer = await world.startTrainer({ embedders: only(countingEmbedder('o')) });
  await until(() => embedded.length > 0);
  expect(await world.stored(id)).toMatchObject({ trained_at: expect.any(Date), training: { state: 're-embedding' } });
  expect(await world.texts(id)).toEqual(['Because it is so.']);
  await world.train(id);
  expect((await world.stored(id))!.training.state).not.toBe('re-embedding');
  held = undefined;
  release();
  expect(await world.ended(id)).toMatchObject({ generation: 2, live: { model: 'o', build: `${id}:3` } });
});

/** An FAQ that was trained when there was no embedding model. */
async function faqWithoutModel() {
  const { _id } = await world.faq(world.account);
  await world.corpus.faqItems.create(world.account, _id, randomId(), { question: 'Why?', ...answer });
  await trainer.stop();
  trainer = await world.startTrainer();
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ live: { model: null } });
  return _id;
}
