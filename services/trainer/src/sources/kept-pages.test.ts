import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { published } from '@parley/corpus/testing';
import type { LoadedPage } from '../crawl/page.ts';
import { trainerWorld } from '../testing/trainer.ts';
import { openKeptPages } from './kept-pages.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
beforeAll(async () => {
  world = await trainerWorld();
});
afterAll(() => world.close());

const page: LoadedPage = {
  pageUrl: '/',
  url: 'https://example.com/',
  outcome: 'loaded',
  title: 'Rye',
  text: 'Rye is sown in autumn.',
  kept: 1,
  raw: Buffer.from('<p>Rye'),
  contentType: 'text/html',
  contentHash: 'h',
  etag: '"1"',
  links: ['/a'],
};

test('an unchanged page is looked up once in the database and once in the object store', async () => {
  const { corpus, account, objects } = world;
  const { _id } = await world.faq(account);
  const { signal } = new AbortController();
  const first = await world.begin(account, _id);
  await corpus.builds.open(first, null);
  const kept = await openKeptPages(corpus, objects, first, signal);
  await corpus.subPages.record(first, '/', { content: await kept.keep(page), bytes: 6, chunks: 0 });
  await corpus.training.publish(first, published());

  const asked: string[] = [];
  const recorded: typeof corpus.subPages.recorded = (...args) => {
    asked.push('recorded');
    return corpus.subPages.recorded(...args);
  };
  const stat: typeof objects.stat = (...args) => {
    asked.push('stat');
    return objects.stat(...args);
  };
  const second = await world.begin(account, _id);
  await corpus.builds.open(second, null);
  const counted = { ...corpus, subPages: { ...corpus.subPages, recorded } };
  const again = await openKeptPages(counted, { ...objects, stat }, second, signal);
  const previous = (await again.previous('/'))!;
  expect(previous).toEqual({ contentHash: 'h', etag: '"1"', links: ['/a'] });
  expect(await again.keepAgain({ pageUrl: '/', previous }, signal)).toMatchObject({ text: page.text, bytes: 6 });
  expect(asked).toEqual(['recorded', 'stat', 'stat']);

  await objects.deletePrefix(`accounts/${account}/`, 100);
  expect(await again.keepAgain({ pageUrl: '/', previous }, signal)).toBeUndefined();
});
