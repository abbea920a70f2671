import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from '@jest/globals';
import { heapGrowth, until } from '@parley/runtime/testing';
import { type Embedder, EmbeddingUnavailable } from './embedder.ts';
import { createOpenAiEmbedder, type OpenAiEmbedderOptions } from './openai.ts';
import { tokensOf } from './paid.ts';

interface Asked {
  input: string[] | string;
  encoding_format: string;
}
type Answer = (response: ServerResponse, asked: Asked) => void;

const KEY = 'sk-very-secret';
const toClose: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of toClose.splice(0)) await close();
});

/** A server that gives one answer after the other, and then repeats the last. */
async function stub(...answers: Answer[]) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const part of request) body += part;
    asked.push(JSON.parse(body));
    answers[Math.min(asked.length, answers.length) - 1]!(response, asked.at(-1)!);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  toClose.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { asked, baseUrl: `http://127.0.0.1:${port}/v1` };
}

function embedderOf(baseUrl: string, options: Partial<OpenAiEmbedderOptions> = {}): Embedder {
  const embedder = createOpenAiEmbedder({
    apiKey: KEY,
    baseUrl,
    model: 'm',
    timeoutMs: 10_000,
    backoffMs: 1,
    ...options,
  });
  toClose.push(embedder.close);
  return embedder;
}

function send(response: ServerResponse, body: unknown, status = 200, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

const entries = (texts: string[] | string, vector: (text: string) => unknown) =>
  [texts].flat().map((text, index) => ({ object: 'embedding', index, embedding: vector(text) }));

/** A vector whose direction encodes the length of its text. */
const good: Answer = (response, { input }) =>
  send(response, { data: entries(input, (text) => [3 * text.length, 4 * text.length, 0]) });
const status =
  (code: number, headers: Record<string, string> = {}, error: object = {}): Answer =>
  (response) =>
    send(response, { error: { message: `key ${KEY} refused`, ...error } }, code, headers);
const halfABody: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"data":[{"index":0,"embed', () => response.destroy());
};
const stall: Answer = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data":[');
};

function failureOf(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('It did not fail.'),
    (error: Error) => error,
  );
}

test('texts are sent in batches, asking for floats, and come back as unit vectors in order', async () => {
  const backwards: Answer = (response, { input }) =>
    send(response, { data: entries(input, (text) => [text.length, 0, 1]).reverse() });
  const { asked, baseUrl } = await stub(backwards);
  const vectors = await embedderOf(baseUrl, { batchSize: 2 }).embed(['a', 'bb\n', 'cccc']);
  expect(asked).toMatchObject([
    { input: ['a', 'bb\n'], encoding_format: 'float', model: 'm' },
    { input: ['cccc'], encoding_format: 'float' },
  ]);
  for (const [i, length] of [1, 3, 4].entries()) expect(vectors[i]![0]! / vectors[i]![2]!).toBeCloseTo(length, 4);
  expect(Math.hypot(...vectors[2]!)).toBeCloseTo(1, 6);
});

test('the tokens of each request are reported as the server counts them, else estimated', async () => {
  const counts: Answer = (response, { input }) =>
    send(response, { data: entries(input, () => [1, 0]), usage: { prompt_tokens: 7, total_tokens: 7 } });
  const { baseUrl } = await stub(counts, counts, good, status(503), good);
  const embedder = embedderOf(baseUrl, { batchSize: 2 });
  const spent: number[] = [];
  await embedder.embed(['a', 'b', 'c'], undefined, (tokens) => spent.push(tokens));
  const text = 'as many characters as twelve estimated';
  await embedderOf(baseUrl).embedQuery(text, undefined, (tokens) => spent.push(tokens));
  await embedderOf(baseUrl).embedQuery(text, undefined, (tokens) => spent.push(tokens));
  expect(spent).toEqual([7, 7, tokensOf([text]), tokensOf([text])]);
});

test.each([
  ['429 without Retry-After', status(429)],
  ['429 with Retry-After', status(429, { 'retry-after': '0' })],
  ['500', status(500)],
  ['half a body', halfABody],
] as const)('%s is tried again until it passes', async (_, failing) => {
  const { asked, baseUrl } = await stub(failing, failing, good);
  expect(await embedderOf(baseUrl).embed(['text'])).toEqual([Float32Array.of(0.6, 0.8, 0)]);
  expect(asked).toHaveLength(3);
});

test('a persistent failure is reported as unavailable after six attempts for a batch and two for a query', async () => {
  const { asked, baseUrl } = await stub(status(503));
  const embedder = embedderOf(baseUrl);
  expect(await failureOf(embedder.embed(['text']))).toEqual(
    new EmbeddingUnavailable('The embedding server failed (503).'),
  );
  expect(asked).toHaveLength(6);
  expect(await failureOf(embedder.embedQuery('text'))).toBeInstanceOf(EmbeddingUnavailable);
  expect(asked).toHaveLength(8);
});

test('a server that has failed is asked by itself until it answers', async () => {
  const fails: Answer = (response) => send(response, {}, 503);
  const noted: boolean[] = [];
  const { baseUrl } = await stub(fails, fails, fails, good);
  const pauses = { firstPauseMs: 1, longestPauseMs: 4 };
  const embedder = embedderOf(baseUrl, { answered: (isUp) => noted.push(isUp), pauses });
  await expect(embedder.embedQuery('a')).rejects.toThrow(EmbeddingUnavailable);
  await until(() => noted.at(-1));
  expect(noted).toEqual([false, false, true]);
});

