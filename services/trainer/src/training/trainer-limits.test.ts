import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { buildId } from '@parley/corpus';
import { createMetrics, type Process } from '@parley/runtime';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import { MongoNetworkError } from 'mongodb';
import type { TrainerConfig } from '../config.ts';
import type { Dependencies } from '../dependencies.ts';
import type { TrainingLimits } from '../sources/limits.ts';
import { page, trainerWorld } from '../testing/trainer.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
let site: typeof world.site;
const running: Process[] = [];

beforeAll(async () => {
  world = await trainerWorld();
  site = world.site;
});
afterEach(async () => {
  for (const trainer of running.splice(0)) await trainer.stop();
  await world.reset();
});
afterAll(() => world.close());

async function start(settings: Partial<TrainerConfig> = {}, overrides: Partial<Dependencies> = {}) {
  const trainer = await world.startTrainer(overrides, settings);
  running.push(trainer);
  return trainer;
}
const limited = (changes: Partial<TrainingLimits>) =>
  start({ trainingLimits: { ...world.config.trainingLimits, ...changes } });

const sections = (count: number) => ({
  markdown: Array.from({ length: count }, (_, i) => `# h${i}\nb${i}\n`).join(''),
});
const word = page('Word', 'A word.');

test('a page with too many chunks is trained up to the limit, and the page and its item say so', async () => {
  site.pages.set('/', sections(100));
  await limited({ pageChunks: 10 });
  const { _id } = await world.website();
  expect(await world.ended(_id)).toMatchObject({
    training_failed_with: null,
    training_notes: [expect.stringContaining('TRAINING_MAX_PAGE_CHUNKS')],
    live: { chunks: 10, sources: 1, file: { bytes: expect.any(Number) } },
  });
  expect(await world.subPages(_id)).toMatchObject([
    { trained_at: expect.any(Date), training_failed_with: null, training_note: expect.stringContaining('first 10') },
  ]);
});

test('an item with too many chunks stops at the limit, reads no further, and says so', async () => {
  const paths = Array.from({ length: 20 }, (_, i) => `/${i}`);
  site.pages.set('/', page('Home', 'Welcome', paths));
  for (const path of paths) site.pages.set(path, sections(10));
  await limited({ itemChunks: 15 });
  const { _id } = await world.website();
  const item = await world.ended(_id);
  expect(item).toMatchObject({ training_failed_with: null, live: { chunks: 15 } });
  expect(item.training_notes).toEqual([expect.stringContaining('TRAINING_MAX_ITEM_CHUNKS')]);
  const listed = await world.subPages(_id);
  expect(listed.length).toBeLessThan(15);
  const cut = listed.filter(({ training_note, training_failed_with }) => training_note ?? training_failed_with);
  expect(cut.length).toBeGreaterThan(0);
  for (const { training_note, training_failed_with } of cut)
    expect(training_note ?? training_failed_with).toContain('TRAINING_MAX_ITEM_CHUNKS');
});

test('each item of an FAQ that a limit leaves out says so', async () => {
  await limited({ itemChunks: 1 });
  const { _id } = await world.faq(world.account);
  for (const question of ['Why?', 'How?']) await world.faqItem(world.account, _id, question);
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: null, live: { chunks: 1, sources: 1 } });
  expect(await world.subPages(_id)).toMatchObject([
    { name: 'How?', trained_at: expect.any(Date), chunks: 1 },
    { name: 'Why?', trained_at: null, training_failed_with: expect.stringContaining('TRAINING_MAX_ITEM_CHUNKS') },
  ]);
});

test("an account's items share its limit: the next one gets the rest, and one more is refused", async () => {
  const account = randomId();
  site.pages.set('/', sections(10));
  await limited({ accountChunks: 15 });
  const train = async () => world.ended((await world.website(account))._id);
  expect(await train()).toMatchObject({ training_notes: [], live: { chunks: 10 } });
  expect(await train()).toMatchObject({
    training_notes: [expect.stringContaining('TRAINING_MAX_ACCOUNT_CHUNKS')],
    live: { chunks: 5 },
  });
  expect(await train()).toMatchObject({
    live: null,
    training_failed_with: expect.stringMatching(/no room.*TRAINING_MAX_ACCOUNT_CHUNKS/),
  });
});

test("an account's limit holds for trainings that run at the same time, too", async () => {
  const account = randomId();
  site.pages.set('/', page('Home', 'Welcome', ['/slow']));
  site.pages.set('/slow', { hold: true });
  await limited({ accountChunks: 10 });
  const { _id: slow } = await world.website(account);
  await until(() => site.held.size > 0);
  // What another trainer publishes meanwhile.
  await world.corpus.usage.change(account, {}, async () => ({ result: null, counted: { chunks: 9 } }));
  for (const response of site.held)
    response.writeHead(200, { 'content-type': 'text/html' }).end(page('Slow', 'At last.'));
  expect(await world.ended(slow)).toMatchObject({
    live: null,
    training_failed_with: expect.stringContaining('10 chunks (TRAINING_MAX_ACCOUNT_CHUNKS), and this one has 9.'),
  });
});

