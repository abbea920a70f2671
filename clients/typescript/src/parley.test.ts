import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, test } from '@jest/globals';
import { createParley, ParleyError, type ParleyOptions } from './index.ts';

interface Seen {
  method: string;
  url: string;
  headers: IncomingMessage['headers'];
  body: string;
}

type Reply = (seen: Seen, response: ServerResponse) => void;

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

/** A server on a real socket that answers the nth request with the nth reply, and later ones with the last. */
async function serving(...replies: Reply[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { method = '', url = '', headers } = request;
    seen.push({ method, url, headers, body });
    replies[Math.min(seen.length, replies.length) - 1]!(seen.at(-1)!, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const parley = (options: Partial<ParleyOptions> = {}) =>
    createParley({ baseUrl: `${origin}/v1`, apiKey: 'parley_secret', ...options });
  return { parley, seen, origin };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
  (_, response) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'r-1', ...headers })
      .end(JSON.stringify(body));
const data = (value: unknown) => json(200, { success: true, data: value });
const soon = { 'retry-after': '0' };
const refused = (status: number, headers?: Record<string, string>) =>
  json(status, { success: false, message: 'No.' }, headers);
const disconnect: Reply = (_, response) => response.destroy();

const ID = '01890a5d-ac96-474b-8cce-b302099a8057';

test('a call sends the key, its parameters and its body, and returns the data', async () => {
  const { parley, seen } = await serving(data({ id: ID, session_id: 's', message: 'Hi.', sources: [] }));
  const reply = await parley().post('/chatbot/{id}/reply', { path: { id: 'a/b c' }, body: { message: 'Hello?' } });
  expect(reply.message).toBe('Hi.');
  expect(seen).toMatchObject([
    {
      method: 'POST',
      url: '/v1/chatbot/a%2Fb%20c/reply',
      headers: {
        authorization: 'Bearer parley_secret',
        accept: 'application/json',
        'content-type': 'application/json',
      },
      body: '{"message":"Hello?"}',
    },
  ]);
});

test('an operation that returns only success returns nothing', async () => {
  const { parley } = await serving(json(200, { success: true }));
  const attached = parley().put('/chatbot/{id}/knowledge', { path: { id: ID }, body: { knowledge_id: ID } });
  expect(await attached).toBeUndefined();
});

test('a list yields the items of all pages, and asks for a page when the loop gets there', async () => {
  const page = (id: string, next?: string) =>
    data({ items: [{ id }], total: 2, has_more: next !== undefined, ...(next && { next_cursor: next }) });
  const { parley, seen } = await serving(page('a', 'c+/='), page('b'));
  const ids: string[] = [];
  for await (const { id } of parley().list('/knowledge', { query: { limit: 1 } })) {
    expect(seen.length).toBe(ids.length + 1);
    ids.push(id);
  }
  expect(ids).toEqual(['a', 'b']);
  expect(seen.map(({ url }) => url)).toEqual(['/v1/knowledge?limit=1', '/v1/knowledge?limit=1&next_cursor=c%2B%2F%3D']);
});

describe('a failure', () => {
  test('is a ParleyError with the status, the message and the request id', async () => {
    const { parley, seen } = await serving(refused(404));
    const failed = await parley()
      .get('/me')
      .catch((error) => error);
    expect(failed).toBeInstanceOf(ParleyError);
    expect(failed).toMatchObject({ name: 'ParleyError', status: 404, message: 'No.', requestId: 'r-1' });
    expect(seen.length).toBe(1);
  });

  test('without the envelope names the status, and nothing of the page that a proxy sent', async () => {
    const { parley } = await serving((_, response) => response.writeHead(502).end('<html>secret</html>'));
    await expect(parley().get('/me')).rejects.toMatchObject({
      status: 502,
      message: 'The server answered with status 502.',
      requestId: undefined,
    });
  });

  test('of the network has the status 0 and names the server, but not the key', async () => {
    const { parley, origin } = await serving(disconnect);
    const failed = await parley({ retries: 0 })
      .get('/me')
      .catch((error) => error);
    expect(failed).toMatchObject({ status: 0, requestId: undefined, message: expect.stringContaining(origin) });
    expect(`${failed.message} ${failed.stack}`).not.toContain('parley_secret');
  });

  test('by timeout is reported the same way, even in the middle of the body', async () => {
    const stalled: Reply = (_, response) => response.writeHead(200, { 'content-type': 'application/json' }).write('{');
    for (const silent of [() => {}, stalled]) {
      const { parley } = await serving(silent);
      await expect(parley({ retries: 0, timeoutMs: 50 }).get('/me')).rejects.toMatchObject({
        status: 0,
        message: expect.stringContaining('no response within 50 ms'),
      });
    }
  });
});

describe('a request is repeated', () => {
  test.each([
    ['429', refused(429, soon)],
    ['503', refused(503, soon)],
    ['409 with Retry-After', refused(409, soon)],
    ['a broken connection', disconnect],
  ])('after %s, with the same body and one Idempotency-Key', async (_, failure) => {
    const { parley, seen } = await serving(failure, failure, data({ id: ID }));
    expect(await parley().post('/chatbots', { body: { title: 'Help' } })).toEqual({ id: ID });
    expect(seen.map(({ body }) => body)).toEqual(Array(3).fill('{"title":"Help"}'));
    const keys = new Set(seen.map(({ headers }) => headers['idempotency-key']));
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/)]);
  });

  test("three times at most, then the last response's error is thrown", async () => {
    const { parley, seen } = await serving(refused(503, soon));
    await expect(parley().get('/me')).rejects.toMatchObject({ status: 503, message: 'No.' });
    expect(seen.length).toBe(4);
  });

  test('never after other refusals, nor when the server asks for more than a minute', async () => {
    for (const refusal of [
      refused(400),
      refused(403),
      refused(409),
      refused(500),
      refused(429, { 'retry-after': '61' }),
    ]) {
      const { parley, seen } = await serving(refusal);
      await expect(parley().post('/chatbots', { body: { title: 'T' } })).rejects.toBeInstanceOf(ParleyError);
      expect(seen.length).toBe(1);
    }
  });

  test('not before the time that Retry-After says', async () => {
    const { parley } = await serving(refused(503, { 'retry-after': '1' }), data([]));
    const began = performance.now();
    await parley().get('/chatbots');
    expect(performance.now() - began).toBeGreaterThanOrEqual(990);
  });
});

