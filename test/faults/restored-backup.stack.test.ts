import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startParley } from '@parley/embedded';
import { fingerprintsOf, restoreBackup, saveBackup } from '@parley/runtime/backup';
import { createDirectoryStore } from '@parley/runtime/objects';
import { until } from '@parley/runtime/testing';
import { MongoClient } from 'mongodb';
import { writePrivate } from '../../deploy/embedded/src/data-dir.ts';
import { startEngine } from '../../deploy/embedded/src/engine/start-engine.ts';
import { createAccount } from '../e2e/account.ts';
import { keyed, must } from '../e2e/api.ts';
import type { Page } from '../e2e/resources.ts';
import { world } from '../e2e/world.ts';

const QUESTION = 'Where is the key?';
const SILENT = { signal: new AbortController().signal, say: () => {} };

interface Acknowledged {
  path: string;
  /** When the client had the answer. */
  at: number;
}

test('what was acknowledged before the point of a backup that was made under load is there after a restore, and is answered from', async () => {
  await using stops = new AsyncDisposableStack();
  const before = await world({ embeddings: 'none' });
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await before.stop();
    isStopped = true;
  };
  stops.defer(stop);
  const { a, parley } = before;
  const dir = await mkdtemp(join(tmpdir(), 'parley-restored-'));
  stops.defer(() => rm(dir, { recursive: true, force: true }));
  const backups = createDirectoryStore({ dir: join(dir, 'backups') });

  await backups.start!(SILENT.signal);

  const faq = await a.faq('Keys', { [QUESTION]: 'The key is under the mat.' });
  await a.train(faq);
  const bot = await a.chatbot(faq);

  const written: Acknowledged[] = [];
  const removed: Acknowledged[] = [];
  const failures: unknown[] = [];
  let running = true;
  const done = (to: Acknowledged[], path: string) => void to.push({ path, at: Date.now() });
  async function write() {
    const made = must(await a.api.post<{ id: string }>('/knowledge/faq', { title: 'Written under load' }));
    done(written, `/knowledge/${made.id}`);
    const { id } = must(await a.api.post<{ id: string }>('/knowledge/faq', { title: 'Deleted at once' }));
    must(await a.api.del(`/knowledge/${id}`));
    done(removed, `/knowledge/${id}`);
    const chat = await a.ask(bot, QUESTION);
    done(written, `/chatbot/${bot.id}/chats/${chat.id}`);
    const training = await a.faq('Trained', { [QUESTION]: 'Nobody knows.' });
    must(await a.api.put(`/knowledge/${training.id}/train`));
  }
  async function load() {
    while (running) await write().catch((error) => void failures.push(error));
  }
  const loaded = Promise.all([load(), load()]);
  await until(() => written.length > 10 || failures.length > 0);
  const secrets = { fingerprints: fingerprintsOf(parley.secret, parley.secret)[0] };
  const documents = { client: before.mongo, prefix: 'parley_' };
  const options = { name: 'under-load', pauseMs: 60_000, secrets, ...SILENT };
  const { point } = await saveBackup({ documents, objects: before.objects, backups }, options);
  const later = written.length;
  await until(() => written.length > later + 4 || failures.length > 0);
  running = false;
  await loaded;
  expect(failures).toEqual([]);
  await stop();

  const engine = await startEngine({ dataDir: dir });
  stops.defer(engine.stop);
  const mongo = new MongoClient(engine.uri);
  stops.defer(() => mongo.close());
  const objects = createDirectoryStore({ dir: join(dir, 'objects') });
  await objects.start!(SILENT.signal);
  const restored = { documents: { client: mongo, prefix: 'parley_' }, objects, backups };
  await restoreBackup(restored, { name: 'under-load', accepted: [secrets.fingerprints], ...SILENT });
  await writePrivate(join(dir, 'secret'), parley.secret);
  const variables = { MONGODB_URI: engine.uri, EMBEDDINGS: 'none', LOG_LEVEL: 'error' };
  const after = await startParley({ dataDir: dir, port: 0, variables });
  stops.defer(after.stop);

  const { api, ask, train } = createAccount(keyed(after.endpoints.gateway, a.key), a.key);
  const untilPoint = ({ at }: Acknowledged) => at < Date.parse(point);
  const statuses = async (all: Acknowledged[]) =>
    new Set(await Promise.all(all.filter(untilPoint).map(async ({ path }) => (await api.get(path)).status)));
  expect(written.filter(untilPoint).length).toBeGreaterThan(10);
  expect(await statuses(written)).toEqual(new Set([200]));
  expect(await statuses(removed)).toEqual(new Set([404]));
  expect((await ask(bot, QUESTION)).message).toContain('under the mat');

  // Trainings that had not ended go on, and facts that nobody had been told of are told.
  await until(
    async () => !(await mongo.db('parley_knowledge').collection('knowledge_items').findOne({ is_training: true })),
  );
  const told = async () => {
    const ids = new Set<string>();
    const feed = '/events?types=knowledge.created&limit=100';
    let page: Page<{ data: { knowledge_id: string } }> | undefined;
    do {
      const cursor: string = page ? `&next_cursor=${page.next_cursor}` : '';
      page = must(await api.get<Page<{ data: { knowledge_id: string } }>>(feed + cursor));
      for (const { data } of page.items) ids.add(`/knowledge/${data.knowledge_id}`);
    } while (page.has_more);
    return written.filter(untilPoint).every(({ path }) => !path.startsWith('/knowledge/') || ids.has(path));
  };
  await until(told);
  expect(await train(faq)).toMatchObject({ is_training: false, training_failed_at: null });
});
