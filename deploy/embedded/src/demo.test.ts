import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { runAccountProgram } from '@parley/auth';
import { freshDatabase } from '@parley/runtime/testing';
import { type Parley, type ParleyOptions, startParley } from './start-parley.ts';

const { uri, name } = freshDatabase();
let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-demo-'));
});
afterAll(() => rm(dataDir, { recursive: true }));

const start = (options: Partial<ParleyOptions> = {}) => {
  const variables = { MONGODB_URI: uri, MONGODB_DATABASE_PREFIX: name, EMBEDDINGS: 'none', LOG_LEVEL: 'silent' };
  return startParley({ dataDir, port: 0, demo: { port: 0 }, variables, ...options });
};

async function list<T>({ baseUrl, demo }: Parley, path: string): Promise<T[]> {
  const headers = { authorization: `Bearer ${demo!.key}` };
  const { data } = (await (await fetch(`${baseUrl}/v1${path}`, { headers })).json()) as { data: T[] | { items: T[] } };
  return Array.isArray(data) ? data : data.items;
}

test('the next start continues one that was interrupted while training, and creates nothing twice', async () => {
  const cut = new AbortController();
  const cutWhileTraining = (line: string) => line.startsWith('Training') && cut.abort();
  await expect(start({ say: cutWhileTraining, signal: cut.signal })).rejects.toThrow('abort');
  await expect(access(join(dataDir, 'demo-key'))).rejects.toThrow('ENOENT');

  const lines: string[] = [];
  const parley = await start({ say: (line) => void lines.push(line) });
  // The last line of its progress is what was trained.
  expect(lines.at(-1)).toBe('Training the demo handbook … 8 of 8 pages');
  expect(parley.demo).toMatchObject({ isNew: true, key: (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim() });
  expect(await list(parley, '/knowledge')).toHaveLength(1);
  expect(await list(parley, '/chatbots')).toHaveLength(1);
  expect(await list(parley, `/chatbot/${parley.demo!.publicId}/knowledge`)).toHaveLength(1);
  await parley.stop();
});

test('a demo account that was deleted stays deleted, and the start says so', async () => {
  await using database = freshDatabase();
  const variables = {
    MONGODB_URI: uri,
    MONGODB_DATABASE_PREFIX: database.name,
    EMBEDDINGS: 'none',
    LOG_LEVEL: 'silent',
  };
  const first = await start({ variables });
  const headers = { authorization: `Bearer ${first.demo!.key}` };
  const me = (await (await fetch(`${first.baseUrl}/v1/me`, { headers })).json()) as {
    data: { account: { id: string } };
  };
  const { auth } = first.endpoints;
  const system = { auth, secret: first.secret, data: () => first.endpoints };
  const output = { stdout: { write: () => {} }, stderr: process.stderr };
  const args = ['delete', me.data.account.id];
  expect(await runAccountProgram({ args, command: '', find: async () => system, away: '', output })).toBe(0);
  await first.stop();

  const said: string[] = [];
  const second = await start({ variables, say: (line) => void said.push(line) });
  expect(second.demo).toBeUndefined();
  expect(said).toContain('The demo account was deleted and stays deleted.');
  await second.stop();
});

test('a key deleted from the data directory is replaced, and a deleted handbook stays deleted', async () => {
  const first = await start();
  await first.stop();
  const before = await start();
  expect(before.demo).toMatchObject({ key: first.demo!.key, isNew: false });
  const [item] = await list<{ id: string }>(before, '/knowledge');
  const headers = { authorization: `Bearer ${before.demo!.key}` };
  await fetch(`${before.baseUrl}/v1/knowledge/${item!.id}`, { method: 'DELETE', headers });
  await rm(before.demo!.keyFile);
  await before.stop();

  const after = await start();
  expect(after.demo).toMatchObject({ publicId: before.demo!.publicId, isNew: true });
  expect(await list(after, '/knowledge')).toEqual([]);
  const old = await fetch(`${after.baseUrl}/v1/me`, { headers });
  expect([old.status, after.demo!.key === before.demo!.key]).toEqual([401, false]);
  await after.stop();
});

test('if another program has the handbook’s port, a message says so, and everything else works; a revoked first key stays revoked, and the next start says so', async () => {
  const other = createServer().listen(Number(await readFile(join(dataDir, 'demo-port'), 'utf8')), '127.0.0.1');
  await once(other, 'listening');
  const lines: string[] = [];
  const before = await start({ say: (line) => lines.push(line) });
  expect(lines).toContainEqual(expect.stringContaining('Another program has taken the port of the demo handbook'));
  expect(await list(before, '/chatbots')).toHaveLength(1);
  other.close();

  const headers = { authorization: `Bearer ${before.demo!.key}` };
  const [first] = await list<{ id: string }>(before, '/api-keys');
  await fetch(`${before.baseUrl}/v1/api-key/${first!.id}`, { method: 'DELETE', headers });
  await before.stop();
  const after = await start({ say: (line) => lines.push(line) });
  expect(lines).toContainEqual(expect.stringContaining('was revoked'));
  expect(after.demo).toMatchObject({ publicId: before.demo!.publicId, isNew: false });
  await after.stop();
});
