import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import { page, trainerWorld } from './trainer.fixture.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
let site: typeof world.site;

beforeAll(async () => {
  world = await trainerWorld();
  site = world.site;
  await world.startTrainer();
});
afterEach(() => world.reset());
afterAll(() => world.close());

test('a website is trained page by page, and each page has its state or its reason', async () => {
  site.pages.set('/', page('Home', 'Welcome to the house', ['/a', '/gone']));
  site.pages.set('/a', page('A', 'The answer is forty-two'));
  const { _id } = await world.website();
  const item = await world.ended(_id);
  expect(item).toMatchObject({ training_failed_with: null, trained_at: expect.any(Date), live: { model: null } });
  expect(await world.subPages(_id)).toMatchObject([
    { page_url: '/', trained_at: expect.any(Date), training_failed_with: null },
    { page_url: '/a', trained_at: expect.any(Date), training_failed_with: null },
    { page_url: '/gone', trained_at: null, training_failed_with: expect.stringContaining('404') },
  ]);
  expect((await world.texts(_id)).join()).toContain('forty-two');
});

test('a website of which no page can be read has failed, with the reason', async () => {
  site.pages.set('/', { status: 500 });
  const { _id } = await world.website();
  expect(await world.ended(_id)).toMatchObject({
    trained_at: null,
    live: null,
    training_failed_at: expect.any(Date),
    training_failed_with: expect.stringContaining('500'),
  });
});

test('a failed retraining leaves the old answers where they are', async () => {
  site.pages.set('/', page('Home', 'The old text'));
  const { _id } = await world.website();
  const { live } = await world.ended(_id);
  site.pages.set('/', { status: 503 });
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ trained_at: null, training_failed_with: expect.any(String), live });
  expect((await world.texts(_id)).join()).toContain('old text');
});

test('what has not changed is not downloaded again, and is searched all the same', async () => {
  site.pages.set('/', page('Home', 'Stays the same', ['/b']));
  site.pages.set('/b', page('B', 'Before'));
  const { _id } = await world.website();
  await world.ended(_id);
  site.requests.length = 0;
  site.pages.set('/b', page('B', 'After'));
  await world.train(_id);
  await world.ended(_id);
  const pageRequests = site.requests.filter(({ path }) => site.pages.has(path));
  expect(pageRequests).toEqual([
    { path: '/', conditional: true, status: 304 },
    { path: '/b', conditional: true, status: 200 },
  ]);
  const all = (await world.texts(_id)).join();
  expect(all).toContain('Stays the same');
  expect(all).toContain('After');
  expect(all).not.toContain('Before');
});

test('the items of an FAQ are trained, long answers in several pieces', async () => {
  const faq = await world.faq(world.account);
  const fields = { source_url: null, categories: [] };
  await world.corpus.faqItems.create(world.account, faq._id, randomId(), {
    question: 'Short?',
    answer: 'Yes.',
    ...fields,
  });
  const long = Array.from({ length: 60 }, (_, i) => `Sentence number ${i} of a long answer.`).join(' ');
  await world.corpus.faqItems.create(world.account, faq._id, randomId(), {
    question: 'Long?',
    answer: long,
    ...fields,
  });
  await world.train(faq._id);
  expect((await world.ended(faq._id)).live!.chunks).toBeGreaterThan(2);
  expect(await world.texts(faq._id)).toContain('Yes.');
});

test('progress is visible while a training runs', async () => {
  site.pages.set('/', page('Home', 'Welcome', ['/slow']));
  site.pages.set('/slow', { hold: true });
  const { _id } = await world.website();
  const progress = await until(
    async () => (await world.stored(_id))!.training.progress,
    ({ sources_done }) => sources_done === 1,
  );
  expect(progress).toMatchObject({ sources_found: 2, sources_done: 1 });
});

test('objects of a build lie under its own folder', async () => {
  site.pages.set('/', page('Home', 'Welcome'));
  const { _id } = await world.website();
  await world.ended(_id);
  const folder = join(world.objectsDir, 'accounts', world.account, 'knowledge', _id, 'builds', '1', 'pages');
  expect((await readdir(folder)).map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['raw', 'txt']);
});
