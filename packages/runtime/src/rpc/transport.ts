import type { EventEmitter } from 'node:events';
import {
  create,
  type DescMessage,
  type DescMethod,
  type DescService,
  fromBinary,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  type Client as ConnectClient,
  type ContextValues,
  createClient,
  type Transport,
  type UnaryResponse,
} from '@connectrpc/connect';
import { Client, credentials, Metadata, type StatusObject } from '@grpc/grpc-js';
import type { Log } from '../log.ts';
import { beginSpan, type OpenSpan } from '../telemetry/tracing.ts';
import { AFFINITY, affinityHeader } from './affinity.ts';
import { accountOf, contextOf } from './call.ts';
import { defaultMaxMessageBytes, encode, pathOf, RPC, rpcOf } from './codec.ts';
import { aborted, isAnswered, isDropped, toConnectError } from './connect-error.ts';
import { contextHeader } from './context.ts';
import './draining-sessions.ts';
import type { RpcObserver } from './rpc.ts';
import { statusName } from './status.ts';
import type { RpcTls } from './tls.ts';
import { watchConnecting } from './watch-connecting.ts';

export interface TransportOptions {
  /** host:port, with calls balanced over all addresses of the host; or a gRPC target (`ipv4:10.0.0.1:1,10.0.0.2:1`). */
  address: string;
  /** Absent: plaintext. */
  tls?: RpcTls | undefined;
  log?: Log;
  observe?: RpcObserver;
  /** Methods whose calls for an account go to the same one or two servers, which keep what they need for it. */
  affine?: readonly DescMethod[];
}

/** A Connect client that owns its connections. Dispose of it when done. */
export type RpcClient<S extends DescService> = ConnectClient<S> & AsyncDisposable;

const defaultTimeoutMs = 10_000;

const serviceConfig = (policy: string) => ({
  loadBalancingConfig: [{ [policy]: {} }],
  methodConfig: [
    {
      name: [{}],
      retryPolicy: {
        maxAttempts: 4,
        initialBackoff: '0.1s',
        maxBackoff: '1s',
        backoffMultiplier: 2,
        retryableStatusCodes: ['UNAVAILABLE'],
      },
    },
  ],
  // Without this, an outage of a service would quadruple the calls to it.
  retryThrottling: { maxTokens: 100, tokenRatio: 0.1 },
});

const channelOptions = {
  'grpc.service_config_disable_resolution': 1,
  'grpc.dns_min_time_between_resolutions_ms': 5_000,
  'grpc.initial_reconnect_backoff_ms': 100,
  'grpc.max_reconnect_backoff_ms': 2_000,
  // Detects within 9 s a replica that vanished without closing its connections. The timeout is the longer part, because
  // a busy process may be late to read the response. grpc-js servers do not limit pings.
  'grpc.keepalive_time_ms': 3_000,
  'grpc.keepalive_timeout_ms': 6_000,
  'grpc.keepalive_permit_without_calls': 1,
  'grpc.max_receive_message_length': defaultMaxMessageBytes,
  // Saves the cost of statistics that nobody reads.
  'grpc.enable_channelz': 0,
  // A proxy in the environment is for the outside world, not for our own services.
  'grpc.enable_http_proxy': 0,
};

/** An operator's program calls the server beside it so, whose certificate is for the name by which others call it. */
const OWN_MACHINE = '127.0.0.1:';

/** The headers of every response: handlers have no way to send any. */
const NO_HEADERS = new Headers();

/** A typed client of a service. Pass `call.onward()` to its calls. Errors are ConnectErrors whose message is public. */
export function rpcClient<S extends DescService>(service: S, options: TransportOptions): RpcClient<S> {
  const transport = createTransport(options);
  return Object.assign(createClient(service, transport), {
    async [Symbol.asyncDispose]() {
      transport.close();
    },
  });
}

/**
 * Carries Connect clients over a gRPC channel: unary and server-streaming calls, balanced over all addresses, with up to
 * four attempts on UNAVAILABLE. grpc-js makes none once an answer has begun; a unary call whose connection is lost then is
 * made once more here, as the same operation. The default deadline of a call is 10 seconds. To stop reading a stream early,
 * abort its signal: Connect's clients do not notify the transport when a loop is left.
 */
