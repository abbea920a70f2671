import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { S3Server } from '../../../../deploy/stack/s3-server.ts';
import { startVersitygw } from '../../../../deploy/stack/versitygw.ts';
import { createLog } from '../log.ts';
import { grantRights } from './grant-rights.ts';
import { type ObjectStore, readObject } from './objects.ts';
import { connectS3, S3_TIMING } from './s3-client.ts';
import { createS3Store } from './s3-store.ts';
import { probeKeyFor, probeWrite } from './watch-writes.ts';

const BUCKET = 'rights';
const POLICIES = new URL('./s3-policies.json', import.meta.url);
const DOCUMENT = 'accounts/a/knowledge/i/uploads/u.bin';
const MAIL = 'mail/a/i/m/raw.eml';
const LARGE = 9 * 2 ** 20;

let dataDir: string;
let server: S3Server;
let stores: Record<string, ObjectStore>;
let root: ObjectStore;
const secretKey = 'a-secret-of-a-service';
const log = createLog('objects-test', 'silent');

/** A server that knows a user for each service, as `accessKey`, and what each may do, as the chart sets them up. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'parley-s3-'));
  const services = Object.keys(JSON.parse(await readFile(POLICIES, 'utf8')));
  await writeFile(join(dataDir, 'users.json'), '{"accessAccounts":{}}');
  server = await startVersitygw({ dataDir, flags: ['--iam-dir', dataDir, '--iam-cache-disable'] });
  const common = { endpoint: server.endpoint, bucket: BUCKET, region: 'us-east-1' };
  const { accessKey, secretKey: rootSecret } = server;
  const config = { ...common, keys: { accessKey, secretKey: rootSecret } };
  const storeOf = (name: string) =>
    createS3Store({ ...common, keys: { accessKey: name, secretKey }, awaitRights: true, log });
  stores = Object.fromEntries(services.map((name) => [name, storeOf(name)]));
  // Services may start first.
  const starting = Object.values(stores).map((store) => store.start?.(AbortSignal.timeout(30_000)));
  const granting = grantRights(config, log, AbortSignal.timeout(30_000));
  const accounts = services.map((name) => [name, { access: name, secret: secretKey, role: 'user' }]);
  await writeFile(join(dataDir, 'users.json'), JSON.stringify({ accessAccounts: Object.fromEntries(accounts) }));
  await Promise.all([granting, ...starting]);
  root = createS3Store({ ...config, log });
  await root.start?.(AbortSignal.timeout(10_000));
});
afterAll(async () => {
  for (const store of [root, ...Object.values(stores)]) await store.stop?.();
  await server.stop();
  await rm(dataDir, { recursive: true });
});

const REFUSED = { cause: { code: 'AccessDenied' } };
const large = () => Readable.from([Buffer.alloc(LARGE, 'x')]);

test('each service is ready with its own keys, and does its own work', async () => {
  const { gateway, knowledge, trainer, conversations, mail } = stores as Record<string, ObjectStore> & typeof stores;
  for (const store of Object.values(stores)) await store.ready();
  await gateway!.put(DOCUMENT, large());
  for (const reader of [knowledge!, trainer!]) expect((await readObject(reader, DOCUMENT, LARGE))?.length).toBe(LARGE);
  await trainer!.put('accounts/a/knowledge/i/builds/1/build.sqlite', large());
  expect(await knowledge!.deletePrefix('accounts/a/')).toBe(2);
  await mail!.put(MAIL, Buffer.from('From: a customer'));
  expect(String(await readObject(gateway!, MAIL, 100))).toBe('From: a customer');
  expect(await conversations!.deletePrefix('mail/a/')).toBe(1);
});

test('each service that writes files may find out whether the store takes them', async () => {
  const writers = { gateway: DOCUMENT, knowledge: DOCUMENT, trainer: DOCUMENT, mail: MAIL };
  for (const [name, key] of Object.entries(writers))
    await probeWrite(stores[name]!, probeKeyFor(key), AbortSignal.timeout(10_000));
});

test('the trainer can neither read, write nor delete what came by mail', async () => {
  await root.put(MAIL, Buffer.from('From: a customer'));
  const { trainer } = stores;
  await expect(trainer!.get(MAIL)).rejects.toMatchObject(REFUSED);
  await expect(trainer!.put(MAIL, Buffer.from('x'))).rejects.toMatchObject(REFUSED);
  await expect(trainer!.put(MAIL, large())).rejects.toMatchObject(REFUSED);
  await expect(trainer!.delete(MAIL)).rejects.toMatchObject(REFUSED);
  await expect(trainer!.deletePrefix('mail/a/')).rejects.toThrow();
  expect(String(await readObject(root, MAIL, 100))).toBe('From: a customer');
});

test('who receives mail can read none, and no document', async () => {
  await root.put(MAIL, Buffer.from('From: a customer'));
  await root.put(DOCUMENT, Buffer.from('a document'));
  for (const name of ['mail', 'conversations'])
    for (const key of [MAIL, DOCUMENT]) await expect(stores[name]!.get(key)).rejects.toMatchObject(REFUSED);
});

test('no service may change what it may do, or see what others may', async () => {
  for (const accessKey of Object.keys(stores)) {
    const common = { endpoint: server.endpoint, bucket: BUCKET, region: 'us-east-1' };
    const s3 = connectS3({ ...common, keys: { accessKey, secretKey } }, S3_TIMING);
    const policy = JSON.stringify({ Version: '2012-10-17', Statement: [] });
    await expect(s3.ask((client) => client.setBucketPolicy(BUCKET, policy))).rejects.toMatchObject(REFUSED);
    await expect(s3.ask((client) => client.getBucketPolicy(BUCKET))).rejects.toMatchObject(REFUSED);
    await expect(s3.ask((client) => client.makeBucket('another', 'us-east-1'))).rejects.toMatchObject(REFUSED);
    s3.close();
  }
});
