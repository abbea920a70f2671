import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { MongoClient } from 'mongodb';
import { startEngine } from './start-engine.ts';

const FIXTURE = fileURLToPath(new URL('./start-engine.fixture.ts', import.meta.url));
const IMPATIENT = { serverSelectionTimeoutMS: 500 };

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-engine-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

/** Eight writers insert until the engine is gone; `cut` is called once while they do. */
async function writeUntil(cut: () => void, uri: string): Promise<number[]> {
  const client = new MongoClient(uri, IMPATIENT);
  const acknowledged: number[] = [];
  let next = 0;
  const writer = async () => {
    for (;;) {
      const { insertedId } = await client.db('test').collection<{ _id: number }>('writes').insertOne({ _id: next++ });
      if (acknowledged.push(insertedId) === 500) cut();
    }
  };
  await Promise.allSettled(Array.from({ length: 8 }, writer));
  await client.close();
  return acknowledged;
}

async function missing(ids: number[]): Promise<number[]> {
  const engine = await startEngine({ dataDir });
  const client = new MongoClient(engine.uri, IMPATIENT);
  const found = await client.db('test').collection<{ _id: number }>('writes').distinct('_id');
  await client.close();
  await engine.stop();
  const kept = new Set(found);
  return ids.filter((id) => !kept.has(id));
}

async function startInAnotherProcess() {
  const parent = spawn(process.execPath, [FIXTURE, dataDir], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(parent.stdout, 'data')) as [Buffer];
  return { parent, ...(JSON.parse(line.toString()) as { uri: string; pid: number }) };
}

test('the death of an engine is detected, and the next one has every acknowledged write', async () => {
  const engine = await startEngine({ dataDir });
  const acknowledged = await writeUntil(() => process.kill(engine.pid, 'SIGKILL'), engine.uri);
  expect(await engine.exited).toBeNull();
  expect(acknowledged.length).toBeGreaterThanOrEqual(500);
  expect(await missing(acknowledged)).toEqual([]);
  await engine.stop();
});

test('an engine whose parent was killed releases its data, and the next one has every acknowledged write', async () => {
  const { parent, uri } = await startInAnotherProcess();
  const acknowledged = await writeUntil(() => parent.kill('SIGKILL'), uri);
  expect(await missing(acknowledged)).toEqual([]);
});

test('killing everything at once loses no acknowledged write, and leaves no socket behind after the next stop', async () => {
  const { parent, uri, pid } = await startInAnotherProcess();
  const killBoth = () => {
    parent.kill('SIGKILL');
    process.kill(pid, 'SIGKILL');
  };
  expect(await missing(await writeUntil(killBoth, uri))).toEqual([]);
  expect(await readdir(join(dataDir, 'run'))).toEqual([]);
});

test('SIGTERM closes the database and ends the process with 0', async () => {
  const engine = await startEngine({ dataDir });
  process.kill(engine.pid, 'SIGTERM');
  expect(await engine.exited).toBe(0);
});

test('a data directory in use is refused with a message that says so', async () => {
  const engine = await startEngine({ dataDir });
  await expect(startEngine({ dataDir })).rejects.toThrow(
    `The data directory ${dataDir} is in use by another running Parley. Stop that one, or set PARLEY_DATA to another directory.`,
  );
  await engine.stop();
});

test('a data directory works even if its path is too long for a socket', async () => {
  const engine = await startEngine({ dataDir: join(dataDir, 'long-'.repeat(25)) });
  const client = new MongoClient(engine.uri, IMPATIENT);
  expect(await client.db('test').command({ ping: 1 })).toEqual({ ok: 1 });
  await client.close();
  await engine.stop();
});

test('a data directory that can’t be created is refused with a message that says so', async () => {
  await expect(startEngine({ dataDir: '/dev/null/parley' })).rejects.toThrow(
    "/dev/null/parley/mongodb can't be created (ENOTDIR). Set PARLEY_DATA",
  );
});
