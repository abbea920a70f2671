import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { pino } from 'pino';
import { startMinio } from '../../../../deploy/stack/minio.ts';
import type { S3Server } from '../../../../deploy/stack/s3-server.ts';
import { freePort, type LastingServerOptions } from '../../../../deploy/stack/server.ts';
import { startVersitygw } from '../../../../deploy/stack/versitygw.ts';
import { ConfigError } from '../env.ts';
import { createLog } from '../log.ts';
import { until } from '../testing/index.ts';
import { type ObjectStore, readObject } from './objects.ts';
import { connectS3, type S3Config } from './s3-client.ts';
import { createS3Store } from './s3-store.ts';

const MIB = 2 ** 20;
const PART = 8 * MIB;
/** Long enough for a server that restarts on a busy machine. */
const TIMING = { idleMs: 1_000, callMs: 10_000 };

function faults(name: string, startServer: (options: LastingServerOptions) => Promise<S3Server>) {
  describe(name, () => {
    let dataDir: string;
    let server: S3Server;
    let config: S3Config;
    let store: ObjectStore;
    const log = createLog('objects-test', 'silent');

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'parley-s3-'));
      server = await startServer({ dataDir });
      const { endpoint, accessKey, secretKey } = server;
      config = { endpoint, keys: { accessKey, secretKey }, bucket: 'faults', region: 'us-east-1' };
      store = createS3Store({ ...config, log, timing: TIMING });
      await store.start?.(AbortSignal.timeout(10_000));
    });
    afterAll(async () => {
      await store.stop?.();
      await server.stop();
      await rm(dataDir, { recursive: true });
    });

    const folder = () => `t-${randomUUID()}/`;
    const keysBelow = async (prefix: string) => {
      const keys: string[] = [];
      for await (const { key } of store.list(prefix)) keys.push(key);
      return keys;
    };

    /** The unfinished uploads below a folder. */
    const uploadsBelow = async (prefix: string) => {
      const s3 = connectS3(config, TIMING);
      const { uploads } = await s3.ask((client) => client.listIncompleteUploadsQuery(s3.bucket, '', '', '', ''));
      s3.close();
      return uploads.filter(({ key }) => key.startsWith(prefix)); // MinIO can't list a folder here.
    };
    const uploadBegins = (prefix: string) =>
      until(
        () => uploadsBelow(prefix),
        ({ length }) => length > 0,
      );

    test('a put fails in time if the server stops in the middle, and nothing is visible', async () => {
      const prefix = folder();
      await store.put(`${prefix}before.bin`, randomBytes(1000));
      let stoppedAt = Number.NaN;
      async function* source() {
        yield randomBytes(PART);
        await uploadBegins(prefix);
        server.kill('SIGSTOP');
        stoppedAt = performance.now();
        yield randomBytes(PART);
      }
      const put = store.put(`${prefix}half.bin`, Readable.from(source()));
      await expect(put).rejects.toMatchObject({ code: 'unavailable' });
      expect(performance.now() - stoppedAt).toBeLessThan(TIMING.callMs + 3_000);
      await expect(store.ready()).rejects.toThrow('The file store is unavailable');
      server.kill('SIGCONT');
      expect(await keysBelow(prefix)).toEqual([`${prefix}before.bin`]);
      await store.put(`${prefix}half.bin`, Buffer.from('whole'));
      expect(String(await readObject(store, `${prefix}half.bin`, MIB))).toBe('whole');
    });

    test('a large put whose source fails while a part is being sent leaves no upload behind', async () => {
      const prefix = folder();
      async function* source() {
        yield randomBytes(PART);
        await uploadBegins(prefix);
        throw new Error('the site hung up');
      }
      await expect(store.put(`${prefix}cut.bin`, Readable.from(source()))).rejects.toThrow('the site hung up');
      expect(await uploadsBelow(prefix)).toEqual([]);
      expect(await keysBelow(prefix)).toEqual([]);
    });

    test('after kill -9 and a restart the next put works, and every acknowledged object is there', async () => {
      const prefix = folder();
      const big = randomBytes(PART + 1000);
      for (let i = 0; i < 5; i++) await store.put(`${prefix}${i}.txt`, Buffer.from(`${i}`));
      await store.put(`${prefix}big.bin`, Readable.from([big]));
      server.kill('SIGKILL');
      await server.restart();
      await store.put(`${prefix}after.txt`, Buffer.from('after'));
      for (let i = 0; i < 5; i++) expect(String(await readObject(store, `${prefix}${i}.txt`, 10))).toBe(`${i}`);
      expect((await readObject(store, `${prefix}big.bin`, 2 * PART))?.equals(big)).toBe(true);
      expect(await keysBelow(prefix)).toHaveLength(7);
    });

    test('of two concurrent large puts to one key, one stays, whole', async () => {
      const key = `${folder()}racing.bin`;
      const bodies = ['a', 'b'].map((letter) => Buffer.alloc(2 * PART + 1000, letter));
      await Promise.all(
        bodies.map((body) => store.put(key, Readable.from([body.subarray(0, PART), body.subarray(PART)]))),
      );
      const stored = await readObject(store, key, 3 * PART);
      expect(bodies.some((body) => stored?.equals(body))).toBe(true);
    });

    test('a folder of more than 1,000 objects is listed and deleted completely', async () => {
      const prefix = folder();
      const names = Array.from({ length: 1_050 }, (_, i) => `${String(i).padStart(4, '0')}.txt`);
      for (let i = 0; i < names.length; i += 50)
        await Promise.all(names.slice(i, i + 50).map((name) => store.put(prefix + name, Buffer.from('x'))));
      expect(await keysBelow(prefix)).toEqual(names.map((name) => prefix + name));
      expect(await store.deletePrefix(prefix, 1_040)).toBe(1_040);
      expect(await store.deletePrefix(prefix)).toBe(10);
      expect(await keysBelow(prefix)).toEqual([]);
    });

    test('a store whose server is missing waits for it, says so, and works once it is up', async () => {
      const lateDir = await mkdtemp(join(tmpdir(), 'parley-s3-'));
      const port = await freePort();
      const lines = new PassThrough();
      const endpoint = `http://127.0.0.1:${port}`;
      const late = createS3Store({ ...config, endpoint, log: pino(lines), timing: TIMING });
      const starting = late.start?.(AbortSignal.timeout(60_000));
      await expect(late.ready()).rejects.toThrow('The file store is unavailable');
      expect(String(await once(lines, 'data'))).toContain('the file store is unavailable; waiting for it');
      const lateServer = await startServer({ dataDir: lateDir, port });
      await starting;
      await late.ready();
      await late.put('a.txt', Buffer.from('x'));
      await late.stop?.();
      await lateServer.stop();
      await rm(lateDir, { recursive: true });
    });

    test('a put that begins while the server restarts waits for it', async () => {
      const key = `${folder()}patient.txt`;
      server.kill('SIGKILL');
      const [stored] = await Promise.all([store.put(key, Buffer.from('patient')), server.restart()]);
      expect(stored.size).toBe(7);
      expect(String(await readObject(store, key, 10))).toBe('patient');
    });

    test('wrong keys end the start with a message that names their variables, but not the keys', async () => {
      const wrong = [
        { ...config.keys!, accessKey: 'somebody-else' },
        { ...config.keys!, secretKey: 'not-the-secret' },
      ];
      for (const keys of wrong) {
        const starting = createS3Store({ ...config, keys, log, timing: TIMING }).start?.(AbortSignal.timeout(5_000));
        const failure: unknown = await starting?.catch((error) => error);
        expect(failure).toBeInstanceOf(ConfigError);
        const { message } = failure as ConfigError;
        expect(message).toContain('MINIO_ACCESS_KEY and MINIO_SECRET_KEY');
        expect(message).not.toMatch(/somebody-else|not-the-secret|parley-test/);
      }
    });
  });
}

faults('MinIO', startMinio);
faults('versitygw', startVersitygw);
