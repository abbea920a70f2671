import { once } from 'node:events';
import { access, mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase } from '@parley/embedded/testing';
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

test('a start that is cut off while it trains is continued by the next, and nothing is made twice', async () => {
  const cut = new AbortController();
  const cutWhileTraining = (line: string) => line.startsWith('Training') && cut.abort();
  await expect(start({ say: cutWhileTraining, signal: cut.signal })).rejects.toThrow('abort');
  await expect(access(join(dataDir, 'demo-key'))).rejects.toThrow('ENOENT');

  const parley = await start();
  expect(parley.demo).toMatchObject({ isNew: true, key: (await readFile(join(dataDir, 'demo-key'), 'utf8')).trim() });
  expect(await list(parley, '/knowledge')).toHaveLength(1);
  expect(await list(parley, '/chatbots')).toHaveLength(1);
  expect(await list(parley, `/chatbot/${parley.demo!.publicId}/knowledge`)).toHaveLength(1);
  await parley.stop();
});

test('a key that was deleted from the data directory is given again, and a handbook that was deleted stays so', async () => {
  const before = await start();
  const [item] = await list<{ id: string }>(before, '/knowledge');
  const headers = { authorization: `Bearer ${before.demo!.key}` };
  await fetch(`${before.baseUrl}/v1/knowledge/${item!.id}`, { method: 'DELETE', headers });
  await rm(before.demo!.keyFile);
  await before.stop();

  const after = await start();
  expect(after.demo).toMatchObject({ key: before.demo!.key, publicId: before.demo!.publicId, isNew: true });
  expect(await list(after, '/knowledge')).toEqual([]);
  await after.stop();
});

test('where another program has the handbook’s port, a line says so, and all else works', async () => {
  const other = createServer().listen(Number(await readFile(join(dataDir, 'demo-port'), 'utf8')), '127.0.0.1');
  await once(other, 'listening');
  const lines: string[] = [];
  const parley = await start({ say: (line) => lines.push(line) });
  expect(lines).toContainEqual(expect.stringContaining('Another program has taken the port of the demo handbook'));
  expect(await list(parley, '/chatbots')).toHaveLength(1);
  await parley.stop();
  other.close();
});
