import { once } from 'node:events';
import { constants, createServer, type Http2Session } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { expect, test } from '@jest/globals';
import { AppError, type ErrorCode, unavailableDoNotRetry } from '../errors.ts';
import { until } from '../testing/index.ts';
import { contextHeader } from './context.ts';
import { auth, connect, edgeCall, listener, refusal, startServer } from './testing/rpc.ts';

/** A message without fields, as gRPC frames it: not compressed, four bytes of its length. */
const EMPTY = Buffer.alloc(5);

test('only UNAVAILABLE is retried, in up to four attempts', async () => {
  let asked = 0;
  let code: ErrorCode;
  const { address } = await startServer([
    auth({
      async verifyKey() {
        asked++;
        throw new AppError(code, 'No.');
      },
    }),
  ]);
  const client = connect(address);
  const tries = async (of: ErrorCode) => {
    asked = 0;
    code = of;
    expect(await refusal(client.verifyKey({}, edgeCall().onward()))).toEqual({ code, message: 'No.' });
    return asked;
  };
  expect(await tries('unavailable')).toBe(4);
  for (const other of ['internal', 'aborted', 'resource_exhausted', 'deadline_exceeded', 'not_found'] as const) {
    expect(await tries(other)).toBe(1);
  }
});

test('an error that the handler has already retried is not retried by the client', async () => {
  let asked = 0;
  const { address } = await startServer([
    auth({
      async verifyKey() {
        asked++;
        throw unavailableDoNotRetry('Busy.');
      },
    }),
  ]);
  const refused = await refusal(connect(address).verifyKey({}, edgeCall().onward()));
  expect(refused).toEqual({ code: 'unavailable', message: 'Busy.' });
  expect(asked).toBe(1);
});

test('a retry carries the same operation id; a named step carries a different one, always the same', async () => {
  const operations: string[] = [];
  const { address } = await startServer([
    auth({
      async verifyKey(_, { operation }) {
        operations.push(operation);
        if (operations.length === 1) throw new AppError('unavailable', 'Not yet.');
        return {};
      },
    }),
  ]);
  const client = connect(address);
  const call = edgeCall();
  await client.verifyKey({}, call.onward());
  await client.verifyKey({}, call.onward('second'));
  await client.verifyKey({}, call.onward('second'));
  await client.verifyKey({}, call.onward('third'));
  expect(operations[0]).toBe(call.operation);
  expect(operations[1]).toBe(call.operation);
  expect(operations[2]).toBe(operations[3]);
  expect(new Set(operations).size).toBe(3);
});

test('calls are balanced over all addresses of a service, and continue if one of them dies', async () => {
  const named = (name: string) => startServer([auth({ verifyKey: async () => ({ account: { name } }) })]);
  const [a, b] = await Promise.all([named('a'), named('b')]);
  const client = connect(`ipv4:${a.address},${b.address}`);
  const answers = async (calls: number) => {
    const names = [];
    for (let i = 0; i < calls; i++) names.push((await client.verifyKey({}, edgeCall().onward())).account?.name);
    return names.sort().join('');
  };
  // Until both are connected, the first one gets all calls.
  await until(
    () => answers(4),
    (names) => names === 'aabb',
  );
  await a.stop(0);
  expect(await answers(4)).toBe('bbbb');
});

test('a client reconnects to its server after a restart', async () => {
  const services = [auth({ verifyKey: async () => ({}) })];
  const first = await startServer(services);
  const client = connect(first.address);
  await client.verifyKey({}, edgeCall().onward());
  await first.stop(0);
  expect((await refusal(client.verifyKey({}, edgeCall().onward()))).code).toBe('unavailable');
  await startServer(services, { listen: { host: '127.0.0.1', port: first.port } });
  const code = async () => (await refusal(client.verifyKey({}, edgeCall().onward()))).code;
  expect(await until(code, (code) => code !== 'unavailable')).toBe('ok');
});

test('a host name is resolved to all its addresses', async () => {
  const { port } = await startServer([auth({ verifyKey: async () => ({}) })]);
  await connect(`localhost:${port}`).verifyKey({}, edgeCall().onward());
});

test('if no server answers, the caller gets a message and only the log has the address', async () => {
  const { port, stop } = await startServer([]);
  await stop(0);
  const { log, lines, observe, calls } = listener();
  const client = connect(`127.0.0.1:${port}`, { log, observe });
  expect(await refusal(client.verifyKey({}, edgeCall().onward()))).toEqual({
    code: 'unavailable',
    message: 'A part of the system is unavailable. Try again in a moment.',
  });
  expect(lines.join()).toContain(String(port));
  expect(calls).toEqual(['client VerifyKey unavailable']);
});

test.each([
  ['without an error', constants.NGHTTP2_NO_ERROR],
  ['by an error', constants.NGHTTP2_INTERNAL_ERROR],
  ['as if its caller had cancelled it', constants.NGHTTP2_CANCEL],
])('a call whose stream is ended %s before its answer may be made again', async (_, code) => {
  const sessions = new Set<Http2Session>();
  const server = createServer()
    .on('session', (session) => sessions.add(session))
    .on('stream', (stream) => stream.on('error', () => {}).close(code));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const refused = await refusal(client.verifyKey({}, edgeCall().onward()));
  for (const session of sessions) session.destroy();
  server.close();
  expect(refused).toEqual({
    code: 'unavailable',
    message: 'A part of the system is unavailable. Try again in a moment.',
  });
});

test('a call whose connection is lost in the middle of its answer is made again, as the same operation', async () => {
  const operations: unknown[] = [];
  const sockets: Socket[] = [];
  const server = createServer()
    .on('connection', (socket: Socket) => sockets.push(socket))
    .on('stream', (stream, headers) => {
      const [, payload = ''] = String(headers[contextHeader]).split('.');
      operations.push(JSON.parse(Buffer.from(payload, 'base64url').toString()).context.operation);
      stream.on('error', () => {});
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true });
      if (operations.length === 1) return stream.write(EMPTY.subarray(1), () => sockets[0]!.destroy());
      stream.once('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' })).end(EMPTY);
    });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const call = edgeCall();
  const { code } = await refusal(client.verifyKey({}, call.onward()));
  for (const socket of sockets) socket.destroy();
  server.close();
  expect(code).toBe('ok');
  expect(operations).toEqual([call.operation, call.operation]);
});
