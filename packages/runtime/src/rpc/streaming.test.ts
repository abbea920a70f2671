import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { AssistantsService, type StreamReplyResponse } from '@parley/proto/assistants/v1/assistants_service_pb';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@parley/proto/grpc/health/v1/health_pb';
import { AppError, notFound } from '../errors.ts';
import { gate } from '../testing/index.ts';
import { type Call, monotonicNow } from './call.ts';
import { contextSigner, contextVerifier } from './context.ts';
import { type Handlers, type RpcStream, service } from './rpc.ts';
import { serve } from './serve.ts';
import { atEnd, connectTo, edgeCall, refusal, secret, silent, startServer } from './testing/rpc.ts';

/** A client of a server with the given handler for the health stream: Watch is the only streaming method. */
async function watching(watch: RpcStream<typeof Health.method.watch>) {
  const server = new Server();
  const verify = contextVerifier(secret, Health, ['gateway']);
  const sign = contextSigner(secret, 'front');
  serve(server, service(Health, { check: async () => ({}), watch }), { verify, sign, log: silent });
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, p) =>
      error ? reject(error) : resolve(p),
    );
  });
  atEnd(async () => server.forceShutdown());
  return connectTo(Health, `127.0.0.1:${port}`);
}

test('a stream delivers its messages in order and ends', async () => {
  const client = await watching(async function* () {
    for (let i = 0; i < 1_000; i++) yield { status: (i % 4) as Status };
  });
  const statuses = [];
  const call = edgeCall({ deadline: monotonicNow() + 60_000 });
  for await (const { status } of client.watch({}, call.onward())) statuses.push(status);
  expect(statuses).toEqual(Array.from({ length: 1_000 }, (_, i) => i % 4));
});

test('an error that ends a stream arrives after the messages sent before it', async () => {
  const client = await watching(async function* () {
    yield { status: Status.SERVING };
    throw notFound('Gone.');
  });
  const statuses: Status[] = [];
  const reading = async () => {
    for await (const { status } of client.watch({}, edgeCall().onward())) statuses.push(status);
  };
  expect(await refusal(reading())).toEqual({ code: 'not_found', message: 'Gone.' });
  expect(statuses).toEqual([Status.SERVING]);
});

test('a stream without a signed context is refused', async () => {
  const client = await watching(async function* () {
    yield {};
  });
  const reading = async () => {
    for await (const _ of client.watch({}));
  };
  expect((await refusal(reading())).code).toBe('unauthenticated');
});

test('a reader that hangs up ends the stream at its source', async () => {
  const ended = gate<boolean>();
  const client = await watching(async function* (_, { signal }) {
    signal.addEventListener('abort', () => ended.open(true));
    while (true) yield { status: Status.SERVING };
  });
  const reader = new AbortController();
  const reading = async () => {
    for await (const _ of client.watch({}, edgeCall({ signal: reader.signal }).onward())) reader.abort();
  };
  expect((await refusal(reading())).code).toBe('canceled');
  expect(await ended.opened).toBe(true);
});

test('a silent stream ends at its deadline', async () => {
  const client = await watching(async function* (_, { signal }) {
    yield {};
    await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
  });
  const reading = async () => {
    for await (const _ of client.watch({}, edgeCall({ deadline: monotonicNow() + 200 }).onward()));
  };
  expect((await refusal(reading())).code).toBe('deadline_exceeded');
});

/** A server whose replies come in the parts that the handler yields. */
const replying = (handler: (call: Call) => AsyncIterable<string>, options = {}) => {
  const unimplemented = async () => {
    throw new AppError('unimplemented', 'Not in this test.');
  };
  const others = Object.fromEntries(AssistantsService.methods.map(({ localName }) => [localName, unimplemented]));
  const streamReply: RpcStream<typeof AssistantsService.method.streamReply> = async function* (_, call) {
    for await (const value of handler(call)) yield { event: { case: 'text', value } };
  };
  const handlers = { ...(others as unknown as Handlers<typeof AssistantsService>), streamReply };
  return startServer([service(AssistantsService, handlers)], options);
};

const textOf = ({ event }: StreamReplyResponse) => event.value;

test('a stopping server lets a running stream finish, and refuses new ones', async () => {
  const release = gate();
  const server = await replying(async function* () {
    yield 'a';
    await release.opened;
    yield 'b';
  });
  const client = connectTo(AssistantsService, server.address);
  const running = client.streamReply({}, edgeCall().onward())[Symbol.asyncIterator]();
  expect(textOf((await running.next()).value)).toBe('a');
  const stopped = server.stop(5_000);
  const late = async () => {
    for await (const _ of client.streamReply({}, edgeCall().onward()));
  };
  expect((await refusal(late())).code).toBe('unavailable');
  release.open();
  expect(textOf((await running.next()).value)).toBe('b');
  expect((await running.next()).done).toBe(true);
  await stopped;
});

test('a stream outlives the maximum age of its connection', async () => {
  const release = gate();
  const server = await replying(
    async function* () {
      yield 'a';
      await release.opened;
      yield 'b';
    },
    { maxConnectionAgeMs: 50 },
  );
  const client = connectTo(AssistantsService, server.address);
  const running = client.streamReply({}, edgeCall().onward())[Symbol.asyncIterator]();
  await running.next();
  const until = performance.now() + 200;
  // New calls go to new connections meanwhile.
  while (performance.now() < until) await client.streamReply({}, edgeCall().onward())[Symbol.asyncIterator]().next();
  release.open();
  expect(textOf((await running.next()).value)).toBe('b');
});

test('a stream whose connection is lost is made again, as the same operation, unless its first message has arrived', async () => {
  const sockets = new Set<Socket>();
  const operations: string[] = [];
  const arrived = gate();
  const lose = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = await replying(async function* ({ operation }) {
    if (operations.push(operation) === 1) lose();
    yield 'a';
    if (operations.length === 3) await arrived.opened.then(lose);
    yield 'b';
  });
  const way = createServer((socket) => {
    sockets.add(socket);
    const upstream = connect(server.port, '127.0.0.1');
    for (const one of [socket, upstream]) one.on('error', () => {});
    socket.once('close', () => sockets.delete(socket) && upstream.destroy());
    socket.pipe(upstream).pipe(socket);
  });
  await once(way.listen(0, '127.0.0.1'), 'listening');
  atEnd(async () => void way.close());
  const client = connectTo(AssistantsService, `127.0.0.1:${(way.address() as AddressInfo).port}`);
  const read = async (call: Call) => {
    let text = '';
    const reading = async () => {
      for await (const response of client.streamReply({}, call.onward())) {
        text += textOf(response);
        if (operations.length === 3) arrived.open();
      }
    };
    return { ...(await refusal(reading())), text };
  };
  const call = edgeCall();
  expect(await read(call)).toMatchObject({ code: 'ok', text: 'ab' });
  expect(operations).toEqual([call.operation, call.operation]);
  expect(await read(edgeCall())).toMatchObject({ code: 'unavailable', text: 'a' });
  expect(operations).toHaveLength(3);
});
