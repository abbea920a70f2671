import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:tls';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Db } from 'mongodb';
import { createLog } from '../log.ts';
import { issue } from '../tls/testing/issue.ts';
import { openMongo } from './connect.ts';
import { runMongoProgram } from './program.ts';

let directory: string;
const file = (name: string) => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'parley-tls-'));
  for (const ca of ['ca', 'other-ca']) await issue(directory, ca);
  const leaves = { server: 'ca', client: 'ca', stranger: 'other-ca' };
  await Promise.all(Object.entries(leaves).map(([name, by]) => issue(directory, name, { by })));
});
afterAll(() => rm(directory, { recursive: true }));

/** The engine behind a port that only clients with a certificate of our CA may use. */
async function secured() {
  const [cert, key, ca] = await Promise.all(['server.crt', 'server.key', 'ca.crt'].map((name) => readFile(file(name))));
  const socketPath = decodeURIComponent(new URL(process.env['TEST_MONGODB_URI']!).hostname);
  const names: string[] = [];
  const server = createServer({ cert, key, ca, requestCert: true, rejectUnauthorized: true }, (client) => {
    names.push(String(client.getPeerCertificate().subject.CN));
    const engine = connect(socketPath);
    client.pipe(engine).pipe(client);
    for (const [one, other] of [
      [client, engine],
      [engine, client],
    ] as const)
      one.on('error', () => other.destroy());
    client.on('close', () => engine.destroy());
  });
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const options = `directConnection=true&w=1&journal=true&tlsCAFile=${encodeURIComponent(file('ca.crt'))}`;
  return {
    uri: `mongodb://127.0.0.1:${port}/?${options}`,
    names,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

const log = createLog('test', 'silent');
const certificate = (name: string) => ({ cert: file(`${name}.crt`), key: file(`${name}.key`) });

test('a service shows its certificate to MongoDB, and works over that connection', async () => {
  await using server = await secured();
  const mongo = openMongo({ uri: server.uri, database: 'tls_test', tls: certificate('client') }, [], log);
  await mongo.start?.(AbortSignal.timeout(20_000));
  await mongo.db.collection<{ _id: string }>('things').updateOne({ _id: 'a' }, { $set: { x: 1 } }, { upsert: true });
  await mongo.ready?.();
  await mongo.stop?.();
  expect(new Set(server.names)).toEqual(new Set(['client']));
});

test('an operators’ program shows it, too', async () => {
  await using server = await secured();
  const config = { uri: server.uri, database: 'tls_test', tls: certificate('client') };
  const program = { args: [], command: 'count', find: async () => config, unavailable: 'It does not answer.' };
  const read = async (db: Db) => [[String(await db.collection('nothing').countDocuments())]];
  expect(await runMongoProgram(program, ['THINGS'], [{ service: 'test', read }])).toBe(0);
  expect(new Set(server.names)).toEqual(new Set(['client']));
});

test.each(['none', 'stranger'])('a service with the certificate of %s is not ready', async (name) => {
  await using server = await secured();
  const tls = name === 'none' ? {} : { tls: certificate(name) };
  const uri = `${server.uri}&tls=true`;
  const mongo = openMongo({ uri, database: 'tls_test', ...tls }, [], log);
  const starting = mongo.start?.(AbortSignal.timeout(1_000));
  await expect(mongo.ready?.()).rejects.toThrow('MongoDB is unavailable');
  await expect(starting).rejects.toThrow();
  await mongo.stop?.();
  expect(server.names).toEqual([]);
});
