import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { storedChunks } from '@parley/corpus/testing';
import { must } from '../e2e/api.ts';
import type { KnowledgeItem, SubPage } from '../e2e/resources.ts';
import { type Held, held, html, type Site, site } from '../e2e/site.ts';
import { world } from '../e2e/world.ts';
import { type Child, startProgram } from './child.ts';

const { a, mongo, objects, uri, dataDir, parley, stop } = await world({ embeddings: 'none' }, ({ parley }) =>
  parley.services.trainer.stop(),
);
// Processes start slowly on a busy machine.
jest.setTimeout(90_000);
const corpus = mongo.db('parley_corpus');
/** Takes over from each trainer that a test stops. It is the system's own trainer, and runs only when a test starts it. */
const successor = parley.services.trainer;
let trainer: Child;
afterAll(async () => {
  await trainer.end('SIGKILL');
  await stop();
});

function startTrainer(): void {
  trainer = startProgram('services/trainer/src/main.ts', {
    MONGODB_URI: uri,
    OBJECTS_DIR: join(dataDir, 'objects'),
    EMBEDDINGS: 'none',
    CRAWL_ALLOW: '127.0.0.0/8',
    CRAWL_DELAY_MS: '0',
    TRAINER_CONCURRENCY: '1',
    LOG_LEVEL: 'error',
  });
}

/** Expires the lease, as if its 30 s had passed. */
async function endLease({ id }: { id: string }): Promise<void> {
  const items = corpus.collection<{ _id: string }>('knowledge_items');
  const { matchedCount } = await items.updateOne({ _id: id, 'training.state': 'running' }, [
    { $set: { 'training.until': { $subtract: ['$$NOW', 1] } } },
  ]);
  expect(matchedCount).toBe(1);
}

/** Expects one live build with the recorded number of passages, none of them twice. */
async function expectOneBuild({ id }: { id: string }): Promise<void> {
  const item = (await corpus.collection<{ _id: string }>('knowledge_items').findOne({ _id: id })) as unknown as {
    account: string;
    live: { build: string; chunks: number };
    training: { state: string };
  };
  expect(item.training.state).toBe('idle');
  const stored = await storedChunks(objects, item.account, item.live.build);
  expect(stored.length).toBe(item.live.chunks);
  expect(new Set(stored.map(({ source, text }) => JSON.stringify([source, text]))).size).toBe(stored.length);
  const builds = await corpus.collection<{ _id: string }>('builds').find({ item: id }).toArray();
  expect(builds.map(({ _id }) => _id)).toContain(item.live.build);
}

/** A website with a requested training that will wait for one of its pages. */
async function heldTraining(): Promise<{ pages: Site; slow: Held; website: { id: string } }> {
  const slow = held(html('Ferry', 'The ferry leaves at seven from the old pier.'));
  const pages = await site({
    '/': html('Harbour', 'The harbour has a ferry and a crane.', ['/ferry']),
    '/ferry': slow.served,
  });
  const website = await a.website(pages.url);
  must(await a.api.put(`/knowledge/${website.id}/train`));
  return { pages, slow, website };
}

test('after a trainer is killed, another finishes the training without orphans or duplicates', async () => {
  const { pages, slow, website } = await heldTraining();
  await using _ = pages;
  startTrainer();
  await slow.arrived;
  await trainer.end('SIGKILL');
  expect(must(await a.api.get<KnowledgeItem>(`/knowledge/${website.id}`)).is_training).toBe(true);

  pages.pages['/ferry'] = html('Ferry', 'The ferry leaves at eight from the new pier.');
  await endLease(website);
  await successor.start();
  expect(await a.settled(website)).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
  await successor.stop();
  await expectOneBuild(website);
  const subPages = await a.api.all<SubPage>(`/knowledge/${website.id}/sub-pages`);
  expect(subPages.map(({ page_url, trained_at }) => [page_url, trained_at !== null])).toEqual([
    ['/', true],
    ['/ferry', true],
  ]);
  expect((await a.ask(await a.chatbot(website), 'When does the ferry leave?')).message).toContain('eight');
});

test('a trainer that was suspended past its lease cannot publish when it resumes', async () => {
  const { pages, slow, website } = await heldTraining();
  await using _ = pages;
  startTrainer();
  await slow.arrived;
  trainer.signal('SIGSTOP');

  pages.pages['/ferry'] = html('Ferry', 'The ferry leaves at nine from the new pier.');
  await endLease(website);
  await successor.start();
  const published = await a.settled(website);
  await successor.stop();

  slow.release();
  trainer.signal('SIGCONT');
  // It runs one training at a time, so once it has finished another, it is done with this one.
  const next = await a.faq('Next', { 'What is next?': 'This comes next.' });
  expect(await a.train(next)).toMatchObject({ training_failed_with: null });
  expect(must(await a.api.get(`/knowledge/${website.id}`))).toEqual(published);
  await expectOneBuild(website);
  const { message } = await a.ask(await a.chatbot(website), 'When does the ferry leave?');
  expect(message).toContain('nine');
  expect(message).not.toContain('seven');
});

test('a trainer releases its training on SIGTERM, and the next one takes it at once', async () => {
  const { pages, slow, website } = await heldTraining();
  await using _ = pages;
  await slow.arrived;
  await trainer.end('SIGTERM');
  pages.pages['/ferry'] = html('Ferry', 'The ferry leaves at ten from the new pier.');
  await successor.start();
  expect(await a.settled(website)).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
  await expectOneBuild(website);
});
