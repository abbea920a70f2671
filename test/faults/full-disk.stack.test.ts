import { mkdir, mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, jest, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { freePort } from '../../deploy/stack/server.ts';
import { createAccount } from '../e2e/account.ts';
import { keyed, must } from '../e2e/api.ts';
import type { KnowledgeItem } from '../e2e/resources.ts';
import { firstKey } from '../e2e/world.ts';
import { firing, scrape } from './alerts.ts';
import { type Child, startProgram } from './child.ts';

// A process starts slowly on a busy machine.
jest.setTimeout(90_000);

const DISK = '16m';
const BLOCK = Buffer.alloc(4_096);

/** Runs what follows in a mount namespace of its own, where each of these folders is a small disk. */
const onSmallDisks = (folders: string[]): string[] => {
  const mounts = folders.map((folder) => `mount -t tmpfs -o size=${DISK} tmpfs '${folder}'`);
  return ['unshare', '--map-root-user', '--mount', 'sh', '-c', [...mounts, 'exec "$@"'].join(' && '), 'sh'];
};

/** Fills the disk of a folder as that process sees it; returns what frees it again. */
async function fill({ pid }: Child, folder: string): Promise<() => Promise<void>> {
  const path = join(`/proc/${pid}/root`, folder, 'filler');
  const file = await open(path, 'w');
  const written = async () => {
    for (;;) await file.write(BLOCK);
  };
  await expect(written()).rejects.toThrow('ENOSPC');
  await file.close();
  return () => rm(path);
}

test('with full disks questions are answered, uploads are refused for now, the alert fires, and trainings wait for room', async () => {
  await using stops = new AsyncDisposableStack();
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-full-'));
  stops.defer(() => rm(dataDir, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 }));
  const folders = ['objects', 'index'].map((name) => join(dataDir, name));
  for (const folder of folders) await mkdir(folder);
  const opsPort = await freePort();
  const variables = { PARLEY_DATA: dataDir, PORT: '0', DEMO: 'false', MONGODB_URI: '', EMBEDDINGS: 'none' };
  const settings = { ...variables, OPS_PORT: String(opsPort), OPENAI_BASE_URL: '', OPENAI_API_KEY: '' };
  const parley = startProgram('deploy/embedded/src/main.ts', settings, onSmallDisks(folders));
  stops.defer(() => parley.end('SIGTERM'));
  await parley.line('Parley runs');
  const endpoints = JSON.parse(await readFile(join(dataDir, 'endpoints.json'), 'utf8'));
  const key = await firstKey({ endpoints, secret: await readFile(join(dataDir, 'secret'), 'utf8') }, 'Cleo');
  const { api, ...account } = createAccount(keyed(endpoints.gateway, key), key);
  const QUESTION = 'Where is the key?';
  const faq = await account.faq('Keys', { [QUESTION]: 'The key is under the mat.' });
  await account.train(faq);
  const bot = await account.chatbot(faq);
  const processes = [{ name: 'parley', ops: `http://127.0.0.1:${opsPort}` }];
  const quiet = await scrape(processes);
  const upload = async () => {
    const type = { file_type: 'text/plain', file_name: 'note.txt' };
    const made = must(await api.post<KnowledgeItem & { upload_url: string }>('/knowledge/document', type));
    const answer = await fetch(made.upload_url, { method: 'PUT', body: Buffer.alloc(100_000, 'The spare key. ') });
    return { status: answer.status, text: await answer.text() };
  };

  const [freeObjects, freeIndex] = [await fill(parley, folders[0]!), await fill(parley, folders[1]!)];
  expect(await upload()).toEqual({ status: 503, text: expect.stringContaining('The file store is unavailable') });
  expect(firing(quiet, await scrape(processes))).toMatchObject({
    ParleyDependencyDown: expect.arrayContaining([{ dependency: 'object store writes', pod: 'parley' }]),
  });
  expect((await account.ask(bot, QUESTION)).message).toContain('under the mat');
  const waiting = await account.faq('Waits', { 'Why?': 'The disk is full.' });
  must(await api.put(`/knowledge/${waiting.id}/train`));
  const look = async () => must(await api.get<KnowledgeItem>(`/knowledge/${waiting.id}`));
  const { training_notes, is_training } = await until(look, (item) => item.training_notes.length > 0);
  expect([is_training, training_notes]).toEqual([
    true,
    ['The disk of the trainer is full (INDEX_DIR). The training will be tried again by itself.'],
  ]);

  await freeIndex();
  await freeObjects();
  expect(await account.settled(waiting)).toMatchObject({ training_failed_with: null, trained_at: expect.any(String) });
  expect(await upload()).toMatchObject({ status: 200 });
  await until(
    async () => firing(quiet, await scrape(processes)),
    (alerts) => Object.keys(alerts).length === 0,
  );
});
