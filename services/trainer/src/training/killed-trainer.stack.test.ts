import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { buildFileKey, createBuildSweeper } from '@parley/corpus';
import { all } from '@parley/corpus/testing';
import { writePdf } from '@parley/reading/testing';
import { createLog } from '@parley/runtime';
import { until } from '@parley/runtime/testing';
import { countingEmbedders } from '../testing/counting-embedders.ts';
import { logged, page, trainerWorld } from '../testing/trainer.ts';
import { REEMBEDDING_STEPS, RETRAINING_STEPS, TRAINING_STEPS } from '../testing/training-steps.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
let site: typeof world.site;

beforeAll(async () => {
  world = await trainerWorld();
  site = world.site;
});
afterEach(() => world.reset());
afterAll(() => world.close());

/** Expects only the live build's file, once nothing needs the others any more. */
async function expectOnlyLiveFile(id: string) {
  const { account, live } = (await world.stored(id))!;
  const { collections } = world.corpus;
  const log = createLog('test', 'silent');
  const sweeper = createBuildSweeper({ collections, objects: world.objects, log, restOfBuildMs: 0 });
  await sweeper.start();
  const left = async () => {
    sweeper.wake();
    const found = await all(world.objects.list(`accounts/${account}/knowledge/${id}/builds/`));
    return found.flatMap(({ key }) => (key.endsWith('.sqlite') ? [key] : []));
  };
  await until(left, (keys) => keys.join() === buildFileKey(account, live!.build));
  await sweeper.stop();
  expect((await readdir(world.config.index.dir)).filter((name) => name.endsWith('.part'))).toEqual([]);
}

test.each(TRAINING_STEPS)(
  'after a trainer is killed when %s, the training still ends well, and only once',
  async (step) => {
    site.pages.set('/', page('Home', 'Welcome', ['/clay']));
    site.pages.set('/clay', page('Clay', 'It rests for a year.'));
    const doomed = world.spawnTrainer(step);
    const { _id } = await world.website();
    await logged(doomed, 'reached');
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');

    await world.expire(_id);
    const successor = await world.startTrainer();
    const item = await world.ended(_id);
    await until(() => world.ends(_id).length > 0);
    await successor.stop();
    const { live } = item;
    const found = await world.chunks(_id);
    expect(found.map(({ source, index }) => `${source} ${index}`).sort()).toEqual(['/ 0', '/clay 0']);
    expect([live!.chunks, item.training_failed_with]).toEqual([2, null]);
    expect(new Set(world.ends(_id)).size).toBe(1);
    await expectOnlyLiveFile(_id);
  },
  60_000,
);

const TEXTS = ['Rye is sown in autumn.', 'It is cut in summer.', 'It is ground in winter.'];

/** Items of the other types, with a training requested, and the sources of their chunks. */
const OTHERS = {
  document: async () => {
    const { _id } = await world.document('application/pdf', writePdf(TEXTS.map((text) => [text])), 'rye.pdf');
    return { id: _id, sources: ['page 1', 'page 2', 'page 3'] };
  },
  video: async () => {
    const cues = TEXTS.map((text, i) => `${i}\n00:0${i}:00,000 --> 00:0${i}:09,000\n${text}\n`);
    const { _id } = await world.video(await world.uploaded(cues.join('\n')));
    return { id: _id, sources: ['transcript'] };
  },
  FAQ: async () => {
    const { _id } = await world.faq(world.account);
    const items: string[] = [];
    for (const text of TEXTS) items.push((await world.faqItem(world.account, _id, text))._id);
    await world.train(_id);
    return { id: _id, sources: items };
  },
};

/** While the sources of a type are read, and after it. What is between, and before, is the same for all types. */
const STEPS_BY_TYPE = ['a page is done', 'the build is complete'] as const;
const ofEach = STEPS_BY_TYPE.flatMap((step) =>
  Object.entries(OTHERS).map(([type, create]) => ({ step, type, create })),
);

