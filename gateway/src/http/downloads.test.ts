import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { until } from '@parley/runtime/testing';
import { type World, world } from '../testing/world.ts';

const FILE = Buffer.alloc(20 * 1024 * 1024, 'x');
const PATIENCE_MS = 50_000;

let w: World;
beforeAll(async () => {
  w = await world({ downloadsAtOnce: 4, downloadMs: 3_000, bodyMs: 60_000 });
});
afterAll(() => w.end());

/** The path of a finalized document of 20 MB. */
async function stored(key: string): Promise<string> {
  const { id, upload_url } = (await w.post('/knowledge/document', { file_type: 'text/plain' }, { key })).body.data;
  expect((await fetch(upload_url, { method: 'PUT', body: FILE })).status).toBe(200);
  expect((await w.post(`/knowledge/${id}/finalize`, undefined, { key })).status).toBe(200);
  return `/v1/knowledge/${id}/file`;
}

/** A download that reads a little every 20 ms, so that it never pauses for long. */
function slowly(path: string, key: string) {
  const one = { socket: connect(w.port, '127.0.0.1') as Socket, status: 0 };
  one.socket
    .on('error', () => {})
    .once('data', (data) => {
      one.status = Number(data.toString('latin1').split(' ')[1]);
    });
  one.socket.on('data', () => {
    one.socket.pause();
    setTimeout(() => one.socket.resume(), 20);
  });
  one.socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  return one;
}

const whole = async (path: string, key: string) => {
  const response = await fetch(`http://127.0.0.1:${w.port}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return { status: response.status, bytes: (await response.arrayBuffer()).byteLength };
};

test(
  'an account that downloads slowly holds half of the downloads at most, and none for longer than its time',
  async () => {
    const { account, other } = w;
    const [own, others] = [await stored(account.key), await stored(other.key)];
    const keys = [account.key, w.keyWith(), w.keyWith(), w.keyWith()];
    const slow = keys.map((key) => slowly(own, key));
    await until(() => slow.every(({ status }) => status > 0));
    expect(slow.map(({ status }) => status).sort()).toEqual([200, 200, 429, 429]);
    const refused = await w.get(own.replace('/v1', ''));
    expect(refused).toMatchObject({
      status: 429,
      body: { message: expect.stringContaining('2 downloads in progress') },
    });
    expect(await whole(others, other.key)).toEqual({ status: 200, bytes: FILE.length });
    for (const { socket, status } of slow) if (status !== 200) socket.destroy();
    await Promise.all(slow.map(({ socket }) => socket.closed || once(socket, 'close')));
    for (let i = 0; i < 5; i++) expect(await whole(own, account.key)).toEqual({ status: 200, bytes: FILE.length });
  },
  PATIENCE_MS,
);
