import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { buildId, type KnowledgeItemDoc, textHash } from '@parley/corpus';
import { parseAllowList } from '@parley/corpus/guard';
import { corpusWorld } from '@parley/corpus/testing';
import { type Process, randomId } from '@parley/runtime';
import type { TrainerConfig } from './config.ts';
import { createTrainer } from './create.ts';

type Page = string | { status: number } | { hold: true };

const account = randomId();
const pages = new Map<string, Page>();
const requests: { path: string; conditional: boolean; status: number }[] = [];
const held = new Set<ServerResponse>();
const site = createServer((request, response) => {
  const page = pages.get(request.url!);
  const etag = typeof page === 'string' ? `"${textHash(page)}"` : undefined;
  const conditional = request.headers['if-none-match'] !== undefined;
  const answer = (status: number, body = '') => {
    requests.push({ path: request.url!, conditional, status });
    response.writeHead(status, { 'content-type': 'text/html', ...(etag && { etag }) }).end(body);
  };
  if (page === undefined) answer(404);
  else if (typeof page === 'string') request.headers['if-none-match'] === etag ? answer(304) : answer(200, page);
  else if ('status' in page) answer(page.status);
  else held.add(response);
});

let world: Awaited<ReturnType<typeof corpusWorld>>;
let config: TrainerConfig;
let base: string;
const trainers: Process[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  world = await corpusWorld();
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const { port } = site.address() as AddressInfo;
  base = `http://127.0.0.1:${port}/`;
  config = {
    name: 'trainer',
    mongodb: { uri: world.uri, database: world.database },
    bus: { mongodb: { uri: world.uri, database: world.database.replace(/_corpus$/, '_bus') } },
    logLevel: 'silent',
    graceMs: 1_000,
    objects: { dir: await mkdtemp(join(tmpdir(), 'parley-trainer-')) },
    embedding: { use: 'none' },
    crawlAllow: parseAllowList(`127.0.0.1:${port}`),
    crawlLimits: { pages: 50, depth: 5, bytes: 10_000_000, millis: 60_000, concurrency: 2, perHostDelayMs: 0 },
    concurrency: 1,
  };
});

afterEach(async () => {
  for (const response of held) response.destroy();
  held.clear();
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const trainer of trainers.splice(0)) await trainer.stop();
  pages.clear();
  requests.length = 0;
  await world.emptyQueue();
});
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await world.close();
  await rm(config.objects.dir, { recursive: true, force: true });
});

