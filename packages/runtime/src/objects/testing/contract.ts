import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ObjectStore, readObject } from '../objects.ts';

const MIB = 2 ** 20;
const childProgram = fileURLToPath(new URL('./child.ts', import.meta.url));

const BAD_KEYS = [
  '',
  '/',
  '/a.txt',
  'a',
  'a/b',
  'a/',
  'a//b.txt',
  '../a.txt',
  'a/../b.txt',
  'a/./b.txt',
  '.a',
  'a/.b',
  'a.',
  'a..b',
  'a.d/b.txt',
  'a b.txt',
  'ä.txt',
  'a\\b.txt',
  'a\0.txt',
  'a.txt\n',
  `${'a'.repeat(201)}.txt`,
  `${'a/'.repeat(450)}a.txt`,
];

export interface ObjectsUnderTest {
  store: ObjectStore;
  /** How another process opens the same store: a module that exports `openStore(argument)`, and the argument. */
  opener: { module: string; argument: string };
  close(): Promise<void>;
}

/** The guarantees of every object store, for the tests of each adapter. */
export function objectsContract(name: string, openUnderTest: () => Promise<ObjectsUnderTest>): void {
  describe(name, () => {
    let tested: ObjectsUnderTest;
    let store: ObjectStore;
    beforeAll(async () => {
      tested = await openUnderTest();
      store = tested.store;
    });
    afterAll(() => tested.close());

    const read = async (key: string) => (await readObject(store, key, 64 * MIB))?.toString();
    const folder = () => `t-${randomUUID()}/`;
    const keysBelow = async (prefix: string) => {
      const keys: string[] = [];
      for await (const { key } of store.list(prefix)) keys.push(key);
      return keys;
    };

    test('an object comes back with its bytes, size, hash and content type', async () => {
      const key = `${folder()}page.html`;
      const bytes = Buffer.from('<p>Grüße</p>');
      const stored = await store.put(key, bytes, { contentType: 'text/html; charset="utf-8"' });
      expect(stored).toEqual({ size: bytes.length, sha256: sha256(bytes) });
      const found = await store.get(key);
      expect(found).toMatchObject({ key, size: bytes.length, contentType: 'text/html; charset="utf-8"' });
      found?.body.destroy();
      const { modifiedAt } = (await store.stat(key))!;
      expect(Math.abs(Date.now() - modifiedAt.getTime())).toBeLessThan(60_000);
      expect(await read(key)).toBe('<p>Grüße</p>');
    });

    test('a stream of 20 MiB in odd pieces comes back whole, and so does an empty object', async () => {
      const prefix = folder();
      const pieces = Array.from({ length: 300 }, () => randomBytes(69_906));
      const whole = Buffer.concat(pieces);
      expect(await store.put(`${prefix}big.bin`, Readable.from(pieces))).toMatchObject({ size: whole.length });
      expect(sha256((await readObject(store, `${prefix}big.bin`, 64 * MIB))!)).toBe(sha256(whole));
      expect(await store.put(`${prefix}empty.bin`, new Uint8Array())).toMatchObject({ size: 0 });
      expect(await read(`${prefix}empty.bin`)).toBe('');
    });

    test('a missing object is undefined, and deleting it succeeds', async () => {
      const key = `${folder()}nothing.txt`;
      expect(await store.get(key)).toBeUndefined();
      expect(await store.stat(key)).toBeUndefined();
      await store.put(key, Buffer.from('here'));
      await store.delete(key);
      await store.delete(key);
      expect(await store.get(key)).toBeUndefined();
    });

    test('a second put replaces body and content type together', async () => {
      const key = `${folder()}twice.txt`;
      await store.put(key, Buffer.from('the first, and longer'), { contentType: 'text/plain' });
      await store.put(key, Buffer.from('the second'), { contentType: 'text/markdown' });
      expect(await read(key)).toBe('the second');
      expect(await store.stat(key)).toMatchObject({ contentType: 'text/markdown', size: 10 });
    });

    test('a body over maxBytes is refused, its stream is destroyed, and the previous object stays', async () => {
      const key = `${folder()}limited.txt`;
      await store.put(key, Buffer.from('before'), { maxBytes: 6 });
      const endless = new Readable({ read: (size) => void endless.push(Buffer.alloc(size)) });
      await expect(store.put(key, endless, { maxBytes: 100_000 })).rejects.toMatchObject({
        code: 'resource_exhausted',
      });
      expect(endless.destroyed).toBe(true);
      await expect(store.put(key, Buffer.alloc(7), { maxBytes: 6 })).rejects.toThrow('more than 6 bytes');
      expect(await read(key)).toBe('before');
    });

    test('a source that fails or ends early leaves nothing visible', async () => {
      const prefix = folder();
      const failing = Readable.from(
        (async function* () {
          yield randomBytes(MIB);
          throw new Error('the site hung up');
        })(),
      );
      await expect(store.put(`${prefix}failed.bin`, failing)).rejects.toThrow('the site hung up');
      const cut = new Readable({ read() {} });
      cut.push(randomBytes(1000));
      setImmediate(() => cut.destroy());
      await expect(store.put(`${prefix}cut.bin`, cut)).rejects.toThrow();
      expect(await keysBelow(prefix)).toEqual([]);
    });

    test('an aborted put rejects with the reason even if its source stalls, and leaves nothing visible', async () => {
      const prefix = folder();
      const abort = new AbortController();
      const stalled = new Readable({ read() {} });
      stalled.push(randomBytes(1000));
      const put = store.put(`${prefix}aborted.bin`, stalled, { signal: abort.signal });
      abort.abort(new Error('the caller has gone'));
      await expect(put).rejects.toThrow('the caller has gone');
      expect(stalled.destroyed).toBe(true);
      expect(await keysBelow(prefix)).toEqual([]);
    });

    test('no reader sees a half-written object while others replace it', async () => {
      const key = `${folder()}racing.bin`;
      const bodies = ['a', 'b', 'c', 'd'].map((letter) => Buffer.alloc(300_000, letter));
      await store.put(key, bodies[0]!);
      const writing = Promise.all(bodies.map((body) => store.put(key, Readable.from([body]))));
      const seen = await Promise.all(Array.from({ length: 20 }, () => read(key)));
      await writing;
      const whole = bodies.map(String);
      for (const body of seen) expect(whole.includes(body!)).toBe(true);
    });

    test('reading stops at the limit', async () => {
      const key = `${folder()}long.txt`;
      await store.put(key, Buffer.alloc(1001));
      await expect(readObject(store, key, 1000)).rejects.toMatchObject({ code: 'resource_exhausted' });
    });

    test('listing a folder returns its objects in key order, with sizes, and nothing else', async () => {
      const prefix = folder();
      const names = ['b.txt', 'a/2.txt', 'a-b/1.txt', 'a/10.txt', 'a.txt', 'a/deep/er/x.txt', 'Z.txt'];
      for (const name of names) await store.put(prefix + name, Buffer.from(name));
      await store.put(`${prefix.slice(0, -1)}x/other.txt`, Buffer.from('a neighbour'));
      expect(await keysBelow(prefix)).toEqual(names.map((name) => prefix + name).sort());
      for await (const { key, size } of store.list(`${prefix}a/`)) expect(size).toBe(key.length - prefix.length);
      expect(await keysBelow(`${prefix}a/`)).toHaveLength(3);
      expect(await keysBelow(`${prefix}none/`)).toEqual([]);
    });

    test('a folder is deleted in limited steps, its neighbours stay, and its keys can be used again', async () => {
      const prefix = folder();
      for (let i = 0; i < 7; i++) await store.put(`${prefix}gone/${i}/page.html`, Buffer.from('x'));
      await store.put(`${prefix}stays.txt`, Buffer.from('x'));
      expect(await store.deletePrefix(`${prefix}gone/`, 5)).toBe(5);
      expect(await store.deletePrefix(`${prefix}gone/`, 5)).toBe(2);
      expect(await store.deletePrefix(`${prefix}gone/`, 5)).toBe(0);
      expect(await keysBelow(prefix)).toEqual([`${prefix}stays.txt`]);
      await store.put(`${prefix}gone/1/page.html`, Buffer.from('again'));
      expect(await read(`${prefix}gone/1/page.html`)).toBe('again');
    });

    test('concurrent puts and deletes in one folder lose no object', async () => {
      const prefix = folder();
      const rounds = Array.from({ length: 40 }, (_, i) => i);
      await Promise.all(
        rounds.flatMap((i) => [
          store.put(`${prefix}busy/${i % 3}/kept-${i}.txt`, Buffer.from('x')),
          store
            .put(`${prefix}busy/${i % 3}/gone.txt`, Buffer.from('x'))
            .then(() => store.delete(`${prefix}busy/${i % 3}/gone.txt`)),
        ]),
      );
      const kept = (await keysBelow(prefix)).filter((key) => key.includes('kept'));
      expect(kept).toHaveLength(rounds.length);
    });

    test('a key that could escape the store, or be a folder of another key, is refused by every method', async () => {
      const refused = { code: 'invalid_argument' };
      for (const key of BAD_KEYS) {
        await expect(store.put(key, Buffer.from('x'))).rejects.toMatchObject(refused);
        await expect(store.get(key)).rejects.toMatchObject(refused);
        await expect(store.stat(key)).rejects.toMatchObject(refused);
        await expect(store.delete(key)).rejects.toMatchObject(refused);
      }
    });

    test('an invalid folder is refused', async () => {
      for (const prefix of ['a', '/', 'a//', '../', 'a.b/', './']) {
        await expect(keysBelow(prefix)).rejects.toMatchObject({ code: 'invalid_argument' });
        await expect(store.deletePrefix(prefix)).rejects.toMatchObject({ code: 'invalid_argument' });
      }
    });

    test('any set of allowed keys can be stored side by side, listed and read back', async () => {
      const word = fc.stringMatching(/^[A-Za-z0-9_-]{1,8}$/);
      const key = fc
        .tuple(
          fc.array(fc.constantFrom('a', 'b', 'a-', 'B', '0'), { maxLength: 3 }),
          word,
          fc.array(word, { minLength: 1, maxLength: 2 }),
        )
        .map(([folders, base, extensions]) => [...folders, [base, ...extensions].join('.')].join('/'));
      await fc.assert(
        fc.asyncProperty(fc.uniqueArray(key, { minLength: 1, maxLength: 8 }), async (keys) => {
          const prefix = folder();
          for (const k of keys) await store.put(prefix + k, Buffer.from(k));
          expect(await keysBelow(prefix)).toEqual(keys.map((k) => prefix + k).sort());
          for (const k of keys) expect(await read(prefix + k)).toBe(k);
        }),
        { numRuns: 25 },
      );
    });

    test('after kill -9 of a writer every acknowledged object is whole, and no other is visible', async () => {
      const prefix = folder();
      const { module, argument } = tested.opener;
      const child = spawn(process.execPath, [childProgram, module, argument, prefix], {
        stdio: ['ignore', 'pipe', 'inherit'],
        timeout: 20_000,
        killSignal: 'SIGKILL',
      });
      const acknowledged = await killedAfter(child, 30);
      const found = new Map<string, string>();
      for (const key of await keysBelow(prefix)) found.set(key, sha256((await readObject(store, key, 64 * MIB))!));
      for (const [key, hash] of acknowledged) expect(found.get(key)).toBe(hash);
      // At most the one whose acknowledgement was in flight.
      expect(found.size - acknowledged.length).toBeLessThanOrEqual(4);
    });

    test('a working store is ready', async () => {
      await store.ready();
    });
  });
}

/** The lines `key hash` of the child, which is killed after this many of them. */
async function killedAfter(child: ChildProcess, lines: number): Promise<[key: string, hash: string][]> {
  const acknowledged: [string, string][] = [];
  const closed = once(child, 'close');
  for await (const line of createInterface({ input: child.stdout! })) {
    const [key, hash] = line.split(' ');
    acknowledged.push([key!, hash!]);
    if (acknowledged.length === lines) child.kill('SIGKILL');
  }
  await closed;
  return acknowledged;
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
