import { createHash, randomBytes } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { unavailable } from '@parley/runtime';
import { createDirectoryStore } from '@parley/runtime/objects';
import { until } from '@parley/runtime/testing';
import { gate } from '../testing/gate.ts';
import { type CallOptions, type World, world } from '../testing/world.ts';
import { createUploadAddresses, UPLOAD_ADDRESS_MS } from './upload-address.ts';

const MAX = 52_428_800;

let w: World;
beforeAll(async () => {
  w = await world();
});
afterAll(() => w.end());

const create = async (of = w, body: object = { file_type: 'text/plain' }) =>
  (await of.post('/knowledge/document', body)).body.data as { id: string; upload_url: string };

const pathOf = (url: string) => url.slice(url.indexOf('/v1/'));
const put = (url: string, body: string | Uint8Array, options: CallOptions = {}, of = w) =>
  of.call('PUT', pathOf(url), { key: undefined, body, ...options });

/** The files in the object store, unfinished ones too. */
async function files(of = w) {
  const entries = await readdir(of.dir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** Begins a request and keeps its connection. */
function begin(url: string, headers: string, of = w): { socket: Socket; received(): string } {
  let received = '';
  const socket = connect(of.port, '127.0.0.1');
  socket.on('data', (data) => {
    received += data;
  });
  socket.on('error', () => {});
  socket.write(`PUT ${pathOf(url)} HTTP/1.1\r\nHost: x\r\n${headers}\r\n\r\n`);
  return { socket, received: () => received };
}

test('an upload is stored as sent, with any content type or none', async () => {
  for (const type of [undefined, 'application/pdf', 'application/json', 'multipart/form-data', 'nonsense']) {
    const { id, upload_url } = await create();
    const file = randomBytes(200_000);
    const answer = await put(upload_url, file, type === undefined ? {} : { headers: { 'content-type': type } });
    expect(answer).toMatchObject({ status: 200, body: { success: true } });
    expect(Object.keys(answer.body)).toEqual(['success']);
    expect(w.knowledge.state.uploads.get(id)).toMatchObject({
      bytes: file.length,
      sha256: createHash('sha256').update(file).digest('hex'),
    });
  }
});

test('the address is absolute and ends on its own path, with or without a public URL', async () => {
  const { id, upload_url } = await create();
  expect(upload_url).toMatch(new RegExp(`^${w.base}/v1/knowledge/${id}/upload\\?account=.*&expires=\\d+&signature=`));
  const named = await world({}, { publicUrl: 'https://api.example.com/parley' });
  expect((await create(named)).upload_url).toMatch(/^https:\/\/api\.example\.com\/parley\/v1\/knowledge\//);
  await named.end();
});

test('a file is served byte-identical, as an attachment that no browser interprets', async () => {
  const { id, upload_url } = await create(w, { file_type: 'text/csv', file_name: '../"ä\u202e\\x%.csv' });
  const file = randomBytes(300_000);
  await put(upload_url, file);
  expect((await w.get(`/knowledge/${id}/file`)).status).toBe(404);
  const { data } = (await w.post(`/knowledge/${id}/finalize`, undefined)).body;
  expect(data).toEqual({ id, type: 'document', document_url: `${w.base}/v1/knowledge/${id}/file` });
  const headers = { authorization: `Bearer ${w.account.key}` };
  const served = await fetch(data.document_url, { headers });
  expect(Buffer.from(await served.arrayBuffer()).equals(file)).toBe(true);
  expect(Object.fromEntries(served.headers)).toMatchObject({
    'content-type': 'text/csv',
    'content-length': '300000',
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    'content-disposition': `attachment; filename=".._____x_.csv"; filename*=UTF-8''..__%C3%A4__x%25.csv`,
  });
  const head = await fetch(data.document_url, { headers, method: 'HEAD' });
  expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([200, '300000', '']);
  const conditional = await fetch(data.document_url, { headers: { ...headers, 'if-none-match': '*' } });
  expect([conditional.status, (await conditional.arrayBuffer()).byteLength]).toEqual([200, 300_000]);
  expect((await fetch(data.document_url)).status).toBe(401);
  expect(await w.get(`/knowledge/${id}/file`, { key: w.other.key })).toMatchObject({ status: 403 });
});

test('a later upload replaces an earlier one; after finalizing, 409 and nothing is kept', async () => {
  const { id, upload_url } = await create();
  await put(upload_url, 'first');
  await put(upload_url, 'second');
  expect(w.knowledge.state.uploads.get(id)).toMatchObject({ bytes: 6 });
  await w.post(`/knowledge/${id}/finalize`, undefined);
  const before = await files();
  expect(await put(upload_url, 'third')).toMatchObject({ status: 409, body: { success: false } });
  expect(await files()).toEqual(before);
});

test('an upload that is finalized meanwhile gets 409, and its object is left to the sweeper of the service', async () => {
  const { id, upload_url } = await create();
  await put(upload_url, 'first');
  const before = await files();
  const waiting = gate();
  w.knowledge.state.beforeComplete = waiting.pass;
  const late = put(upload_url, 'second');
  await waiting.entered;
  await w.post(`/knowledge/${id}/finalize`, undefined);
  waiting.open();
  expect(await late).toMatchObject({ status: 409 });
  w.knowledge.state.beforeComplete = async () => {};
  // An earlier attempt may have made it the file.
  expect(await files()).toHaveLength(before.length + 1);
});

test('an object whose completion is uncertain stays: the service has a record of it', async () => {
  const { upload_url } = await create();
  const before = await files();
  w.knowledge.state.beforeComplete = () => Promise.reject(unavailable('The database is unavailable.'));
  expect((await put(upload_url, 'file')).status).toBe(503);
  w.knowledge.state.beforeComplete = async () => {};
  expect(await files()).toHaveLength(before.length + 1);
});

test('an address is valid for fifteen minutes', async () => {
  const before = Date.now();
  const expires = Number(new URL((await create()).upload_url).searchParams.get('expires')) * 1_000;
  expect(expires).toBeGreaterThanOrEqual(before + 15 * 60_000);
  expect(expires).toBeLessThanOrEqual(Date.now() + 15 * 60_000 + 1_000);
});

test('an address that is wrong, tampered with, expired or for another item is 403 with a sentence', async () => {
  const { id, upload_url } = await create();
  const { id: other } = await create();
  const url = new URL(upload_url);
  const changed = (name: string, value: string) => {
    const copy = new URL(url);
    copy.searchParams.set(name, value);
    return copy.href;
  };
  const signature = url.searchParams.get('signature')!;
  const now = Date.now();
  const expired = createUploadAddresses(w.config.secret, () => now - UPLOAD_ADDRESS_MS - 1_000).sign(w.account.id, id);
  const rows = [
    upload_url.split('?')[0]!,
    `${upload_url}&signature=${signature}`,
    changed('signature', ''),
    changed('signature', `${signature}=`),
    changed('signature', `${signature[0] === 'A' ? 'B' : 'A'}${signature.slice(1)}`),
    changed('account', w.other.id),
    changed('expires', String(Number(url.searchParams.get('expires')) + 1)),
    upload_url.replace(id, other),
    upload_url.replace(id, 'nonsense'),
    `${upload_url.split('?')[0]}?${createUploadAddresses('another secret').sign(w.account.id, id)}`,
    `${upload_url.split('?')[0]}?${expired}`,
  ];
  const before = await files();
  for (const row of rows) {
    const answer = await put(row, 'file', { key: w.account.key });
    expect([row, answer.status]).toEqual([row, 403]);
    expect(answer.body).toEqual({ success: false, message: expect.stringMatching(/^This upload address .*\.$/) });
  }
  expect((await put(rows.at(-1)!, 'file')).body.message).toContain('expired');
  expect(await files()).toEqual(before);
  // All replicas have the secret, before and after a restart.
  const replica = createUploadAddresses(w.config.secret);
  expect(replica.verify(id, Object.fromEntries(url.searchParams))).toBe(w.account.id);
  expect((await put(upload_url.replace(id, id.toUpperCase()), 'file')).status).toBe(200);
});

test('52,428,800 bytes are accepted; one more is 413 at once if declared, and while it streams if not', async () => {
  const { id, upload_url } = await create();
  expect((await put(upload_url, Buffer.alloc(MAX, 'x'))).status).toBe(200);
  expect(w.knowledge.state.uploads.get(id)).toMatchObject({ bytes: MAX });
  const before = await files();
  expect(await put(upload_url, Buffer.alloc(MAX + 1))).toMatchObject({
    status: 413,
    body: { success: false, message: expect.stringContaining('52,428,800') },
  });
  const declared = begin(upload_url, 'Content-Length: 52428801');
  await until(declared.received, (answer) => answer.includes('413'));
  declared.socket.destroy();

  const chunk = Buffer.alloc(1024 * 1024);
  const stream = new ReadableStream({
    pull(controller) {
      controller.enqueue(chunk);
      sent += chunk.length;
      if (sent > MAX) controller.close();
    },
  });
  let sent = 0;
  const url = `${w.base}${pathOf(upload_url)}`;
  const streamed = await fetch(url, { method: 'PUT', body: stream, duplex: 'half' } as RequestInit);
  expect([streamed.status, await streamed.json()]).toEqual([413, { success: false, message: expect.any(String) }]);
  expect(await files()).toEqual(before);
});

test('a file has at most as many bytes as the service says', async () => {
  const { upload_url } = await create();
  const { state } = w.knowledge;
  const usual = state.maxBytes;
  state.maxBytes = 4;
  const [whole, more] = [await put(upload_url, 'file'), await put(upload_url, 'files')];
  state.maxBytes = usual;
  expect([whole.status, more.status]).toEqual([200, 413]);
  expect(more.body.message).toBe('The file must have at most 4 bytes.');
});

test('a client that hangs up leaves nothing', async () => {
  const { id, upload_url } = await create();
  const before = await files();
  for (const headers of ['Content-Length: 1000000', 'Transfer-Encoding: chunked']) {
    const { socket } = begin(upload_url, headers);
    socket.write(headers.startsWith('T') ? `4000\r\n${'x'.repeat(0x4000)}\r\n` : 'x'.repeat(0x4000));
    await until(files, (found) => found.length === before.length + 1);
    socket.destroy();
    await until(files, (found) => found.length === before.length);
  }
  expect(w.knowledge.state.uploads.has(id)).toBe(false);
});

test('a client that pauses or takes too long gets 408, and leaves nothing', async () => {
  for (const [limits, says] of [
    [{ bodyMs: 200 }, /paused/],
    [{ uploadMs: 400 }, /too long/],
  ] as const) {
    const strict = await world(limits);
    const { upload_url } = await create(strict);
    const slow = begin(upload_url, 'Content-Length: 1000000', strict);
    const drip = setInterval(() => slow.socket.write('x'), 'uploadMs' in limits ? 20 : 10_000);
    await until(slow.received, (answer) => answer.includes('408') && says.test(answer));
    clearInterval(drip);
    slow.socket.destroy();
    expect(await files(strict)).toEqual([]);
    await strict.end();
  }
});

test('uploads in progress are bounded, for an account and in total, and end with their requests', async () => {
  const small = await world({ uploadsAtOnce: 1 });
  const { upload_url } = await create(small);
  const theirs = (await small.post('/knowledge/document', { file_type: 'text/plain' }, { key: small.other.key })).body;
  const running = [begin(upload_url, 'Content-Length: 9\r\nConnection: close', small)];
  await until(
    async () => (await files(small)).length,
    (count) => count === 1,
  );
  const many = await put(upload_url, 'x', {}, small);
  expect([many.status, many.headers.get('retry-after')]).toEqual([429, '5']);
  const full = await put(theirs.data.upload_url, 'x', {}, small);
  expect(full.status).toBe(503);
  expect(full.headers.get('retry-after')).toBeTruthy();
  for (const { socket } of running) socket.write('123456789');
  for (const { received } of running) await until(received, (answer) => answer.includes('200 OK'));
  expect((await put(upload_url, 'x', {}, small)).status).toBe(200);
  await small.end();
});

test('without an object store the gateway starts and is ready; uploads and downloads are 503', async () => {
  const dir = `${w.dir}-absent`;
  const absent = createDirectoryStore({ dir });
  const put503 = () => Promise.reject(unavailable('The file store is unavailable. Try again.'));
  const away = await world({}, {}, { objects: { ...absent, put: put503, get: put503, ready: put503 } });
  expect(await away.gateway.unready()).toEqual([]);
  const { id, upload_url } = await create(away);
  const answer = await put(upload_url, 'file', {}, away);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expect.any(String)]);
  away.knowledge.state.uploads.set(id, { objectKey: 'a.bin', bytes: 1, sha256: '' });
  await away.post(`/knowledge/${id}/finalize`, undefined);
  expect((await away.get(`/knowledge/${id}/file`)).status).toBe(503);
  await away.end();
});

test('an unreachable object server delays neither the start nor the readiness', async () => {
  const s3 = {
    endpoint: 'http://127.0.0.1:1',
    keys: { accessKey: 'access', secretKey: 'secret-key' },
    bucket: 'b',
    region: 'r',
  };
  const away = await world({}, { objects: { s3 } });
  expect(await away.gateway.unready()).toEqual([]);
  await away.end();
});

test('other methods are 405 without a signature, and OPTIONS says which is allowed', async () => {
  const path = `/v1/knowledge/${(await create()).id}/upload`;
  for (const method of ['GET', 'POST', 'DELETE'])
    expect(await w.call(method, path, { key: undefined })).toMatchObject({ status: 405 });
  expect((await w.call('OPTIONS', path, { key: undefined })).headers.get('allow')).toBe('OPTIONS, PUT');
});
