import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { writePdf } from '@parley/reading/testing';
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

const KEPT = expect.stringContaining('What an earlier training read of it is still searched.');
const noteOn = async (id: string) =>
  Object.fromEntries((await world.subPages(id)).map(({ page_url, training_note }) => [page_url, training_note]));
const trainAgain = async (id: string) => {
  site.requests.length = 0;
  await world.train(id);
  return world.ended(id);
};
const sitemap = (...paths: string[]) =>
  `<urlset>${paths.map((path) => `<loc>${site.url.slice(0, -1)}${path}</loc>`).join('')}</urlset>`;

test('a page that fails for a passing reason keeps what it had, pages behind it too, and the training says so', async () => {
  site.pages.set('/', page('Home', 'Welcome', ['/busy', '/limited', '/broken', '/gone', '/unlinked']));
  site.pages.set('/busy', page('Busy', 'The text of busy', ['/behind']));
  site.pages.set('/behind', page('Behind', 'The text behind'));
  site.pages.set('/limited', page('Limited', 'The text of limited'));
  site.pages.set('/broken', page('Broken', 'The text of broken'));
  site.pages.set('/gone', page('Gone', 'The text of gone'));
  site.pages.set('/unlinked', page('Unlinked', 'The text of unlinked'));
  const { _id } = await world.website();
  await world.ended(_id);

  site.pages.set('/busy', { status: 503 });
  site.pages.set('/limited', { status: 429 });
  site.pages.set('/broken', { broken: true });
  site.pages.delete('/gone');
  const item = await trainAgain(_id);
  expect(item).toMatchObject({ training_failed_with: null, live: { chunks: 6 } });
  expect(item.training_notes).toEqual([expect.stringMatching(/^3 pages could not be read this time.*keep/)]);
  expect(await noteOn(_id)).toEqual({
    '/': undefined,
    '/behind': undefined,
    '/busy': KEPT,
    '/broken': KEPT,
    '/limited': expect.stringContaining('The page answered 429 Too Many Requests. What an earlier'),
    '/gone': undefined,
    '/unlinked': undefined,
  });
  const all = (await world.texts(_id)).join();
  for (const text of ['busy', 'limited', 'broken', 'behind', 'unlinked']) expect(all).toContain(text);
  expect(all).not.toContain('The text of gone');

  // What was kept is still known in the next training; what is no longer linked goes.
  site.pages.set('/', page('Home', 'Welcome', ['/busy', '/limited']));
  site.pages.set('/busy', page('Busy', 'The text of busy', ['/behind']));
  site.pages.set('/limited', page('Limited', 'The text of limited'));
  expect(await trainAgain(_id)).toMatchObject({ training_notes: [], live: { chunks: 4 } });
  expect(Object.keys(await noteOn(_id))).toEqual(['/', '/behind', '/busy', '/limited']);
  expect(site.requests.filter(({ status }) => status === 304).map(({ path }) => path)).toContain('/busy');
});

test('with every fifth page answering 503, no page is lost, however it was found', async () => {
  const heads = ['/0', '/4', '/8', '/12', '/16'];
  site.pages.set('/', page('Home', 'Welcome', heads));
  // In rows of four, each page leads to the next one; two more are in the sitemap only.
  for (let i = 0; i < 20; i++)
    site.pages.set(`/${i}`, page(`Page ${i}`, `Text ${i}.`, i % 4 === 3 ? [] : [`/${i + 1}`]));
  site.pages.set('/sitemap.xml', sitemap('/listed', '/also'));
  for (const path of ['/listed', '/also']) site.pages.set(path, page(path, `Text of ${path}`));
  const { _id } = await world.website();
  const { live } = await world.ended(_id);
  expect(live).toMatchObject({ sources: 23 });
  for (const path of ['/0', '/5', '/10', '/15', '/listed', '/sitemap.xml']) site.pages.set(path, { status: 503 });
  const item = await trainAgain(_id);
  expect(item).toMatchObject({ training_failed_with: null, live: { chunks: live!.chunks, sources: live!.sources } });
  expect(item.training_notes).toContain('A sitemap of the site could not be read.');
});

