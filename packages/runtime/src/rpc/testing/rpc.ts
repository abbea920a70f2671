import type { DescService } from '@bufbuild/protobuf';
import type { ConnectError } from '@connectrpc/connect';
import { afterEach } from '@jest/globals';
import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { pino } from 'pino';
import { AppError } from '../../errors.ts';
import { testCall } from '../../testing/index.ts';
import { type Call, type CallDependencies, monotonicNow } from '../call.ts';
import { type CallContext, contextSigner } from '../context.ts';
import { type Handlers, type RpcObserver, type RpcService, service } from '../rpc.ts';
import { createRpcServer, type RpcServer, type RpcServerOptions } from '../server.ts';
import { statusName } from '../status.ts';
import { type RpcClient, rpcClient, type TransportOptions } from '../transport.ts';

export const secret = 'the secret of these tests';

const cleanups: (() => PromiseLike<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const unimplemented = async (): Promise<never> => {
  throw new AppError('unimplemented', 'Not in this test.');
};

/** The auth service with the handlers that a test needs. Tests mostly call its VerifyKey: text in, text out. */
export const auth = (handlers: Partial<Handlers<typeof AuthService>>): RpcService => {
  const others = Object.fromEntries(AuthService.methods.map(({ localName }) => [localName, unimplemented]));
  return service(AuthService, { ...(others as unknown as Handlers<typeof AuthService>), ...handlers });
};

export const silent = pino({ level: 'silent' });

/** A log and an observer whose output a test can read. */
export function listener() {
  const lines: string[] = [];
  const calls: string[] = [];
  const observe: RpcObserver = { rpc: (side, _, method, code) => void calls.push(`${side} ${method} ${code}`) };
  return { lines, calls, observe, log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }) };
}

/** A running server on a free loopback port; it stops with its test. */
export async function startServer(
  services: RpcService[],
  options: Partial<RpcServerOptions> = {},
): Promise<RpcServer & { address: string; port: number }> {
  const server = createRpcServer({
    listen: { host: '127.0.0.1', port: 0 },
    secret,
    role: 'front',
    callers: ['gateway', 'front'],
    log: silent,
    services,
    ...options,
  });
  const { port } = await server.start();
  atEnd(() => server.stop(0));
  return { ...server, port, address: `127.0.0.1:${port}` };
}

/** A client that is closed with its test. */
export const connect = (address: string, options: Partial<TransportOptions> = {}): RpcClient<typeof AuthService> =>
  connectTo(AuthService, address, options);

export function connectTo<S extends DescService>(
  desc: S,
  address: string,
  options: Partial<TransportOptions> = {},
): RpcClient<S> {
  const client = rpcClient(desc, { address, ...options });
  atEnd(() => client[Symbol.asyncDispose]());
  return client;
}

/** Runs `cleanup` when the test ends. */
export const atEnd = (cleanup: () => PromiseLike<void>): void => void cleanups.push(cleanup);

/** A call as the gateway starts one: with a default deadline of 5 seconds. */
export const edgeCall = (overrides: Partial<CallContext & CallDependencies> = {}): Call =>
  testCall({ sign: contextSigner(secret, 'gateway'), deadline: monotonicNow() + 5_000, ...overrides });

/** How a call was refused: its status name and public message. */
export async function refusal(call: Promise<unknown>): Promise<{ code: string; message: string }> {
  try {
    await call;
  } catch (error) {
    const { code, rawMessage } = error as ConnectError;
    return { code: statusName(code), message: rawMessage };
  }
  return { code: 'ok', message: '' };
}