test('Retry-After is respected: no request is sent early, and a caller that cannot wait is given the delay', async () => {
  const { asked, baseUrl } = await stub(status(429, { 'retry-after': '30' }));
  const embedder = embedderOf(baseUrl);
  expect(await failureOf(embedder.embedQuery('text'))).toMatchObject({
    name: 'EmbeddingUnavailable',
    retryAfterMs: 30_000,
  });
  const giveUp = new AbortController();
  const waiting = failureOf(embedder.embed(['text'], giveUp.signal));
  giveUp.abort(new Error('lease lost'));
  expect(await waiting).toEqual(new Error('lease lost'));
  expect(asked.length).toBeLessThanOrEqual(2);
});

test('a stalled answer ends at the time limit, which covers its body', async () => {
  const { baseUrl } = await stub(stall);
  expect(await failureOf(embedderOf(baseUrl, { timeoutMs: 200 }).embedQuery('text'))).toEqual(
    new EmbeddingUnavailable('The embedding server (OPENAI_BASE_URL) did not finish its answer within 0.2 s.'),
  );
});

test('an abort ends a stalled answer at once, with the reason, and closes the connection', async () => {
  const giveUp = new AbortController();
  let closed: Promise<unknown> | undefined;
  const { asked, baseUrl } = await stub((response, ask) => {
    closed = new Promise((resolve) => response.once('close', resolve));
    stall(response, ask);
    giveUp.abort(new Error('the caller hung up'));
  });
  expect(await failureOf(embedderOf(baseUrl).embed(['text'], giveUp.signal))).toEqual(new Error('the caller hung up'));
  await closed;
  expect(asked).toHaveLength(1);
});

test('an unreachable server is reported as unavailable, with the reason', async () => {
  const { baseUrl } = await stub(good);
  await toClose.pop()!();
  expect((await failureOf(embedderOf(baseUrl).embedQuery('text'))).message).toMatch(/OPENAI_BASE_URL.*ECONNREFUSED/);
});

const vectors =
  (vector: unknown): Answer =>
  (response, { input }) =>
    send(response, { data: entries(input, () => vector) });

test.each<[string, Answer, RegExp]>([
  ['too few vectors', (response) => send(response, { data: entries('a', () => [1, 0]) }), /1 vectors for 2 texts/],
  [
    'too many vectors',
    (response) => send(response, { data: entries(['a', 'b', 'c'], () => [1]) }),
    /3 vectors for 2 texts/,
  ],
  ['base64 all the same', vectors('AACAPwAAAAA='), /something else than vectors.*OPENAI_EMBEDDING_MODEL/],
  ['nulls', vectors([1, null]), /something else than vectors/],
  ['empty vectors', vectors([]), /something else than vectors/],
  [
    'a web page',
    (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<p>'),
    /OPENAI_BASE_URL.*\/v1/,
  ],
  ['an error called success', (response) => send(response, { error: 'no' }), /OPENAI_BASE_URL/],
  [
    'two dimensions in one answer',
    (response, { input }) => send(response, { data: entries(input, (text) => Array(text.length).fill(1)) }),
    /vectors of 4 and of 6 dimensions.*OPENAI_EMBEDDING_MODEL/,
  ],
  ['401', status(401), /OPENAI_API_KEY/],
  ['404', status(404), /OPENAI_EMBEDDING_MODEL and OPENAI_BASE_URL/],
  ['400', status(400), /rejected the request \(400\).*OPENAI_EMBEDDING_MODEL/],
  ['an empty purse', status(429, {}, { code: 'insufficient_quota' }), /OPENAI_API_KEY has no quota/],
])('%s is asked once, and the error names the setting, never the key', async (_, answer, message) => {
  const { asked, baseUrl } = await stub(answer);
  const failure = await failureOf(embedderOf(baseUrl).embed(['text', 'longer']));
  expect(failure).not.toBeInstanceOf(EmbeddingUnavailable);
  expect(failure.message).toMatch(message);
  expect(`${failure.stack} ${JSON.stringify(failure)} ${failure.cause}`).not.toContain(KEY);
  expect(asked).toHaveLength(1);
});

test('a dimension that changes between requests is refused', async () => {
  const { baseUrl } = await stub(vectors([1, 0]), vectors([1, 0, 0]));
  const embedder = embedderOf(baseUrl);
  await embedder.embedQuery('one');
  expect((await failureOf(embedder.embedQuery('two'))).message).toMatch(/vectors of 2 and of 3 dimensions/);
});

test('closing aborts requests in progress', async () => {
  let reach = () => {};
  const reached = new Promise<void>((resolve) => {
    reach = resolve;
  });
  const { baseUrl } = await stub((response, asked) => {
    stall(response, asked);
    reach();
  });
  const embedder = embedderOf(baseUrl);
  const failure = failureOf(embedder.embed(['text']));
  await reached;
  await embedder.close();
  expect(await failure).toEqual(new EmbeddingUnavailable('The embedder is closed.'));
});

test('an embedder retains nothing of its finished requests', async () => {
  const embedder = embedderOf('http://127.0.0.1:1/v1');
  const ask = async (times: number) => {
    for (let i = 0; i < times; i++) {
      const giveUp = new AbortController();
      const failure = failureOf(embedder.embedQuery('text', giveUp.signal));
      giveUp.abort(new Error('the caller hung up'));
      await failure;
    }
  };
  expect(await heapGrowth(4_000, ask)).toBeLessThan(2 ** 19);
}, 300_000);
