import { Client, credentials, Metadata } from '@grpc/grpc-js';
import { expect, test } from '@jest/globals';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import fc from 'fast-check';
import { AppError, type ErrorCode, notFound, unavailable } from '../errors.ts';
import { randomId } from '../ids.ts';
import { gate } from '../testing/index.ts';
import type { Call } from './call.ts';
import { contextHeader, contextSigner, OPERATOR } from './context.ts';
import { somethingWentWrong } from './status.ts';
import { auth, connect, edgeCall, listener, refusal, secret, startServer } from './testing/rpc.ts';

const codes: ErrorCode[] = [
  'invalid_argument',
  'unauthenticated',
  'permission_denied',
  'not_found',
  'already_exists',
  'aborted',
  'failed_precondition',
  'resource_exhausted',
  'deadline_exceeded',
  'unimplemented',
  'internal',
];

test('a handler gets the request and the context of its caller, and its answer comes back', async () => {
  const call = edgeCall({ keyId: 'key', scopes: ['a'] });
  const seen = gate<unknown>();
  const { address } = await startServer([
    auth({
      async verifyKey({ key }, { context, account }) {
        seen.open(context);
        return { account: { id: account, name: key } };
      },
    }),
  ]);
  const { account } = await connect(address).verifyKey({ key: 'grüß 🙂' }, call.onward());
  expect(account).toMatchObject({ id: call.account, name: 'grüß 🙂' });
  expect(await seen.opened).toEqual(call.context);
});

test('a call without a context, or with a forged or expired one, is refused before its handler runs', async () => {
  let ran = 0;
  const { address } = await startServer([
    auth({
      async verifyKey() {
        ran++;
        return {};
      },
    }),
  ]);
  const client = connect(address);
  const context = { requestId: randomId(), operation: randomId() };
  const signedBy = (key: string, role: string, clock?: () => number) =>
    edgeCall({ ...context, sign: contextSigner(key, role, clock) }).onward();
  const old = signedBy(secret, 'gateway', () => Date.now() - 61_000);
  for (const options of [
    {},
    { headers: { [contextHeader]: 'x' } },
    signedBy('guessed', 'gateway'),
    signedBy(secret, 'x'),
  ])
    expect(await refusal(client.verifyKey({}, options))).toMatchObject({ code: 'unauthenticated' });
  expect(await refusal(client.verifyKey({}, old))).toMatchObject({ code: 'unavailable' });
  expect(ran).toBe(0);
});

test('a context that was seen on the wire opens nothing but the same request', async () => {
  const seen: string[] = [];
  const services = [auth({ verifyKey: async ({ key }) => ({ account: { name: key } }) })];
  const { address } = await startServer(services);
  const sign = contextSigner(secret, 'gateway');
  const watched = edgeCall({
    sign(...call) {
      seen.push(sign(...call));
      return seen.at(-1)!;
    },
  });
  const client = connect(address);
  await client.verifyKey({ key: 'own' }, watched.onward());
  const headers = { [contextHeader]: seen[0]! };
  expect((await client.verifyKey({ key: 'own' }, { headers })).account?.name).toBe('own');
  expect(await refusal(client.verifyKey({ key: 'other' }, { headers }))).toMatchObject({ code: 'unauthenticated' });
  expect(await refusal(client.deleteAccount({}, { headers }))).toMatchObject({ code: 'unauthenticated' });
});

test('an operation for operators is refused to every other role', async () => {
  const handlers = {
    async deleteAccount(_: unknown, call: Call) {
      call.requireOperator();
      return {};
    },
  };
  const { address } = await startServer([auth(handlers)], { callers: ['gateway', OPERATOR] });
  const as = (role: string) =>
    refusal(connect(address).deleteAccount({}, edgeCall({ sign: contextSigner(secret, role) }).onward()));
  expect(await as('gateway')).toEqual({ code: 'permission_denied', message: 'Only the operator may do this.' });
  expect((await as(OPERATOR)).code).toBe('ok');
});

test('an AppError reaches the caller with its code and its message, in any script', async () => {
  let error: AppError;
  const { address } = await startServer([
    auth({
      async verifyKey() {
        throw error;
      },
    }),
  ]);
  const client = connect(address);
  const { onward } = edgeCall({ deadline: Infinity });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...codes), fc.string({ unit: 'binary', maxLength: 40 }), async (code, message) => {
      error = new AppError(code, message);
      expect(await refusal(client.verifyKey({}, onward()))).toEqual({ code, message });
    }),
  );
});

test('half a surrogate pair in a message does not lose the error', async () => {
  const { address } = await startServer([
    auth({
      async verifyKey() {
        throw notFound('No item \ud83d.');
      },
    }),
  ]);
  expect(await refusal(connect(address).verifyKey({}, edgeCall().onward()))).toEqual({
    code: 'not_found',
    message: 'No item \ufffd.',
  });
});

test('an unexpected error is logged with its stack and reveals nothing to the caller', async () => {
  const { log, lines, observe, calls } = listener();
  const services = [
    auth({
      async verifyKey() {
        throw new TypeError('password=hunter2 at db-7.internal');
      },
    }),
  ];
  const { address } = await startServer(services, { log, observe });
  expect(await refusal(connect(address).verifyKey({}, edgeCall().onward()))).toEqual({
    code: 'internal',
    message: somethingWentWrong,
  });
  expect(lines).toHaveLength(1);
  expect(JSON.parse(lines[0]!)).toMatchObject({
    rpc: '/parley.auth.v1.AuthService/VerifyKey',
    err: { stack: expect.stringContaining('.test.ts') },
  });
  expect(calls).toEqual(['server VerifyKey internal']);
});

