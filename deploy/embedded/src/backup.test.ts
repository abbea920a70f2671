import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { fingerprintsOf, keepNewest, restoreBackup, saveBackup } from '@parley/runtime/backup';
import { createDirectoryStore, type ObjectStore, readObject } from '@parley/runtime/objects';
import { Binary, Decimal128, Double, Int32, Long, MongoClient } from 'mongodb';
import { writePrivate } from './data-dir.ts';
import { startEngine } from './engine/start-engine.ts';

const dir = await mkdtemp(join(tmpdir(), 'parley-backups-'));
// Of its own: a backup lets all writes wait.
const engine = await startEngine({ dataDir: dir });
const client = new MongoClient(engine.uri);
afterAll(async () => {
  await client.close();
  await engine.stop();
  await rm(dir, { recursive: true, force: true });
});

const SILENT = { signal: new AbortController().signal, say: () => {} };
const MINE = fingerprintsOf('s'.repeat(64), 'p'.repeat(64));
const SECRETS = { fingerprints: MINE[0] };
const OPTIONS = { name: 'one', pauseMs: 60_000, secrets: SECRETS, ...SILENT };

/** Empty stores, and one of backups. */
async function system() {
  const prefix = `${randomBytes(6).toString('hex')}_`;
  const store = async (name: string) => {
    const opened = createDirectoryStore({ dir: join(dir, prefix, name) });
    await opened.start!(SILENT.signal);
    return opened;
  };
  return { documents: { client, prefix }, objects: await store('objects'), backups: await store('backups') };
}

const restore = (stores: Awaited<ReturnType<typeof system>>, more: { force?: boolean } = {}) =>
  restoreBackup(stores, { name: 'one', accepted: MINE, ...SILENT, ...more });

const DOCUMENT = {
  ...{ _id: 'ä', int: new Int32(1), double: new Double(1), long: Long.fromString('9007199254740993') },
  ...{ bytes: new Binary(Buffer.from([0, 1])), date: new Date(0), none: null, nested: { list: [new Double(-0), ''] } },
  ...{ decimal: Decimal128.fromString('1.10'), pattern: /a/i },
};

/** A system with something in it, backed up as `one`. */
async function backedUp() {
  const stores = await system();
  const things = client.db(`${stores.documents.prefix}auth`).collection<{ _id: unknown }>('things');
  await things.insertMany([
    DOCUMENT,
    ...Array.from({ length: 1_200 }, (_, i) => ({ _id: `${i}`, text: 'x'.repeat(9_000) })),
  ]);
  await things.createIndex(
    { text: 1 },
    { name: 'texts', unique: false, partialFilterExpression: { text: { $exists: true } } },
  );
  await stores.objects.put('accounts/a/page.html', Buffer.from('Text'), { contentType: 'text/html' });
  await saveBackup(stores, OPTIONS);
  const { objects, documents } = await system();
  return { saved: stores, empty: { documents, objects, backups: stores.backups } };
}

test('documents come back with the types of their numbers, with their indexes, and files with their types', async () => {
  const { empty } = await backedUp();
  await restore(empty);
  const things = client.db(`${empty.documents.prefix}auth`).collection<{ _id: string }>('things');
  expect(await things.countDocuments()).toBe(1_201);
  expect(await things.findOne({ _id: 'ä' }, { promoteValues: false })).toEqual({
    ...DOCUMENT,
    pattern: expect.anything(),
  });
  expect(await things.indexes()).toContainEqual(
    expect.objectContaining({ name: 'texts', key: { text: 1 }, partialFilterExpression: { text: { $exists: true } } }),
  );
  expect((await empty.objects.stat('accounts/a/page.html'))!.contentType).toBe('text/html');
  expect(String(await readObject(empty.objects, 'accounts/a/page.html', 100))).toBe('Text');
  expect(await client.db(`${empty.documents.prefix}auth`).collection('migrations').find().toArray()).toEqual([]);
});

test('what is not empty is refused, and emptied on demand', async () => {
  const { saved, empty } = await backedUp();
  await expect(restore(saved)).rejects.toThrow('is not empty. Stop all of Parley and use --force');
  await empty.objects.put('accounts/b/page.html', Buffer.from('Other'));
  await expect(restore(empty)).rejects.toThrow('The file store is not empty: it has accounts/b/page.html');
  await restore(empty, { force: true });
  expect(await empty.objects.stat('accounts/b/page.html')).toBeUndefined();
});

