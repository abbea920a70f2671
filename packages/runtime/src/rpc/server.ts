import { setTimeout as sleep } from 'node:timers/promises';
import { Server, ServerCredentials } from '@grpc/grpc-js';
import type { RootSecret } from '../derive-key.ts';
import type { AppError } from '../errors.ts';
import { randomId } from '../ids.ts';
import type { Log } from '../log.ts';
import type { Listen } from '../service-config.ts';
import { defaultMaxMessageBytes } from './codec.ts';
import { contextSigner, contextVerifier, type Role } from './context.ts';
import './draining-sessions.ts';
import { healthService } from './health.ts';
import type { RpcObserver, RpcService } from './rpc.ts';
import { serve } from './serve.ts';
import type { RpcTls } from './tls.ts';
import { type Listener, tlsListener } from './tls-listener.ts';

export interface RpcServerOptions {
  /** Port 0 takes any free port; `start` returns it. */
  listen: Listen;
  /** The generated secret, from which the keys of contexts are derived; the same in every process of a system. */
  secret: RootSecret;
  /** The role of this process in its calls. */
  role: Role;
  /** The roles that may call its services. */
  callers: readonly Role[];
  services: RpcService[];
  log: Log;
  /** Absent: plaintext. */
  tls?: RpcTls | undefined;
  observe?: RpcObserver;
  /** Translates an error of a store or another library for callers; undefined makes it an internal error. */
  translateError?(error: unknown): AppError | undefined;
  /** Clients reconnect at this age (± 10 %), and so find new servers. Default: one minute. */
  maxConnectionAgeMs?: number;
  /** Limit of one request or response. Default: 4 MiB. */
  maxMessageBytes?: number;
}

export interface RpcServer {
  start(): Promise<{ port: number }>;
  /** Refuses new calls at once and ends running ones after `graceMs`. */
  stop(graceMs: number): Promise<void>;
  /** Sets the status of `grpc.health.v1.Health`, which is NOT_SERVING at first. */
  setServing(serving: boolean): void;
}

/** A gRPC server that answers only signed calls of those who may make them, and health checks. */
export function createRpcServer(options: RpcServerOptions): RpcServer {
  const { listen, secret, role, callers, services, log, tls, observe, translateError } = options;
  const sign = contextSigner(secret, role);
  const health = healthService(services.map(({ desc }) => desc.typeName));
  const server = new Server(channelOptions(options));
  for (const service of services) {
    const verify = contextVerifier(secret, service.desc, callers);
    serve(server, service, { verify, sign, log, observe, translateError });
  }
  const anonymous = () => ({ context: { requestId: randomId(), operation: randomId() }, caller: '' });
  serve(server, health.service, { verify: anonymous, sign, log });
  const listener = tls ? tlsListener(server, listen, tls, log) : plaintextListener(server, listen);

  return {
    start: async () => ({ port: await listener.start() }),
    setServing: health.setServing,
    async stop(graceMs) {
      health.end();
      const closed = listener.close();
      const waiting = new AbortController();
      const idle = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      // grpc-js does not wait for the calls on connections that it has not accepted itself.
      await Promise.race([
        Promise.all([idle, closed]),
        sleep(graceMs, undefined, { signal: waiting.signal }).catch(() => {}),
      ]);
      waiting.abort();
      server.forceShutdown();
      listener.destroy();
    },
  };
}

/** grpc-js closes what it has opened itself. */
const plaintextListener = (server: Server, { host, port }: Listen): Listener => ({
  start: () =>
    new Promise((resolve, reject) => {
      const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
      server.bindAsync(target, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    }),
  close: async () => {},
  destroy() {},
});

function channelOptions({ maxConnectionAgeMs = 60_000, maxMessageBytes = defaultMaxMessageBytes }: RpcServerOptions) {
  return {
    // Running calls may finish, however long they take: each has a deadline.
    'grpc.max_connection_age_ms': maxConnectionAgeMs,
    'grpc.keepalive_time_ms': 30_000,
    'grpc.keepalive_timeout_ms': 10_000,
    'grpc.max_concurrent_streams': 1_000,
    // Saves the cost of statistics that nobody reads.
    'grpc.enable_channelz': 0,
    'grpc.max_receive_message_length': maxMessageBytes,
    'grpc.max_send_message_length': maxMessageBytes,
  };
}