test('if no page could be read, the training fails and the old answers stay', async () => {
  site.pages.set('/', page('Home', 'Welcome', ['/a']));
  site.pages.set('/a', page('A', 'The text of a'));
  const { _id } = await world.website();
  const { live } = await world.ended(_id);
  for (const path of ['/', '/a']) site.pages.set(path, { status: 502 });
  expect(await trainAgain(_id)).toMatchObject({
    live,
    training_failed_with: expect.stringContaining('502 Bad Gateway'),
  });
});

test('a page that was gone in one training does not come back when it fails for a passing reason in the next', async () => {
  site.pages.set('/', page('Home', 'Welcome', ['/a']));
  site.pages.set('/a', page('A', 'The text of a'));
  const { _id } = await world.website();
  await world.ended(_id);
  site.pages.set('/a', { status: 410 });
  await trainAgain(_id);
  site.pages.set('/a', { status: 503 });
  await trainAgain(_id);
  expect(await world.subPages(_id)).toMatchObject([
    { page_url: '/', training_failed_with: null },
    { page_url: '/a', training_failed_with: 'The page answered 503 Service Unavailable.' },
  ]);
  expect(await world.texts(_id)).toHaveLength(1);
});

test('a page that asks not to be indexed goes with the next training, and the training says how many there are', async () => {
  site.pages.set('/', page('Home', 'Welcome', ['/a', '/b']));
  site.pages.set('/a', page('A', 'The text of a'));
  site.pages.set('/b', `<meta name="robots" content="noindex">${page('B', 'The text of b')}`);
  const { _id } = await world.website();
  expect(await world.ended(_id)).toMatchObject({
    training_notes: [expect.stringContaining('(noindex)')],
    live: { chunks: 2 },
  });
  site.pages.set('/a', `<meta name="robots" content="noindex">${page('A', 'The text of a')}`);
  expect(await trainAgain(_id)).toMatchObject({
    training_notes: [expect.stringMatching(/^2 pages/)],
    live: { chunks: 1 },
  });
  expect(Object.keys(await noteOn(_id))).toEqual(['/']);
});

test('a linked PDF is a page of the site whose passages name their page, and is not read again while it is unchanged', async () => {
  const pdf = writePdf([['The warranty lasts two years.'], [], ['Returns are free within 30 days.']]);
  site.pages.set('/', page('Home', 'Welcome', ['/files/terms%20of%20sale.pdf?v=1', '/broken.pdf', '/scan.pdf']));
  site.pages.set('/files/terms%20of%20sale.pdf?v=1', { pdf });
  site.pages.set('/broken.pdf', { pdf: Buffer.from('%PDF-1.7 nothing else') });
  site.pages.set('/scan.pdf', { pdf: writePdf([[]]) });
  const { _id } = await world.website();
  await world.ended(_id);
  const listed = [
    { page_url: '/', training_failed_with: null },
    { page_url: '/broken.pdf', training_failed_with: expect.any(String), bytes: 21 },
    {
      page_url: '/files/terms%20of%20sale.pdf?v=1',
      bytes: pdf.length,
      chunks: 2,
      content: { title: 'terms of sale.pdf' },
      training_note: expect.stringContaining('1 of the 3 pages has no text'),
    },
    { page_url: '/scan.pdf', training_failed_with: expect.stringContaining('This PDF has no text') },
  ];
  expect(await world.subPages(_id)).toMatchObject(listed);
  const found = [];
  for (const { title, url, text } of await world.chunks(_id))
    if (url.includes('.pdf')) found.push({ title, url, text });
  const url = `${site.url}files/terms%20of%20sale.pdf?v=1`;
  const expected = [
    { title: 'terms of sale.pdf, page 1', url: `${url}#page=1`, text: 'The warranty lasts two years.' },
    { title: 'terms of sale.pdf, page 3', url: `${url}#page=3`, text: 'Returns are free within 30 days.' },
  ];
  expect(found.sort((a, b) => a.url.localeCompare(b.url))).toEqual(expected);

  await trainAgain(_id);
  expect(site.requests.filter(({ status }) => status === 304)).toHaveLength(2);
  expect(await world.subPages(_id)).toMatchObject(listed);
});
