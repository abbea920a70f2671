import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, jest, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { createAccount } from '../e2e/account.ts';
import { keyed, must } from '../e2e/api.ts';
import type { Chatbot, KnowledgeItem, SubPage } from '../e2e/resources.ts';
import { held, html, site } from '../e2e/site.ts';
import { firstKey } from '../e2e/world.ts';
import { type Child, startProgram } from './child.ts';

const dataDir = await mkdtemp(join(tmpdir(), 'parley-killed-'));
// Processes start slowly on a busy machine.
jest.setTimeout(90_000);
let parley: Child | undefined;
afterAll(async () => {
  await parley?.end('SIGKILL');
  await rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
});

async function start() {
  parley = startProgram('deploy/embedded/src/main.ts', {
    PARLEY_DATA: dataDir,
    PORT: '0',
    DEMO: 'false',
    MONGODB_URI: '',
    EMBEDDINGS: 'none',
    CRAWL_ALLOW: '127.0.0.0/8',
    CRAWL_DELAY_MS: '0',
    LOG_LEVEL: 'error',
  });
  await parley.line('Parley runs');
  const endpoints = JSON.parse(await readFile(join(dataDir, 'endpoints.json'), 'utf8'));
  return { kill: () => parley!.end('SIGKILL'), endpoints, secret: await readFile(join(dataDir, 'secret'), 'utf8') };
}

/** Expires every lease, as if its 30 s had passed since the system was killed. */
async function endLeases(): Promise<void> {
  const engine = await startEngine({ dataDir });
  const mongo = new MongoClient(engine.uri);
  const running = { 'training.state': 'running' };
  const past = [{ $set: { 'training.until': { $subtract: ['$$NOW', 1] } } }];
  const { matchedCount } = await mongo.db('parley_corpus').collection('knowledge_items').updateMany(running, past);
  await mongo.close();
  await engine.stop();
  expect(matchedCount).toBe(1);
}

test('after kill -9 of everything during a crawl, the next start finishes the training and has all acknowledged data', async () => {
  const slow = held('');
  await using pages = await site({
    '/': html('Mill', 'The mill grinds rye and oats.', ['/wheel']),
    '/wheel': slow.served,
  });
  const first = await start();
  const key = await firstKey(first, 'Cleo');
  const before = createAccount(keyed(first.endpoints.gateway, key), key);
  const website = await before.website(pages.url);
  const bots = await Promise.all(Array.from({ length: 5 }, () => before.chatbot()));
  must(await before.api.put(`/knowledge/${website.id}/train`));
  await slow.arrived;
  await first.kill();

  await endLeases();
  pages.pages['/wheel'] = html('Wheel', 'The water wheel was rebuilt in spring.');
  const second = await start();
  const after = createAccount(keyed(second.endpoints.gateway, key), key);
  expect(
    must(await after.api.get<Chatbot[]>('/chatbots'))
      .map(({ id }) => id)
      .sort(),
  ).toEqual(bots.map(({ id }) => id).sort());
  expect(await after.settled(website)).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
  const subPages = await after.api.all<SubPage>(`/knowledge/${website.id}/sub-pages`);
  expect(subPages.map(({ page_url }) => page_url)).toEqual(['/', '/wheel']);
  expect((await after.ask(await after.chatbot(website), 'When was the water wheel rebuilt?')).message).toContain(
    'spring',
  );
  expect((await after.api.all<KnowledgeItem>('/knowledge')).length).toBe(1);
});
