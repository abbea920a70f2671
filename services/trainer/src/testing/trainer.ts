import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fromBinary } from '@bufbuild/protobuf';
import { expect } from '@jest/globals';
import {
  type KnowledgeItemDoc,
  type NewChunk,
  newDocument,
  textHash,
  transcriptKey,
  type VideoSettings,
} from '@parley/corpus';
import { corpusWorld, storedChunks } from '@parley/corpus/testing';
import { type Event, EventSchema } from '@parley/proto/events/v1/events_pb';
import { createLog, createMetrics, type Process } from '@parley/runtime';
import { KNOWLEDGE_TOPIC, openBus } from '@parley/runtime/bus';
import { createRelay } from '@parley/runtime/mongo';
import { createDirectoryStore } from '@parley/runtime/objects';
import { parseAllowList } from '@parley/runtime/outbound';
import { randomId } from '@parley/runtime/rpc';
import { until } from '@parley/runtime/testing';
import type { TrainerConfig } from '../config.ts';
import { createTrainer } from '../create.ts';
import type { Dependencies } from '../dependencies.ts';
import { createReaders } from '../sandbox/readers.ts';

/**
 * HTML, Markdown, a PDF, a status without a body, a connection that breaks off, or a response that is held until the test
 * releases it.
 */
type Page = string | { markdown: string } | { pdf: Buffer } | { status: number } | { broken: true } | { hold: true };