test("a library's error becomes what the translation says, with its cause only in the log", async () => {
  const { log, lines } = listener();
  const services = [
    auth({
      async verifyKey() {
        throw new RangeError('pool of db-7.internal is closed');
      },
    }),
  ];
  const translateError = (error: unknown) =>
    error instanceof RangeError ? new AppError('failed_precondition', 'Not now.', error) : undefined;
  const { address } = await startServer(services, { log, translateError });
  expect(await refusal(connect(address).verifyKey({}, edgeCall().onward()))).toEqual({
    code: 'failed_precondition',
    message: 'Not now.',
  });
  expect(lines.join()).toContain('db-7.internal');
});

test("another service's refusals pass through; its faults, and its refusals of our credentials, become internal errors", async () => {
  let error: Error;
  const back = await startServer([
    auth({
      async verifyKey() {
        throw error;
      },
    }),
  ]);
  const client = connect(back.address);
  const front = await startServer([auth({ verifyKey: (request, call) => client.verifyKey(request, call.onward()) })]);
  const outcome = async (thrown: Error) => {
    error = thrown;
    return await refusal(connect(front.address).verifyKey({}, edgeCall().onward()));
  };
  for (const code of codes.filter((c) => !['unauthenticated', 'unimplemented', 'internal'].includes(c))) {
    expect(await outcome(new AppError(code, 'Because.'))).toEqual({ code, message: 'Because.' });
  }
  const ours = { code: 'internal', message: somethingWentWrong };
  expect(await outcome(new AppError('unauthenticated', 'Because.'))).toEqual(ours);
  expect(await outcome(new AppError('unimplemented', 'Because.'))).toEqual(ours);
  expect(await outcome(new TypeError('secret'))).toEqual(ours);
});

test('bytes that are no such message are the caller’s error', async () => {
  const { address } = await startServer([auth({ verifyKey: async () => ({}) })]);
  const raw = new Client(address, credentials.createInsecure());
  const bytes = Buffer.from([0xff]);
  const metadata = new Metadata();
  metadata.set(
    contextHeader,
    contextSigner(secret, 'gateway')(edgeCall().context, AuthService.method.verifyKey, bytes),
  );
  const asIs = (bytes: Buffer) => bytes;
  const error = await new Promise((resolve) =>
    raw.makeUnaryRequest('/parley.auth.v1.AuthService/VerifyKey', asIs, asIs, bytes, metadata, resolve),
  );
  raw.close();
  expect(error).toMatchObject({ code: 3, details: 'The request is not a parley.auth.v1.VerifyKeyRequest.' });
});

test('a message over the limit is refused with RESOURCE_EXHAUSTED, in a request or a response', async () => {
  const { address } = await startServer(
    [auth({ verifyKey: async ({ key }) => ({ account: { name: key.repeat(1000) } }) })],
    { maxMessageBytes: 10_000 },
  );
  const client = connect(address);
  const outcome = (key: string) => refusal(client.verifyKey({ key }, edgeCall().onward()));
  expect((await outcome('ok')).code).toBe('ok');
  const tooLarge = { code: 'resource_exhausted', message: 'The message is too large.' };
  expect(await outcome('x'.repeat(11_000))).toEqual(tooLarge);
  expect(await outcome('x'.repeat(11))).toEqual(tooLarge);
});

test('a stopping server lets a running call finish and refuses new ones, whose callers see UNAVAILABLE', async () => {
  const started = gate();
  const release = gate();
  const server = await startServer([
    auth({
      async verifyKey({ key }) {
        started.open();
        if (key === 'slow') await release.opened;
        return { account: { name: 'done' } };
      },
    }),
  ]);
  const client = connect(server.address);
  const running = client.verifyKey({ key: 'slow' }, edgeCall().onward());
  await started.opened;
  const stopped = server.stop(5_000);
  expect((await refusal(client.verifyKey({ key: 'new' }, edgeCall().onward()))).code).toBe('unavailable');
  release.open();
  expect((await running).account?.name).toBe('done');
  await stopped;
});

test("a call that outlasts the grace period of a stop is ended, and its handler's signal aborts", async () => {
  const started = gate();
  const ended = gate<boolean>();
  const server = await startServer([
    auth({
      verifyKey: (_, { signal }) =>
        new Promise((_, reject) => {
          started.open();
          signal.addEventListener('abort', () => ended.open(true));
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
    }),
  ]);
  const running = refusal(connect(server.address).verifyKey({}, edgeCall().onward()));
  await started.opened;
  await server.stop(50);
  expect(await ended.opened).toBe(true);
  expect((await running).code).not.toBe('ok');
});

test('connections are replaced at their maximum age without failing a call', async () => {
  const { address } = await startServer([auth({ verifyKey: async () => ({}) })], { maxConnectionAgeMs: 50 });
  const client = connect(address);
  const until = performance.now() + 500;
  while (performance.now() < until) await client.verifyKey({}, edgeCall().onward());
});

test('retries of an unavailable service do not multiply across hops', async () => {
  let asked = 0;
  const back = await startServer([
    auth({
      async verifyKey() {
        asked++;
        throw unavailable('Unavailable.');
      },
    }),
  ]);
  const client = connect(back.address);
  const front = await startServer([auth({ verifyKey: (request, call) => client.verifyKey(request, call.onward()) })]);
  const outcome = await refusal(connect(front.address).verifyKey({}, edgeCall().onward()));
  expect(outcome).toEqual({ code: 'unavailable', message: 'Unavailable.' });
  expect(asked).toBe(4);
});