export function createTransport({
  address,
  tls,
  log,
  observe,
  affine = [],
}: TransportOptions): Transport & { close(): void } {
  const client = new Client(targetOf(address), tls?.channel ?? credentials.createInsecure(), {
    ...channelOptions,
    ...(address.startsWith(OWN_MACHINE) && tls?.serverName && { 'grpc.ssl_target_name_override': tls.serverName }),
    'grpc.service_config': JSON.stringify(serviceConfig(affine.length > 0 ? AFFINITY : 'round_robin')),
  });
  /** The headers of a call, with what decides where it goes. */
  function metadataOf(method: DescMethod, span: OpenSpan, ...args: Tail<Parameters<typeof toMetadata>>): Metadata {
    const metadata = toMetadata(method, ...args);
    for (const [name, value] of Object.entries(span.headers)) metadata.set(name, value);
    const account = affine.includes(method) ? args[2]?.get(accountOf) : undefined;
    if (account !== undefined) metadata.set(affinityHeader, account);
    return metadata;
  }
  const underWay = new Set<{ cancel(): void }>();
  watchConnecting(client.getChannel(), () => {
    for (const call of underWay) call.cancel();
  });

  /** Cancels the call when its signal aborts, and reports its outcome. */
  function follow<M extends DescMethod>(
    call: EventEmitter & { cancel(): void },
    method: M,
    span: OpenSpan,
    signal?: AbortSignal,
  ) {
    const began = performance.now();
    const cancel = () => call.cancel();
    underWay.add(call);
    signal?.addEventListener('abort', cancel, { once: true });
    call.once('status', (status: StatusObject) => {
      underWay.delete(call);
      signal?.removeEventListener('abort', cancel);
      const { parent, name } = method;
      span.end(status.code ? statusName(status.code) : undefined);
      observe?.rpc('client', parent.typeName, name, statusName(status.code), (performance.now() - began) / 1000);
      if (log && status.code && !signal?.aborted && !isAnswered(status)) {
        log.warn({ rpc: pathOf(method), code: statusName(status.code), detail: status.details }, 'no answer');
      }
    });
    return { service: method.parent, method, header: NO_HEADERS, trailer: NO_HEADERS };
  }

  return {
    close: () => client.close(),

    async unary(method, signal, timeoutMs, header, input, values) {
      const deadline = deadlineIn(timeoutMs);
      const bytes = encode(method.input, create(method.input, input));
      const attempt = () =>
        new Promise<UnaryResponse<typeof method.input, typeof method.output>>((resolve, reject) => {
          const span = beginCall(method);
          const call = client.makeUnaryRequest(
            pathOf(method),
            asIs,
            decoder(method.output),
            bytes,
            metadataOf(method, span, bytes, header, values),
            { deadline },
            (error, message) => {
              if (message === undefined) reject(error);
              else resolve({ stream: false, ...response, message });
            },
          );
          const response = follow(call, method, span, signal);
        });
      if (signal?.aborted) throw aborted(signal);
      try {
        return await attempt().catch((error) =>
          isDropped(error) && !signal?.aborted ? attempt() : Promise.reject(error),
        );
      } catch (error) {
        throw toConnectError(error, signal);
      }
    },

    async stream(method, signal, timeoutMs, header, input, values) {
      if (method.methodKind !== 'server_streaming')
        throw new Error(`${method.name}: client streaming is not supported`);
      if (signal?.aborted) throw aborted(signal);
      const bytes = encode(method.input, create(method.input, await first(input)));
      const span = beginCall(method);
      const call = client.makeServerStreamRequest(
        pathOf(method),
        asIs,
        decoder(method.output),
        bytes,
        metadataOf(method, span, bytes, header, values),
        { deadline: deadlineIn(timeoutMs) },
      );
      let failure: Error | undefined;
      call.on('error', (error) => {
        failure = error;
      });
      const response = follow(call, method, span, signal);
      await new Promise((resolve) => call.once('metadata', resolve).once('status', resolve));

      async function* messages() {
        try {
          yield* call as AsyncIterable<MessageShape<typeof method.output>>;
          if (failure) throw failure;
        } catch (error) {
          throw toConnectError(error, signal);
        }
      }
      return { stream: true, ...response, message: messages() };
    },
  };
}

const beginCall = (method: DescMethod): OpenSpan => beginSpan(rpcOf(method), { kind: 'client', attributes: RPC });

type Tail<T extends unknown[]> = T extends [unknown, ...infer Rest] ? Rest : never;

const targetOf = (address: string): string => (/^(dns|ipv4|ipv6|unix):/.test(address) ? address : `dns:///${address}`);

const deadlineIn = (timeoutMs: number | undefined): number =>
  Date.now() + (timeoutMs !== undefined && timeoutMs > 0 ? timeoutMs : defaultTimeoutMs);

/** Messages are encoded before the call, because its context is signed with them. */
const asIs = (bytes: Buffer): Buffer => bytes;

const decoder =
  <D extends DescMessage>(desc: D) =>
  (bytes: Buffer): MessageShape<D> =>
    fromBinary(desc, bytes);

async function first<T>(input: AsyncIterable<T>): Promise<T> {
  for await (const message of input) return message;
  throw new Error('A call needs a request.');
}

/** The headers of a call, and its context signed for this message. */
function toMetadata(
  method: DescMethod,
  message: Uint8Array,
  header: ConstructorParameters<typeof Headers>[0] = {},
  values?: ContextValues,
): Metadata {
  const metadata = new Metadata();
  const fields = Symbol.iterator in header ? header : Object.entries(header);
  for (const [name, value] of fields) metadata.set(name!, String(value));
  const context = values?.get(contextOf)?.(method, message);
  if (context !== undefined) metadata.set(contextHeader, context);
  return metadata;
}
