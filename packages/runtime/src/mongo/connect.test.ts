import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeEach, expect, test } from '@jest/globals';
import { type Db, MongoClient, MongoNetworkError } from 'mongodb';
import { pino } from 'pino';
import { VERSION } from '../release.ts';
import { freshDatabase, until } from '../testing/index.ts';
import { openMongo } from './connect.ts';
import type { Migration } from './migrations.ts';

const server = freshDatabase();
const client = new MongoClient(server.uri);
const never = new AbortController().signal;
let tests = 0;
let database: string;
beforeEach(() => {
  database = `${server.name}_${++tests}`;
});
afterAll(async () => {
  for (let i = 1; i <= tests; i++) await client.db(`${server.name}_${i}`).dropDatabase();
  await client.close();
});

function logLines() {
  const lines: { msg: string; migration?: number; name?: string; seconds?: number }[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { lines, log };
}

const applied = async () => (await client.db(database).collection('migrations').find().toArray()).map(({ _id }) => _id);

/** Keeps the server busy with one operation that lasts longer than `ms`. */
async function operationLongerThan(db: Db, ms: number) {
  for (let size = 500; ; size *= 2) {
    // By a field; otherwise the server would compute it once, in no time.
    const range = { $range: [0, '$size'] };
    const sum = { $reduce: { input: range, initialValue: 0, in: { $size: range } } };
    const began = performance.now();
    await db.aggregate([{ $documents: [{ size }] }, { $project: { sum } }]).toArray();
    if (performance.now() - began > ms) return;
  }
}

test('a migration may take longer than any other operation, and the log says which one is running', async () => {
  const operationMs = 1_000;
  const { lines, log } = logLines();
  let refused: unknown;
  const slow: Migration = {
    number: 1,
    name: 'a slow one',
    beside: '0.1.0',
    async run(db) {
      // Like any other operation.
      refused = await operationLongerThan(mongo.db, 3 * operationMs).catch((error) => error);
      await operationLongerThan(db, 2 * operationMs);
    },
  };
  const options = { operationMs, sayEveryMs: 200 };
  const mongo = openMongo({ uri: server.uri, database }, [slow], log, options);
  await mongo.start?.(never);
  await mongo.stop?.();
  expect(refused).toMatchObject({ name: 'MongoNetworkTimeoutError' });
  expect(await applied()).toEqual([1]);
  const said = lines.filter(({ msg }) => msg.includes('still running'));
  expect(said.length).toBeGreaterThan(2);
  expect(said.at(-1)).toMatchObject({ database, migration: 1, name: 'a slow one', seconds: expect.any(Number) });
});

test('a migration that loses its server is retried until it succeeds', async () => {
  let runs = 0;
  const flaky: Migration = {
    number: 1,
    name: 'flaky',
    beside: '0.1.0',
    async run() {
      if (++runs < 3) throw new MongoNetworkError('connection closed');
    },
  };
  const mongo = openMongo({ uri: server.uri, database }, [flaky], logLines().log);
  await mongo.start?.(never);
  await mongo.stop?.();
  expect(runs).toBe(3);
  expect(await applied()).toEqual([1]);
});

test('a migration that fails permanently fails the start with its error', async () => {
  const wrong: Migration = {
    number: 1,
    name: 'wrong',
    beside: '0.1.0',
    run: () => Promise.reject(new TypeError('a bug')),
  };
  const mongo = openMongo({ uri: server.uri, database }, [wrong], logLines().log);
  await expect(mongo.start?.(never)).rejects.toThrow('a bug');
  await mongo.stop?.();
});

test('aborting a migration releases its lease at once and ends its operations', async () => {
  const stopping = new AbortController();
  let work: Promise<unknown> | undefined;
  const long: Migration = {
    number: 1,
    name: 'long',
    beside: '0.1.0',
    async run(db) {
      work = operationLongerThan(db, 60_000).catch((error) => error);
      stopping.abort(new Error('stopping'));
      await work;
    },
  };
  const mongo = openMongo({ uri: server.uri, database }, [long], logLines().log);
  await expect(mongo.start?.(stopping.signal)).rejects.toThrow('stopping');
  await mongo.stop?.();
  expect(await work).toBeInstanceOf(Error);
  const quick: Migration = { number: 1, name: 'long', beside: '0.1.0', run: async () => {} };
  const next = openMongo({ uri: server.uri, database }, [quick], logLines().log);
  await next.start?.(AbortSignal.timeout(15_000));
  await next.stop?.();
  expect(await applied()).toEqual([1]);
});

const PROGRAM = fileURLToPath(new URL('./testing/migrating.ts', import.meta.url));

/** Runs the program in its own process. */
function startChild(uri: string, ...more: string[]) {
  const child = spawn(process.execPath, [PROGRAM, uri, database, ...more], {
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 50_000,
    killSignal: 'SIGKILL',
  });
  const lines: string[] = [];
  child.stdout.on('data', (chunk) => lines.push(...String(chunk).trim().split('\n')));
  const log = text(child.stderr);
  const ended = once(child, 'close').then(async ([code]) => ({ code, lines, log: await log }));
  return { child, lines, ended };
}

/** Longer than a stop takes, shorter than any limit that would end a stuck one. */
const PROMPT_MS = 8_000;

async function stopped(child: ReturnType<typeof startChild>) {
  const asked = performance.now();
  child.child.kill('SIGTERM');
  const { code, lines, log } = await child.ended;
  return { code, lines, fatal: log.includes('"fatal"'), prompt: performance.now() - asked < PROMPT_MS };
}

test('a process that is stopped during a migration stops its components and exits cleanly', async () => {
  const child = startChild(server.uri, 'endless');
  await until(() => child.lines.includes('migrating'));
  const lines = ['first started', 'migrating', 'first stopped'];
  expect(await stopped(child)).toEqual({ code: 0, lines, fatal: false, prompt: true });
});

test.each(['refuses connections', 'never answers'])(
  'a process that is stopped while it waits for a MongoDB that %s exits cleanly',
  async (how) => {
    const sockets = createServer();
    await once(sockets.listen(0, '127.0.0.1'), 'listening');
    const { port } = sockets.address() as AddressInfo;
    if (how === 'refuses connections') sockets.close();
    const child = startChild(`mongodb://127.0.0.1:${port}/`);
    await until(() => child.lines.includes('first started'));
    const lines = ['first started', 'first stopped'];
    expect(await stopped(child)).toEqual({ code: 0, lines, fatal: false, prompt: true });
    sockets.close();
  },
);

test('a process refuses a database that a newer release has migrated, names it in its message, and exits', async () => {
  const migrations = client.db(database).collection<{ _id: number; name: string }>('migrations');
  await migrations.insertMany([
    { _id: 1, name: 'quick' },
    { _id: 7, name: 'from the future' },
  ]);
  const { code, lines, log } = await startChild(server.uri).ended;
  expect({ code, lines }).toEqual({ code: 78, lines: ['first started', 'first stopped'] });
  const fatal = log.split('\n').find((line) => line.includes('"fatal"'))!;
  expect(JSON.parse(fatal)).toEqual({
    level: 'fatal',
    time: expect.any(String),
    service: 'test',
    msg: `The database ${database} was migrated by a newer release of Parley (migration 7, from the future), on whose data no older release runs; this is ${VERSION}. Run that release or a later one, or restore a backup from before the upgrade.`,
  });
});

test('connections that a burst of operations opened are closed once they are idle', async () => {
  const mongo = openMongo({ uri: server.uri, database }, [], pino({ level: 'silent' }), { idleMs: 300 });
  let [opened, closed] = [0, 0];
  mongo.db.client.on('connectionCreated', () => opened++).on('connectionClosed', () => closed++);
  await mongo.start?.(never);
  await Promise.all(Array.from({ length: 20 }, () => mongo.db.collection('any').findOne()));
  try {
    expect(opened).toBeGreaterThan(5);
    await until(() => opened - closed <= 1, Boolean, 20_000);
    await mongo.ready?.();
  } finally {
    await mongo.stop?.();
  }
});