const page = (title: string, text: string, links: string[] = []) =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text.padEnd(80, '. ')}</p>${links
    .map((href) => `<a href="${href}">${href}</a>`)
    .join(' ')}</main></body></html>`;

async function startTrainer() {
  const trainer = createTrainer(config);
  trainers.push(trainer);
  await trainer.start();
}

/** A trainer as it runs in production: a process of its own, that signals can stop and kill. */
function spawnTrainer(): ChildProcess {
  const variables = {
    MONGODB_URI: world.uri,
    OBJECTS_DIR: config.objects.dir,
    EMBEDDINGS: 'none',
    CRAWL_ALLOW: new URL(base).host,
    CRAWL_DELAY_MS: '0',
    MONGODB_DATABASE_PREFIX: world.database.replace(/_corpus$/, ''),
  };
  const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL('./main.ts', import.meta.url))], {
    env: { ...process.env, NODE_OPTIONS: '', ...variables },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  children.push(child);
  return child;
}

/** Resolves when the process writes the words to its log. */
async function logged(child: ChildProcess, words: string): Promise<void> {
  for await (const line of createInterface(child.stderr!)) if (line.includes(words)) return;
  throw new Error(`the process ended without logging: ${words}`);
}

async function until<T>(ask: () => Promise<T | undefined | false> | T | undefined | false): Promise<T> {
  for (;;) {
    const answer = await ask();
    if (answer) return answer;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function website(): Promise<KnowledgeItemDoc> {
  const item = await world.corpus.items.create(account, randomId(), { type: 'website', website: { base_url: base } });
  await world.corpus.training.request(account, item._id, randomId());
  return item;
}

const ended = (id: string) =>
  until(async () => {
    const item = await world.stored(id);
    return item?.training.state === 'idle' && item;
  });

const subPages = async (id: string) =>
  (await world.corpus.subPages.page(account, id, { limit: 100, nextCursor: '' })).items;

async function texts(id: string): Promise<string[]> {
  const { live } = (await world.stored(id))!;
  const found: string[] = [];
  for await (const chunk of world.corpus.chunks.read(account, live!)) found.push(chunk.text);
  return found;
}

test('a website is trained page by page, and each page has its state or its reason', async () => {
  pages.set('/', page('Home', 'Welcome to the house', ['/a', '/gone']));
  pages.set('/a', page('A', 'The answer is forty-two'));
  await startTrainer();
  const { _id } = await website();
  const item = await ended(_id);
  expect(item).toMatchObject({ training_failed_with: null, trained_at: expect.any(Date), live: { model: null } });
  expect(await subPages(_id)).toMatchObject([
    { page_url: '/', trained_at: expect.any(Date), training_failed_with: null },
    { page_url: '/a', trained_at: expect.any(Date), training_failed_with: null },
    { page_url: '/gone', trained_at: null, training_failed_with: expect.stringContaining('404') },
  ]);
  expect((await texts(_id)).join()).toContain('forty-two');
});

test('a website of which no page can be read has failed, with the reason', async () => {
  pages.set('/', { status: 500 });
  await startTrainer();
  const { _id } = await website();
  expect(await ended(_id)).toMatchObject({
    trained_at: null,
    live: null,
    training_failed_at: expect.any(Date),
    training_failed_with: expect.stringContaining('500'),
  });
});

test('a failed retraining leaves the old answers where they are', async () => {
  pages.set('/', page('Home', 'The old text'));
  await startTrainer();
  const { _id } = await website();
  const { live } = await ended(_id);
  pages.set('/', { status: 503 });
  await world.corpus.training.request(account, _id, randomId());
  expect(await ended(_id)).toMatchObject({ trained_at: null, training_failed_with: expect.any(String), live });
  expect((await texts(_id)).join()).toContain('old text');
});

test('what has not changed is not downloaded again, and is searched all the same', async () => {
  pages.set('/', page('Home', 'Stays the same', ['/b']));
  pages.set('/b', page('B', 'Before'));
  await startTrainer();
  const { _id } = await website();
  await ended(_id);
  requests.length = 0;
  pages.set('/b', page('B', 'After'));
  await world.corpus.training.request(account, _id, randomId());
  await ended(_id);
  const pageRequests = requests.filter(({ path }) => pages.has(path));
  expect(pageRequests).toEqual([
    { path: '/', conditional: true, status: 304 },
    { path: '/b', conditional: true, status: 200 },
  ]);
  const all = (await texts(_id)).join();
  expect(all).toContain('Stays the same');
  expect(all).toContain('After');
  expect(all).not.toContain('Before');
});

test('the items of an FAQ are trained, long answers in several pieces', async () => {
  const faq = await world.faq(account);
  const fields = { source_url: null, categories: [] };
  await world.corpus.faqItems.create(account, faq._id, randomId(), { question: 'Short?', answer: 'Yes.', ...fields });
  const long = Array.from({ length: 60 }, (_, i) => `Sentence number ${i} of a long answer.`).join(' ');
  await world.corpus.faqItems.create(account, faq._id, randomId(), { question: 'Long?', answer: long, ...fields });
  await startTrainer();
  await world.corpus.training.request(account, faq._id, randomId());
  expect((await ended(faq._id)).live!.chunks).toBeGreaterThan(2);
  expect(await texts(faq._id)).toContain('Yes.');
});

test('progress is visible while a training runs', async () => {
  pages.set('/', page('Home', 'Welcome', ['/slow']));
  pages.set('/slow', { hold: true });
  await startTrainer();
  const { _id } = await website();
  const progress = await until(async () => {
    const { training } = (await world.stored(_id))!;
    return training.progress.sources_done === 1 && training.progress;
  });
  expect(progress).toMatchObject({ sources_found: 2, sources_done: 1 });
});

test('after kill -9 of a trainer another one ends the training, once, and nothing of the first is left in what answers', async () => {
  pages.set('/', page('Home', 'Welcome', ['/slow']));
  pages.set('/slow', { hold: true });
  const doomed = spawnTrainer();
  const { _id } = await website();
  await until(() => held.size > 0);
  doomed.kill('SIGKILL');
  await once(doomed, 'exit');

  pages.set('/slow', page('Slow', 'At last'));
  await world.expire(_id);
  await startTrainer();
  const item = await ended(_id);
  expect(item).toMatchObject({ training_failed_with: null, training: { fence: 2 }, live: { build: buildId(_id, 2) } });
  const { chunks } = world.corpus.collections;
  expect(await chunks.countDocuments({ build: buildId(_id, 2) })).toBe(item.live!.chunks);
  expect(new Set(await chunks.distinct('source', { build: buildId(_id, 2) }))).toEqual(new Set(['/', '/slow']));
}, 60_000);

test('a trainer that was stopped past its lease and resumed notices, and publishes nothing', async () => {
  pages.set('/', page('Home', 'Welcome', ['/slow']));
  pages.set('/slow', { hold: true });
  const stopped = spawnTrainer();
  const { _id } = await website();
  await until(() => held.size > 0);
  stopped.kill('SIGSTOP');
  await world.expire(_id);
  pages.set('/slow', page('Slow', 'The true text'));
  await startTrainer();
  const { live } = await ended(_id);

  for (const response of held)
    response.writeHead(200, { 'content-type': 'text/html' }).end(page('Slow', 'A stale text'));
  stopped.kill('SIGCONT');
  await logged(stopped, 'the lease was lost');
  expect((await world.stored(_id))!.live).toEqual(live);
  expect((await texts(_id)).join()).not.toContain('stale');
}, 60_000);

test('a trainer that is told to stop puts its job back, and the attempt does not count', async () => {
  pages.set('/', { hold: true });
  const child = spawnTrainer();
  const { _id } = await website();
  await until(() => held.size > 0);
  child.kill('SIGTERM');
  await once(child, 'exit');
  expect(await world.stored(_id)).toMatchObject({ training: { state: 'queued', attempts: 0 } });
}, 60_000);

test('objects of a build lie under its own folder', async () => {
  pages.set('/', page('Home', 'Welcome'));
  await startTrainer();
  const { _id } = await website();
  await ended(_id);
  const folder = join(config.objects.dir, 'accounts', account, 'knowledge', _id, 'builds', '1', 'pages');
  expect((await readdir(folder)).map((name) => name.replace(/^.*\./, '')).sort()).toEqual(['raw', 'txt']);
});
