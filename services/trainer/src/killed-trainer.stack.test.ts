import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { logged, page, trainerWorld } from './trainer.fixture.ts';
import { TRAINING_STEPS } from './training-steps.fixture.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
let site: typeof world.site;

beforeAll(async () => {
  world = await trainerWorld();
  site = world.site;
});
afterEach(() => world.reset());
afterAll(() => world.close());

test.each(TRAINING_STEPS)(
  'killed when %s, a trainer leaves a training that ends well, and once',
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
