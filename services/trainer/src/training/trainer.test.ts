import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { page, trainerWorld } from '../testing/trainer.ts';

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

test('a page says how large it is, how much of it is searched and its title, also when it has not changed', async () => {
  const home = page('Home', 'Welcome to the house', ['/gone', '/empty']);
  site.pages.set('/', home);
  site.pages.set('/empty', '<p></p>');
  const { _id } = await world.website();
  const pages = [
    { page_url: '/', bytes: home.length, chunks: 1, content: { title: 'Home' } },
    { page_url: '/empty', bytes: 7, chunks: 0, training_failed_with: expect.any(String) },
    { page_url: '/gone', chunks: 0, training_failed_with: expect.any(String) },
  ];
  await world.ended(_id);
  expect(await world.subPages(_id)).toMatchObject(pages);
  expect((await world.subPages(_id))[2]).not.toHaveProperty('bytes');
  await world.train(_id);
  await world.ended(_id);
  expect(site.requests.filter(({ status }) => status === 304)).toHaveLength(1);
  expect(await world.subPages(_id)).toMatchObject(pages);
});

test('new path patterns take effect with the next training, even one that is asked for during a run', async () => {
  site.pages.set('/', page('Home', 'Welcome', ['/a', '/b']));
  site.pages.set('/a', page('A', 'The text of a'));
  site.pages.set('/b', { hold: true });
  const { _id } = await world.website();
  await until(() => site.held.size > 0);
  await world.corpus.items.update(world.account, _id, { include: ['/a'] });
  await world.train(_id);
  site.pages.set('/b', page('B', 'The text of b'));
  for (const response of site.held) response.end('<p>The text of b');
  await until(async () => (await world.stored(_id))!.live?.content_version === 1);
  expect((await world.stored(_id))!.generation).toBe(2);
  expect((await world.subPages(_id)).map(({ page_url }) => page_url)).toEqual(['/a']);
  expect((await world.texts(_id)).join()).not.toContain('Welcome');

  await world.corpus.items.update(world.account, _id, { include: [], exclude: ['/'] });
  await world.train(_id);
  const { live, training_failed_with } = await world.ended(_id);
  expect(training_failed_with).toContain('No page of this website matches its include and exclude patterns.');
  expect(live).toMatchObject({ content_version: 1 });
});

test('a website fails with the reason if none of its pages can be read', async () => {
  site.pages.set('/', { status: 500 });
  const { _id } = await world.website();
  expect(await world.ended(_id)).toMatchObject({
    trained_at: null,
    live: null,
    training_failed_at: expect.any(Date),
    training_failed_with: expect.stringContaining('500'),
  });
});

test('a failed retraining leaves the old answers in place', async () => {
  site.pages.set('/', page('Home', 'The old text'));
  const { _id } = await world.website();
  const { live } = await world.ended(_id);
  site.pages.set('/', { status: 503 });
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ trained_at: null, training_failed_with: expect.any(String), live });
  expect((await world.texts(_id)).join()).toContain('old text');
});

test('unchanged pages are not downloaded again, but are still searched', async () => {
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

test('an unchanged page is read again by a newer version: from its stored bytes, or downloaded if their type is unknown', async () => {
  site.pages.set('/', `<html lang="de">${page('Home', 'Bleibt gleich', ['/b'])}`);
  site.pages.set('/b', page('B', 'Stays the same'));
  const { _id } = await world.website();
  await world.ended(_id);
  const { subPages } = world.corpus.collections;
  const old = { $unset: { 'content.kept': 1, 'content.language': 1 } } as const;
  await subPages.updateMany({ item: _id }, { ...old, $set: { 'content.extraction': 1 } });
  await subPages.updateMany({ item: _id, page_url: '/b' }, { $unset: { 'content.content_type': 1 } });
  site.requests.length = 0;
  await world.train(_id);
  await world.ended(_id);
  expect(site.requests.filter(({ path }) => site.pages.has(path))).toEqual([
    { path: '/', conditional: true, status: 304 },
    { path: '/b', conditional: false, status: 200 },
  ]);
  const read = { extraction: 4, kept: expect.any(Number) };
  expect(await world.subPages(_id)).toMatchObject([
    { page_url: '/', chunks: 1, content: { ...read, language: 'de' } },
    { page_url: '/b', chunks: 1, content: read },
  ]);
  expect((await world.texts(_id)).join()).toContain('Bleibt gleich');
});

test('a passage has its headings, its section, the address of its section and the language of its page', async () => {
  site.pages.set(
    '/',
    '<html lang="de-AT"><title>Haus</title><body><h1>Haus</h1><h2 id="zeiten & mehr">Zeiten</h2><p>Offen bis neun.</p><h2>Ort</h2><p>Wien.</p>',
  );
  const { _id } = await world.website();
  await world.ended(_id);
  expect(await world.chunks(_id)).toMatchObject([
    {
      text: 'Offen bis neun.',
      headings: ['Haus', 'Zeiten'],
      section: 0,
      language: 'de-AT',
      url: `${site.url}#zeiten%20%26%20mehr`,
    },
    { text: 'Wien.', headings: ['Haus', 'Ort'], section: 1, language: 'de-AT', url: site.url },
  ]);
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

test('an item of a type that only a newer version knows fails with a message, and is not trained as another type', async () => {
  const { _id } = await world.faq(world.account);
  await world.faqItem(world.account, _id);
  await world.corpus.collections.items.unlisted.updateOne({ _id }, [{ $set: { type: 'podcast' } }]);
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({
    live: null,
    training_failed_with: expect.stringContaining('Update the trainer'),
  });
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

test('the objects of a build are in its own folder', async () => {
  site.pages.set('/', page('Home', 'Welcome'));
  const { _id } = await world.website();
  await world.ended(_id);
  const folder = join(world.objectsDir, 'accounts', world.account, 'knowledge', _id, 'builds', '1', 'pages');
  expect((await readdir(folder)).map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['raw', 'txt']);
});
