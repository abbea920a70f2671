import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { writePdf } from './documents/testing/write-pdf.ts';
import { logged, page, trainerWorld } from './testing/trainer.ts';
import { TRAINING_STEPS } from './testing/training-steps.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
let site: typeof world.site;

beforeAll(async () => {
  world = await trainerWorld();
  site = world.site;
});
afterEach(() => world.reset());
afterAll(() => world.close());

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
    const found = await world.corpus.collections.chunks.find({ build: live!.build }).toArray();
    expect(found.map(({ source, index }) => `${source} ${index}`).sort()).toEqual(['/ 0', '/clay 0']);
    expect([live!.chunks, item.training_failed_with]).toEqual([2, null]);
    expect(new Set(world.ends(_id)).size).toBe(1);
  },
  60_000,
);

test.each(TRAINING_STEPS.filter((step) => step !== 'a page is kept'))(
  'after a trainer is killed when %s of a document, the training still ends well, and only once',
  async (step) => {
    const doomed = world.spawnTrainer(step);
    const pages = [['Rye is sown in autumn.'], ['It is cut in summer.'], ['It is ground in winter.']];
    const { _id } = await world.document('application/pdf', writePdf(pages), 'rye.pdf');
    await logged(doomed, 'reached');
    doomed.kill('SIGKILL');
    await once(doomed, 'exit');

    await world.expire(_id);
    const successor = await world.startTrainer();
    const { live, training_failed_with } = await world.ended(_id);
    await until(() => world.ends(_id).length > 0);
    await successor.stop();
    const found = await world.corpus.collections.chunks.find({ build: live!.build }).toArray();
    expect(found.map(({ source, title }) => [source, title]).sort()).toEqual(
      [1, 2, 3].map((page) => [`page ${page}`, `rye.pdf, page ${page}`]),
    );
    expect([live!.chunks, training_failed_with]).toEqual([3, null]);
    expect(new Set(world.ends(_id)).size).toBe(1);
  },
  60_000,
);
