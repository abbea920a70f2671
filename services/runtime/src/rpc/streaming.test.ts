import { Server, ServerCredentials } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { Health, HealthCheckResponse_ServingStatus as Status } from '@parley/proto/grpc/health/v1/health_pb';
import { notFound } from '../errors.ts';
import { gate } from '../testing/index.ts';
import { monotonicNow } from './call.ts';
import { contextSigner } from './context.ts';
import { type RpcStream, service } from './rpc.ts';
import { serve } from './serve.ts';
import { atEnd, connectTo, edgeCall, refusal, secret, silent } from './testing/rpc.ts';

/** A client of a server with the given handler for the health stream: Watch is the only streaming method. */
async function watching(watch: RpcStream<typeof Health.method.watch>) {
  const server = new Server();
  const { sign, verify } = contextSigner(secret);
  serve(server, service(Health, { check: async () => ({}), watch }), { authenticate: verify, sign, log: silent });
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