test('two calls have different Idempotency-Keys, unless the caller passes one', async () => {
  const { parley, seen } = await serving(data({ id: ID }));
  const body = { title: 'T' };
  await parley().post('/chatbots', { body });
  await parley().post('/chatbots', { body });
  await parley().post('/chatbots', { body, idempotencyKey: 'mine' });
  const keys = seen.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('mine');
});

test('the signal of a call ends it with its reason, also while it waits to try again', async () => {
  const { parley, seen } = await serving(refused(503, { 'retry-after': '30' }));
  const ended = new AbortController();
  const call = parley().get('/me', { signal: ended.signal });
  call.catch(() => {});
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
  ended.abort(new Error('enough'));
  await expect(call).rejects.toThrow('enough');
  await expect(parley().get('/me', { signal: ended.signal })).rejects.toThrow('enough');
  expect(seen.length).toBe(1);
});

test('a file is uploaded to its signed address without the key', async () => {
  const { parley, seen, origin } = await serving(json(200, { success: true }));
  await parley().upload(`${origin}/v1/upload/signed`, new Blob(['text'], { type: 'text/plain' }));
  expect(seen).toMatchObject([{ method: 'PUT', url: '/v1/upload/signed', body: 'text' }]);
  expect(seen[0]!.headers.authorization).toBeUndefined();
});