/** A small site on loopback whose pages the test sets, and that records its requests. */
async function openSite() {
  const pages = new Map<string, Page>();
  const requests: { path: string; conditional: boolean; status: number }[] = [];
  const held = new Set<ServerResponse>();
  const server = createServer((request, response) => {
    const path = request.url!;
    const page = pages.get(path);
    const body = typeof page === 'string' ? page : page && 'pdf' in page ? page.pdf : undefined;
    const type = typeof page === 'string' ? 'text/html' : 'application/pdf';
    const etag = body && `"${textHash(body.toString('latin1'))}"`;
    const known = request.headers['if-none-match'];
    const answer = (status: number, body: string | Buffer = '') => {
      requests.push({ path, conditional: known !== undefined, status });
      response.writeHead(status, { 'content-type': type, ...(etag && { etag }) }).end(body);
    };
    if (page === undefined) answer(404);
    else if (body !== undefined) known === etag ? answer(304) : answer(200, body);
    else if (typeof page === 'string' || 'broken' in page) request.socket.destroy();
    else if ('status' in page) answer(page.status);
    else if ('markdown' in page) response.writeHead(200, { 'content-type': 'text/markdown' }).end(page.markdown);
    else if ('hold' in page) held.add(response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    pages,
    requests,
    held,
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/`,
    reset() {
      for (const response of held) response.destroy();
      held.clear();
      pages.clear();
      requests.length = 0;
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** A corpus, a site, and trainers that use them. */
export async function trainerWorld() {
  const world = await corpusWorld();
  const prefix = world.database.replace(/_corpus$/, '');
  const site = await openSite();
  const log = createLog('test', 'silent');
  const account = randomId();
  const objectsDir = await mkdtemp(join(tmpdir(), 'parley-trainer-'));
  const config: TrainerConfig = {
    name: 'trainer',
    mongodb: { uri: world.uri, database: world.database },
    bus: { mongodb: { uri: world.uri, database: `${prefix}_bus` } },
    logLevel: 'silent',
    graceMs: 1_000,
    objects: { dir: objectsDir },
    embedding: { use: 'none', tokensPerDay: Infinity },
    index: { dir: join(objectsDir, 'index'), maxBytes: 1_000_000_000 },
    indexBytes: Infinity,
    crawlAllow: parseAllowList(site.host),
    crawlLimits: { pages: 50, depth: 5, bytes: 10_000_000, millis: 60_000, concurrency: 2, perHostDelayMs: 0 },
    trainingLimits: { pageChunks: 5_000, itemChunks: 20_000, accountChunks: 50_000, millis: 600_000 },
    documentLimits: { pages: 5_000, rows: 50_000, characters: 20_000_000 },
    documentMemoryMb: 192,
    documentMs: 30_000,
    youtube: {},
    concurrency: 1,
    reembeds: true,
  };
  const bus = openBus(config.bus, log, createMetrics());
  const relay = createRelay({ collection: world.corpus.collections.items.unlisted, bus, log });
  const ends: Event[] = [];
  bus.subscribe({
    topic: KNOWLEDGE_TOPIC,
    group: 'test',
    async handle({ value }) {
      const event = fromBinary(EventSchema, value);
      if (event.payload.case === 'trainingCompleted' || event.payload.case === 'trainingFailed') ends.push(event);
    },
  });
  await bus.start();
  await relay.start();
  const objects = createDirectoryStore({ dir: objectsDir });
  await objects.start?.(new AbortController().signal);
  const trainers: Process[] = [];
  // One pool for all trainers of the file: its processes are slow to start.
  const readers = createReaders();
  const lasting = { ...readers, close: async () => {} };
  const children: ChildProcess[] = [];

  /** The passages of the live build, in order. */
  async function chunks(id: string): Promise<NewChunk[]> {
    const { account, live } = (await world.stored(id))!;
    const found = await storedChunks(objects, account, live!.build);
    expect(found).toHaveLength(live!.chunks);
    return found;
  }

  /** A trainer in its own process, as in production. With `step`, it hangs there. */
  function spawnTrainer(step?: string, more: Record<string, string> = {}): ChildProcess {
    const program = step ? './dying-trainer.ts' : '../main.ts';
    const variables = {
      MONGODB_URI: world.uri,
      MONGODB_DATABASE_PREFIX: prefix,
      OBJECTS_DIR: objectsDir,
      INDEX_DIR: config.index.dir,
      EMBEDDINGS: 'none',
      CRAWL_ALLOW: site.host,
      CRAWL_DELAY_MS: '0',
      ...more,
    };
    const path = fileURLToPath(new URL(program, import.meta.url));
    const child = spawn(process.execPath, [path, ...(step ? [step] : [])], {
      env: { ...process.env, NODE_OPTIONS: '', ...variables },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    children.push(child);
    return child;
  }

  return {
    ...world,
    account,
    site,
    config,
    objectsDir,
    /** The ids of the events of completed and failed trainings of the item. */
    ends: (id: string): string[] => ends.filter(({ entityId }) => entityId === id).map((event) => event.id),
    spawnTrainer,
    async startTrainer(overrides: Partial<Dependencies> = {}, settings: Partial<TrainerConfig> = {}) {
      const trainer = createTrainer({ ...config, ...settings }, { readers: lasting, ...overrides });
      trainers.push(trainer);
      await trainer.start();
      return trainer;
    },
    async train(id: string) {
      await world.corpus.training.request(account, id, randomId());
      relay.wake();
    },
    /** A website item for the site, with a training requested. */
    async website(of = account): Promise<KnowledgeItemDoc> {
      const website = { base_url: site.url };
      const item = await world.corpus.items.create(of, randomId(), { type: 'website', website });
      await world.corpus.training.request(of, item._id, randomId());
      relay.wake();
      return item;
    },
    /** A finalized document with a training requested. */
    async document(file_type: string, file: Uint8Array, file_name: string | null = null, of = account) {
      const { items, documents } = world.corpus;
      const item = await items.create(of, randomId(), {
        type: 'document',
        document: newDocument({ file_type, file_name }),
      });
      const key = await documents.begin(of, item._id, randomId());
      const { size: bytes, sha256 } = await objects.put(key, file);
      await documents.complete(of, item._id, { key, bytes, sha256 });
      await documents.finalize(of, item._id, key);
      await world.corpus.training.request(of, item._id, randomId());
      relay.wake();
      return item;
    },
    /** Settings of a video with an uploaded transcript. */
    async uploaded(text: string): Promise<VideoSettings> {
      const key = transcriptKey(account, randomId(), randomId());
      const { size: bytes, sha256 } = await objects.put(key, Buffer.from(text));
      return { transcript: { key, bytes, sha256 } };
    },
    /** A video item with a training requested. */
    async video(settings: VideoSettings = {}, of = account) {
      const video = { video_id: 'dQw4w9WgXcQ', video_url: 'https://youtu.be/dQw4w9WgXcQ', ...settings };
      const item = await world.corpus.items.create(of, randomId(), { type: 'video', video });
      await world.corpus.training.request(of, item._id, randomId());
      relay.wake();
      return item;
    },
    objects,
    /** The item, once its training has ended. */
    ended: async (id: string) =>
      (await until(
        () => world.stored(id),
        (item) => item?.training.state === 'idle',
      ))!,
    subPages: async (id: string) =>
      (await world.corpus.subPages.page(account, id, { limit: 100, nextCursor: '' })).items,
    chunks,
    /** The texts of the live build. */
    texts: async (id: string): Promise<string[]> => (await chunks(id)).map(({ text }) => text),
    async reset() {
      site.reset();
      for (const child of children.splice(0)) child.kill('SIGKILL');
      await world.emptyQueue();
    },
    async close() {
      for (const trainer of trainers) await trainer.stop();
      await readers.close();
      await relay.stop();
      await bus.stop();
      site.close();
      await world.close();
      await rm(objectsDir, { recursive: true, force: true });
    },
  };
}

export const page = (title: string, text: string, links: string[] = []): string =>
  `<html><head><title>${title}</title></head><body><main><h1>${title}</h1><p>${text.padEnd(80, '. ')}</p>${links
    .map((href) => `<a href="${href}">${href}</a>`)
    .join(' ')}</main></body></html>`;

/** Resolves when the process logs the words. */
export async function logged(child: ChildProcess, words: string): Promise<void> {
  for await (const line of createInterface(child.stderr!)) if (line.includes(words)) return;
  throw new Error(`the process ended without logging: ${words}`);
}