test('a backup of a newer release, or of other secrets, is refused', async () => {
  const { empty } = await backedUp();
  const others = fingerprintsOf('s'.repeat(64), 'q'.repeat(64));
  await expect(restoreBackup(empty, { name: 'one', accepted: others, ...SILENT })).rejects.toThrow(
    'no API key would work',
  );
  const turned = fingerprintsOf('t'.repeat(64), 'p'.repeat(64));
  await expect(restoreBackup(empty, { name: 'one', accepted: turned, ...SILENT })).rejects.toThrow(
    'PARLEY_SECRET_PREVIOUS',
  );
  const manifest = JSON.parse(String(await readObject(empty.backups, 'backups/one.json', 1e6)));
  const newer = Buffer.from(JSON.stringify({ ...manifest, release: '99.0.0' }));
  await empty.backups.put('backups/one.json', newer);
  await expect(restore(empty)).rejects.toThrow('was made by Parley 99.0.0');
});

test.each(['files/accounts/a/page.html', 'documents/auth/things.bson.gz', 'files.sqlite'])(
  'a backup whose %s is not what was stored is refused, and no process starts on what was restored of it',
  async (part) => {
    const { empty } = await backedUp();
    await damage(empty.backups, `data/one/${part}`);
    await expect(restore(empty)).rejects.toThrow('The backup is damaged');
    const guard = await client.db(`${empty.documents.prefix}auth`).collection('migrations').findOne();
    expect(guard).toMatchObject({ name: 'a restore that has not ended' });
  },
);

async function damage(store: ObjectStore, key: string): Promise<void> {
  const bytes = (await readObject(store, key, 1e8))!;
  bytes[bytes.length - 1]! ^= 1;
  await store.put(key, bytes);
}

test('a name is taken once, writes go on after a pause that was too short, and the newest backups are kept', async () => {
  const { saved } = await backedUp();
  await expect(saveBackup(saved, OPTIONS)).rejects.toThrow('There is a backup one already');
  await expect(saveBackup(saved, { ...OPTIONS, name: 'short', pauseMs: 1 })).rejects.toThrow('BACKUP_PAUSE_SECONDS');
  await client.db(`${saved.documents.prefix}auth`).collection('things').insertOne({});
  await saveBackup(saved, { ...OPTIONS, name: 'two' });
  await keepNewest(saved.backups, 1, SILENT.say);
  await expect(restore(saved)).rejects.toThrow('There is no complete backup one');
});

test('the programs of the command line back up and restore a data directory, with its secrets', async () => {
  const [one, two, backups] = ['one', 'two', 'backups'].map((name) => join(dir, name)) as [string, string, string];
  const run = async (dataDir: string, ...args: string[]) => {
    const env = { ...process.env, PARLEY_DATA: dataDir, BACKUP_DIR: backups, BACKUP_PASSPHRASE: 'a long passphrase' };
    const program = new URL('./backup.ts', import.meta.url).pathname;
    const node = ['--disable-warning=ExperimentalWarning', program, ...args];
    return new Promise<{ ok: boolean; output: string }>((resolve) => {
      execFile(process.execPath, node, { env, timeout: 60_000 }, (error, out, err) =>
        resolve({ ok: !error, output: `${out}${err}`.trim() }),
      );
    });
  };
  expect(await run(one, 'save', 'first')).toMatchObject({
    ok: true,
    output: expect.stringContaining('Backed up as first'),
  });
  expect(await run(one, 'save', '--list')).toEqual({ ok: true, output: 'first' });
  expect(await run(two, 'restore', 'first')).toMatchObject({ ok: false, output: expect.stringContaining('another') });
  const { output } = await run(two, 'restore', 'first', '--secrets');
  await writePrivate(join(two, 'secret'), JSON.parse(output).PARLEY_SECRET);
  expect(await run(two, 'restore', 'first')).toMatchObject({
    ok: true,
    output: expect.stringContaining('Restored first'),
  });
  expect((await run(two, 'restore')).output).toContain('Usage: npm run backup');
});
