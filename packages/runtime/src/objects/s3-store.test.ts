import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { inspect } from 'node:util';
import { afterEach, expect, test } from '@jest/globals';
import { createLog } from '../log.ts';
import { type ObjectStore, readObject } from './objects.ts';
import { createS3Store } from './s3-store.ts';

const TIMING = { idleMs: 200, callMs: 1_000 };
const KEYS = { accessKey: 'an-access-key', secretKey: 'a-secret-key' };
const UNAVAILABLE = { code: 'unavailable', message: 'The file store is unavailable. Try again.' };

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** A store with a fake server, whose listener a test may change. */
async function storeOn(listener: RequestListener) {
  const server = createServer((request, response) => behaviour.listener(request, response));
  const behaviour = { listener };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const identity = { endpoint: `http://127.0.0.1:${port}`, bucket: 'objects', region: 'us-east-1', keys: KEYS };
  const store = createS3Store({ ...identity, log: createLog('test', 'silent'), timing: TIMING });
  closing.push(() => {
    store.stop?.();
    server.closeAllConnections();
    server.close();
  });
  return { store, server, behaviour };
}

const ok: RequestListener = async (request, response) => {
  await buffer(request);
  response.end();
};

const keysOf = async (store: ObjectStore) => {
  const keys: string[] = [];
  for await (const { key } of store.list('a/')) keys.push(key);
  return keys;
};

test('a server that accepts and never answers fails every method, and readiness', async () => {
  const { store } = await storeOn(() => {});
  const methods = [
    () => store.put('a/b.txt', Buffer.alloc(3_000_000)),
    () => store.get('a/b.txt'),
    () => store.stat('a/b.txt'),
    () => store.delete('a/b.txt'),
    () => store.deletePrefix('a/'),
    () => keysOf(store),
  ];
  await Promise.all(methods.map((method) => expect(method()).rejects.toMatchObject(UNAVAILABLE)));
  await expect(store.ready()).rejects.toThrow('The file store is unavailable');
});

test('a call that is aborted while the server stalls rejects at once, with the reason', async () => {
  const { store, server } = await storeOn(() => {});
  const abort = new AbortController();
  const put = store.put('a/b.txt', Buffer.from('x'), { signal: abort.signal });
  await once(server, 'request');
  abort.abort(new Error('the caller has gone'));
  await expect(put).rejects.toThrow('the caller has gone');
});

test('half a response is a failure, whether the server then stalls or hangs up', async () => {
  const half = '<ListBucketResult><Contents><Key>a/b.txt</Key>';
  const { store, behaviour } = await storeOn((_, response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write(half);
  });
  await expect(keysOf(store)).rejects.toMatchObject(UNAVAILABLE);
  behaviour.listener = (_, response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write(half, () => response.destroy());
  };
  await expect(keysOf(store)).rejects.toMatchObject(UNAVAILABLE);
});

test('the reader of half a body gets an error, not an end', async () => {
  const { store, behaviour } = await storeOn((_, response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write('half');
  });
  await expect(readObject(store, 'a/b.txt', 2_000)).rejects.toMatchObject(UNAVAILABLE);
  behaviour.listener = (_, response) => {
    response.writeHead(200, { 'content-length': 1_000 }).write('half', () => response.destroy());
  };
  await expect(readObject(store, 'a/b.txt', 2_000)).rejects.toMatchObject(UNAVAILABLE);
});

test('a body whose reader pauses arrives whole or fails, but is never short', async () => {
  const { store } = await storeOn((_, response) => response.end(Buffer.alloc(5_000_000)));
  const found = await store.get('a/b.txt');
  await once(found!.body, 'readable');
  await once(found!.body, 'error').then(([error]) => expect(error).toMatchObject(UNAVAILABLE));

  const abort = new AbortController();
  const aborted = await store.get('a/b.txt', abort.signal);
  await once(aborted!.body, 'readable');
  abort.abort(new Error('the caller has gone'));
  await expect(buffer(aborted!.body)).rejects.toThrow('the caller has gone');
});

test('responses of 503 with unread bodies leave no connection behind, and the store works when they end', async () => {
  const { store, server, behaviour } = await storeOn((_, response) => {
    response.writeHead(503).end(Buffer.alloc(1_000_000));
  });
  const calls = Array.from({ length: 100 }, () => store.stat('a/b.txt'));
  for (const call of await Promise.allSettled(calls))
    expect(call).toMatchObject({ status: 'rejected', reason: UNAVAILABLE });
  behaviour.listener = ok;
  expect(await store.stat('a/b.txt')).toMatchObject({ key: 'a/b.txt' });
  const connections = await new Promise((resolve) => server.getConnections((_, count) => resolve(count)));
  expect(connections).toBe(1);
});

test('a put is retried in full after a lost connection and after a 503', async () => {
  const bodies: string[] = [];
  const { store, behaviour } = await storeOn(async (request, response) => {
    bodies.push((await buffer(request)).toString());
    if (bodies.length === 1) request.socket.destroy();
    else response.writeHead(bodies.length === 2 ? 503 : 200).end();
  });
  await store.put('a/b.txt', Buffer.from('the body'));
  expect(bodies).toEqual(['the body', 'the body', 'the body']);

  const requests: IncomingMessage[] = [];
  behaviour.listener = (request, response) => {
    requests.push(request);
    response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
  };
  await expect(store.put('a/b.txt', Buffer.from('x'))).rejects.toMatchObject(UNAVAILABLE);
  expect(requests).toHaveLength(1);
});

test('no failure shows the keys', async () => {
  const { store, behaviour } = await storeOn((_, response) => response.writeHead(503).end());
  const failures = [await store.stat('a/b.txt').catch((error) => error)];
  behaviour.listener = (_, response) => response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
  failures.push(await store.stat('a/b.txt').catch((error) => error));
  failures.push(await store.start?.(AbortSignal.timeout(1_000)).catch((error) => error));
  for (const failure of failures) expect(failure).toBeInstanceOf(Error);
  expect(inspect(failures, { depth: 20, showHidden: true })).not.toMatch(/an-access-key|a-secret-key/);
});

test('a start aborts the uploads that began more than a day ago, and no others', async () => {
  const upload = (id: string, hours: number) =>
    `<Upload><Key>a/${id}.bin</Key><UploadId>${id}</UploadId><Initiated>${new Date(Date.now() - hours * 3_600_000).toISOString()}</Initiated></Upload>`;
  const deleted: string[] = [];
  const { store } = await storeOn((request, response) => {
    if (request.method === 'DELETE') {
      deleted.push(request.url!);
      response.writeHead(204).end();
    } else if (request.url!.includes('uploads')) {
      response.end(
        `<ListMultipartUploadsResult>${upload('old', 25)}${upload('young', 23)}</ListMultipartUploadsResult>`,
      );
    } else response.end('<ListBucketResult><Name>objects</Name></ListBucketResult>');
  });
  await store.start?.(AbortSignal.timeout(5_000));
  expect(deleted).toEqual(['/objects/a/old.bin?uploadId=old']);
});
