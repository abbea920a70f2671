import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import {
  ANY,
  buildId,
  type Embedder,
  EmbeddingMisconfigured,
  EmbeddingUnavailable,
  embeddingTokens,
} from '@parley/corpus';
import { createLog, unavailableDoNotRetry } from '@parley/runtime';
import { createDirectoryStore } from '@parley/runtime/objects';
import { until } from '@parley/runtime/testing';
import { countingEmbedders } from '../testing/counting-embedders.ts';
import { logged, page, trainerWorld } from '../testing/trainer.ts';

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
  expect(new Set((await world.chunks(_id)).map(({ source }) => source))).toEqual(new Set(['/', '/slow']));
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

/** Fails with the error while there is one. */
function failing(fault: { error: Error | undefined }) {
  const made = (texts: readonly string[]) => {
    if (fault.error) return Promise.reject(fault.error);
    return Promise.resolve(texts.map(() => Float32Array.from([1, 0])));
  };
  const embedder: Embedder = {
    model: 'm',
    prior: ANY,
    embed: made,
    embedQuery: async (text) => (await made([text]))[0]!,
    close: async () => {},
  };
  return { name: 'embedders', current: embedder, forLanguage: () => embedder, byModel: () => embedder, models: ['m'] };
}

test('a training whose account has spent its tokens of the day fails, names the setting, and is not tried again', async () => {
  site.pages.set('/', page('Home', `Welcome ${'and read this '.repeat(30)}`));
  const { embedders } = countingEmbedders();
  const paid = { ...embedders.current!, isPaid: true };
  const tokens = embeddingTokens(world.db, 50, createLog('test', 'silent'));
  const trainer = await world.startTrainer({ tokens, embedders: { ...embedders, forLanguage: () => paid } });
  const { _id, account } = await world.website();
  expect(await world.ended(_id)).toMatchObject({
    training_failed_with: expect.stringContaining('EMBEDDING_TOKENS_PER_DAY'),
    training: { state: 'idle' },
    live: null,
  });
  expect(await tokens.used(account)).toMatchObject({ day: 0, spentAt: expect.any(Date) });
  await trainer.stop();
});

test('a training whose embedding server is unavailable is tried again later, and says so meanwhile', async () => {
  site.pages.set('/', page('Home', 'Welcome'));
  const fault: { error: Error | undefined } = {
    error: new EmbeddingUnavailable('The embedding server is busy (429).'),
  };
  const trainer = await world.startTrainer({ embedders: failing(fault) });
  const { _id } = await world.website();
  const postponed = await until(
    () => world.stored(_id),
    (item) => (item!.training_notes?.length ?? 0) > 0,
  );
  expect(postponed).toMatchObject({
    training_failed_with: null,
    training_notes: [expect.stringMatching(/^The embedding server is busy \(429\)\. .* tried again by itself\.$/)],
    training: { state: 'queued', attempts: 0, retries: 1 },
  });
  fault.error = undefined;
  await world.resume(_id);
  expect(await world.ended(_id)).toMatchObject({
    training_failed_with: null,
    training_notes: [],
    live: { model: 'm' },
  });
  await trainer.stop();
});

test('a wrong setting of the embedding model fails a training at once, with its name, and is logged without a stack', async () => {
  site.pages.set('/', page('Home', 'Welcome'));
  const sentence = 'The embedding server refused the key (401): check OPENAI_API_KEY.';
  const lines: string[] = [];
  const log = createLog('trainer', 'error', 'json', { write: (line) => void lines.push(line) });
  const embedders = failing({ error: new EmbeddingMisconfigured(sentence) });
  const trainer = await world.startTrainer({ embedders, log });
  const { _id } = await world.website();
  expect(await world.ended(_id)).toMatchObject({ training_failed_with: sentence, training: { retries: 0 } });
  await trainer.stop();
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ level: 'error', reason: sentence }]);
  expect(lines.join()).not.toMatch(/unexpected|stack/);
});
