import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { buildId } from '@parley/corpus';
import { unavailableDoNotRetry } from '@parley/runtime';
import { createDirectoryStore } from '@parley/runtime/objects';
import { until } from '@parley/runtime/testing';
import { logged, page, trainerWorld } from './testing/trainer.ts';

let world: Awaited<ReturnType<typeof trainerWorld>>;
let site: typeof world.site;

beforeAll(async () => {
  world = await trainerWorld();
  site = world.site;
});
afterEach(() => world.reset());
afterAll(() => world.close());

test('after kill -9 of a trainer another one finishes the training, once, and the live build has nothing from the first', async () => {
  site.pages.set('/', page('Home', 'Welcome', ['/slow']));
  site.pages.set('/slow', { hold: true });
  const doomed = world.spawnTrainer();
  const { _id } = await world.website();
  await until(() => site.held.size > 0);
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');

  site.pages.set('/slow', page('Slow', 'At last'));
  await world.expire(_id);
  const successor = await world.startTrainer();
  const item = await world.ended(_id);
  await successor.stop();
  expect(item).toMatchObject({ training_failed_with: null, training: { fence: 2 }, live: { build: buildId(_id, 2) } });
  const { chunks } = world.corpus.collections;
  expect(await chunks.countDocuments({ build: buildId(_id, 2) })).toBe(item.live!.chunks);
  expect(new Set(await chunks.distinct('source', { build: buildId(_id, 2) }))).toEqual(new Set(['/', '/slow']));
});

test('a trainer that is suspended past its lease notices when it resumes, and publishes nothing', async () => {
  site.pages.set('/', page('Home', 'Welcome', ['/slow']));
  site.pages.set('/slow', { hold: true });
  const stopped = world.spawnTrainer();
  const { _id } = await world.website();
  await until(() => site.held.size > 0);
  stopped.kill('SIGSTOP');
  await world.expire(_id);
  site.pages.set('/slow', page('Slow', 'The true text'));
  const successor = await world.startTrainer();
  const { live } = await world.ended(_id);
  await successor.stop();

  for (const response of site.held)
    response.writeHead(200, { 'content-type': 'text/html' }).end(page('Slow', 'A stale text'));
  stopped.kill('SIGCONT');
  await logged(stopped, 'the lease was lost');
  expect((await world.stored(_id))!.live).toEqual(live);
  expect((await world.texts(_id)).join()).not.toContain('stale');
});

test('a trainer that is stopped returns its job, and the attempt does not count', async () => {
  site.pages.set('/', { hold: true });
  const child = world.spawnTrainer();
  const { _id } = await world.website();
  await until(() => site.held.size > 0);
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(await world.stored(_id)).toMatchObject({ training: { state: 'queued', attempts: 0 } });
});

test('a training waits while the file store is unavailable, and succeeds once it is back', async () => {
  site.pages.set('/', page('Home', 'Welcome'));
  const store = createDirectoryStore({ dir: world.objectsDir });
  const gone = unavailableDoNotRetry('The file store is unavailable. Try again later.');
  let refused = 0;
  let away = true;
  const objects = {
    ...store,
    put: (...put: Parameters<typeof store.put>) => {
      if (!away) return store.put(...put);
      refused++;
      return Promise.reject(gone);
    },
    ready: () => (away ? Promise.reject(gone) : store.ready()),
  };
  const trainer = await world.startTrainer({ objects });
  const { _id } = await world.website();
  await until(async () => refused > 0 && (await world.stored(_id))?.training.state === 'queued');
  expect(await world.stored(_id)).toMatchObject({ training_failed_with: null, training: { attempts: 0 } });
  away = false;
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: null, live: { chunks: 1 } });
  await trainer.stop();
  expect(refused).toBe(1);
});
