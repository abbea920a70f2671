import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { createParley, type ParleyOptions, type ReplySoFar } from './index.ts';

const ends: (() => void)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

type Answer = (response: ServerResponse) => void;

/** A server on a real socket that answers the nth request with the nth answer. */
async function serving(...answers: Answer[]) {
  const keys: unknown[] = [];
  const server = createServer((request, response) => {
    request.resume();
    expect(request.headers.accept).toBe('text/event-stream');
    answers[keys.push(request.headers['idempotency-key']) - 1]!(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ends.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const ask = (options: Partial<ParleyOptions> = {}, signal?: AbortSignal) =>
    createParley({ baseUrl, apiKey: 'parley_secret', ...options }).streamReply({
      path: { id: 'R7ne6P7zrruV' },
      body: { message: 'Is it?' },
      signal,
    });
  return { ask, keys };
}

const head = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'r-1' });
const event = (name: string, data: unknown) => `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
const token = (text: string) => event('token', { text });
const SOURCES = [{ n: 1, title: 'Page', url: null }];
const REPLY = {
  id: 'a',
  session_id: 'b',
  message: 'Yes. [1] Ünd 🙂.\n\nSources:\n[1] Page',
  sources: SOURCES,
  confidence: 'high',
};
const WHOLE = event('sources', SOURCES) + token('Yes. [1]') + token(' Ünd 🙂.') + event('done', REPLY);

async function all(replies: AsyncGenerator<ReplySoFar>): Promise<ReplySoFar[]> {
  const seen: ReplySoFar[] = [];
  for await (const reply of replies) seen.push(reply);
  return seen;
}

test('a reply grows part by part, however its bytes arrive, and ends with the whole', async () => {
  const { ask } = await serving(async (response) => {
    head(response).write(':\n\n');
    for (const byte of Buffer.from(WHOLE)) {
      response.write(Buffer.of(byte));
      await new Promise((resolve) => setImmediate(resolve));
    }
    response.end();
  });
  expect(await all(ask())).toEqual([
    { text: 'Yes. [1]', sources: SOURCES },
    { text: 'Yes. [1] Ünd 🙂.', sources: SOURCES },
    { text: 'Yes. [1] Ünd 🙂.', sources: SOURCES, reply: REPLY },
  ]);
});

const lost: Answer = (response) => head(response).write(token('Ye'), () => response.destroy());
const cutShort: Answer = (response) => head(response).end(token('Ye'));
const failing: Answer = (response) => head(response).end(token('Ye') + event('error', { message: 'Try again.' }));
const silent: Answer = (response) => head(response).write(token('Ye'));
const whole: Answer = (response) => head(response).end(WHOLE);

test('a stream that breaks off, fails or falls silent is requested again with the same Idempotency-Key', async () => {
  for (const broken of [lost, cutShort, failing, silent]) {
    const { ask, keys } = await serving(broken, whole);
    const seen = await all(ask({ timeoutMs: 200 }));
    expect([seen[0]!.text, seen.at(-1)]).toEqual(['Ye', { text: 'Yes. [1] Ünd 🙂.', sources: SOURCES, reply: REPLY }]);
    expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);
  }
});

test('without retries the failure is thrown, with its message and the request id', async () => {
  const { ask } = await serving(failing, cutShort);
  await expect(all(ask({ retries: 0 }))).rejects.toMatchObject({ status: 0, message: 'Try again.', requestId: 'r-1' });
  await expect(all(ask({ retries: 0 }))).rejects.toMatchObject({
    status: 0,
    message: expect.stringContaining('broke off'),
  });
});

test('a refusal before the first event is thrown with its status, and not repeated', async () => {
  const { ask, keys } = await serving((response) =>
    response.writeHead(404, { 'content-type': 'application/json' }).end('{"success":false,"message":"No chatbot."}'),
  );
  await expect(all(ask())).rejects.toMatchObject({ status: 404, message: 'No chatbot.' });
  expect(keys.length).toBe(1);
});

test('a loop that is left, or a signal, ends the request', async () => {
  const closed: Promise<unknown>[] = [];
  const watched: Answer = (response) => {
    closed.push(new Promise((resolve) => response.once('close', resolve)));
    silent(response);
  };
  const { ask } = await serving(watched, watched);
  for await (const { text } of ask()) if (text === 'Ye') break;
  const ended = new AbortController();
  const reading = (async () => {
    for await (const _ of ask({}, ended.signal)) ended.abort(new Error('enough'));
  })();
  await expect(reading).rejects.toThrow('enough');
  await Promise.all(closed);
});