test.each(ofEach)(
  'after a trainer is killed when $step of a $type, the training still ends well, and only once',
  async ({ step, create }) => {
    const doomed = world.spawnTrainer(step);
    const { id, sources } = await create();
    await logged(doomed, 'reached');
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');

    await world.expire(id);
    const successor = await world.startTrainer();
    const { live, training_failed_with } = await world.ended(id);
    await until(() => world.ends(id).length > 0);
    await successor.stop();
    const found = await world.chunks(id);
    expect(found.map(({ source }) => source).sort()).toEqual(sources.toSorted());
    expect([live!.chunks, training_failed_with]).toEqual([sources.length, null]);
    expect(new Set(world.ends(id)).size).toBe(1);
  },
  60_000,
);

/** Trains an item by a trainer of its own, which then stops. */
async function trained(id: string) {
  const trainer = await world.startTrainer();
  await world.train(id);
  const item = await world.ended(id);
  await until(() => world.ends(id).length > 0);
  await trainer.stop();
  return item;
}

test.each(RETRAINING_STEPS)(
  'after a trainer is killed when %s in a retraining, the next one has all of its pages, the unchanged ones too',
  async (step) => {
    site.pages.set('/', page('Home', 'Welcome', ['/clay', '/mill']));
    site.pages.set('/clay', page('Clay', 'It rests for a year.'));
    site.pages.set('/mill', page('Mill', 'It grinds rye.'));
    const { _id } = await world.website();
    const before = await trained(_id);
    const texts = await world.texts(_id);
    site.pages.set('/clay', page('Clay', 'It rests for two years.'));
    const doomed = world.spawnTrainer(step);
    await world.train(_id);
    await logged(doomed, 'reached');
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    expect((await world.stored(_id))!.live).toEqual(before.live);
    expect(await world.texts(_id)).toEqual(texts);

    await world.expire(_id);
    const successor = await world.startTrainer();
    const { live, training_failed_with } = await world.ended(_id);
    await until(() => world.ends(_id).length > 1);
    await successor.stop();
    const found = (await world.chunks(_id)).sort((a, b) => (a.source < b.source ? -1 : 1));
    expect(found.map(({ source, text }) => [source, /two years/.test(text)])).toEqual([
      ['/', false],
      ['/clay', true],
      ['/mill', false],
    ]);
    expect([live!.build, live!.chunks, training_failed_with]).toEqual([`${_id}:3`, 3, null]);
    expect(new Set(world.ends(_id)).size).toBe(2);
    await expectOnlyLiveFile(_id);
  },
  60_000,
);

test.each(REEMBEDDING_STEPS)(
  'after a trainer is killed when %s for another model, the item answers on, and the next trainer renews all vectors',
  async (step) => {
    const { _id } = await world.faq(world.account);
    // More than are embedded at once.
    for (let i = 0; i < 40; i++) await world.faqItem(world.account, _id, `Why ${i}?`);
    const before = await trained(_id);
    const [texts, sources] = [await world.texts(_id), await world.subPages(_id)];
    const doomed = world.spawnTrainer(step);
    await logged(doomed, 'reached');
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');
    expect(await world.texts(_id)).toHaveLength(40);

    await world.expire(_id);
    const { embedders } = countingEmbedders();
    const successor = await world.startTrainer({ embedders });
    const after = await until(
      () => world.stored(_id),
      (item) => item!.training.state === 'idle' && item!.live!.model === 'counting',
    );
    await successor.stop();
    const { trained_at, generation } = before;
    expect(after).toMatchObject({ trained_at, generation, live: { chunks: 40, model: 'counting' } });
    expect((await world.chunks(_id)).filter(({ vector }) => vector)).toHaveLength(40);
    expect((await world.texts(_id)).sort()).toEqual(texts.sort());
    expect(await world.subPages(_id)).toEqual(sources);
    expect(new Set(world.ends(_id)).size).toBe(1);
  },
  60_000,
);