test('what would take more room for search indexes than the account may have is not published', async () => {
  site.pages.set('/', page('Home', 'Welcome'));
  await start({ indexBytes: 1_000 });
  expect(await world.ended((await world.website(randomId()))._id)).toMatchObject({
    live: null,
    training_failed_with: expect.stringContaining(
      '1,000 bytes of search indexes (QUOTA_INDEX_MIB), and this one has 0.',
    ),
  });
});

test('a crawl that is cut short does not replace a fuller build of the same pages; one as full goes live with a note', async () => {
  const home = (text: string) => site.pages.set('/', page('Home', text, ['/a', '/b']));
  site.pages.set('/a', word);
  site.pages.set('/b', page('Other', 'Another word.'));
  // Room for one page: requests in flight when the limit is reached still count.
  const short = { ...world.config.crawlLimits, bytes: 1 };
  const noted = {
    training_failed_with: null,
    training_notes: [expect.stringContaining('CRAWL_MAX_MIB')],
    live: { sources: 1 },
  };
  let trainer = await start({ crawlLimits: short });
  home('First');
  const { _id } = await world.website();
  expect(await world.ended(_id)).toMatchObject(noted);
  home('Second');
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ ...noted, live: { build: buildId(_id, 2) } });
  await trainer.stop();

  trainer = await start();
  home('Third');
  await world.train(_id);
  const { live, training_notes } = await world.ended(_id);
  expect([live!.sources, training_notes]).toEqual([3, []]);
  await trainer.stop();

  await start({ crawlLimits: short });
  home('Fourth');
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({
    training_failed_with: expect.stringMatching(/CRAWL_MAX_MIB.*less than the previous training/),
    live,
  });

  // Once the owner has chosen other pages, the fuller build has too much.
  await world.corpus.items.update(world.account, _id, { exclude: ['/b'] });
  home('Fifth');
  await world.train(_id);
  expect(await world.ended(_id)).toMatchObject({ ...noted, live: { build: buildId(_id, 5) } });
});

test('a training that runs out of time publishes what it has', async () => {
  site.pages.set('/', word);
  await limited({ millis: 8_000 });
  // The first page waits for the reader process to start.
  await world.ended((await world.website())._id);
  site.pages.set('/', page('Home', 'Welcome', ['/slow']));
  site.pages.set('/slow', { hold: true });
  const { _id } = await world.website();
  expect(await world.ended(_id)).toMatchObject({
    training_failed_with: null,
    training_notes: [expect.stringContaining('TRAINING_MAX_MINUTES')],
    live: { chunks: 1 },
  });
});

test("an account's slow trainings do not delay those of another account", async () => {
  const slow = randomId();
  site.pages.set('/', { hold: true });
  await start({ concurrency: 2 });
  const items = [await world.website(slow), await world.website(slow), await world.website(slow)];
  await until(() => site.held.size > 0);
  site.pages.set('/', word);
  const { _id } = await world.website();
  expect(await world.ended(_id)).toMatchObject({ live: { chunks: 1 } });
  const states = await Promise.all(items.map(async ({ _id }) => (await world.stored(_id))!.training.state));
  expect(states.sort()).toEqual(['queued', 'queued', 'running']);
});

test('a training survives repeated database failures, and the metrics count each outcome separately', async () => {
  site.pages.set('/', word);
  const { builds, ...rest } = world.corpus;
  const metrics = createMetrics();
  let failures = 0;
  const setFile: typeof builds.setFile = async (...args) => {
    if (++failures <= 5) throw new MongoNetworkError('connection closed');
    return builds.setFile(...args);
  };
  await start({}, { metrics, corpus: { ...rest, builds: { ...builds, setFile } } });
  const { _id } = await world.website();
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: null, live: { chunks: 1 } });

  site.pages.set('/', { status: 404 });
  await world.train(_id);
  expect((await world.ended(_id)).training_failed_with).toContain('404');
  const count = async (outcome: string) =>
    new RegExp(`seconds_count{queue="training",group="trainer",outcome="${outcome}"} (\\d+)`).exec(
      (await metrics.scrape()).text,
    )?.[1];
  await until(async () => (await count('refused')) === '1');
  expect([await count('unavailable'), await count('ok'), await count('failed')]).toEqual(['5', '1', undefined]);
});

test('a training that fails while the database is unavailable is recorded as failed once it answers', async () => {
  site.pages.set('/', { status: 404 });
  const { training, ...rest } = world.corpus;
  let refusals = 0;
  const fail: typeof training.fail = async (...args) => {
    if (++refusals <= 2) throw new MongoNetworkError('connection closed');
    return training.fail(...args);
  };
  await start({}, { corpus: { ...rest, training: { ...training, fail } } });
  const { _id } = await world.website();
  const item = await world.ended(_id);
  expect(item.training_failed_with).toContain('404');
  expect(item.training.fence).toBe(1);
});
