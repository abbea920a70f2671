import { once } from 'node:events';
import {
  type DescMessage,
  type DescMethod,
  type DescMethodServerStreaming,
  type DescMethodUnary,
  fromBinary,
  type Message,
  type MessageShape,
} from '@bufbuild/protobuf';
import {
  type handleServerStreamingCall,
  type handleUnaryCall,
  Metadata,
  type Server,
  type ServerUnaryCall,
  type ServerWritableStream,
} from '@grpc/grpc-js';
import { AppError, invalidArgument } from '../errors.ts';
import type { Log } from '../log.ts';
import { beginSpan, isTraced, traceOf } from '../telemetry/tracing.ts';
import { type Call, monotonicNow, newCall } from './call.ts';
import { encode, pathOf, RPC, rpcOf } from './codec.ts';
import { contextHeader, type SignContext, type VerifyContext } from './context.ts';
import type { Rpc, RpcObserver, RpcService, RpcStream } from './rpc.ts';
import { answeredHeader, type PublicError, publicError, type StatusName, statusNumber } from './status.ts';

export interface ServeDependencies {
  verify: VerifyContext;
  sign: SignContext;
  log: Log;
  /** Translates an error of a store or another library for callers; undefined makes it an internal error. */
  translateError?(error: unknown): AppError | undefined;
  observe?: RpcObserver;
}

type Incoming = ServerUnaryCall<Buffer, Buffer> | ServerWritableStream<Buffer, Buffer>;

/** How far apart two timers for the same instant may fire. */
const timerSlackMs = 5;
const cancelled: PublicError = { code: 'canceled', message: 'The caller hung up.' };
const deadlinePassed: PublicError = { code: 'deadline_exceeded', message: 'The deadline passed.' };

/** Makes a grpc-js server answer the methods of a service with their handlers. */
export function serve(server: Server, { desc, handlers }: RpcService, dependencies: ServeDependencies): void {
  for (const method of desc.methods) {
    const path = pathOf(method);
    const handler: unknown = handlers[method.localName];
    if (handler === undefined) throw new Error(`${path} has no handler.`);
    // grpc-js sees only bytes, so that a message that can't be decoded is the caller's error and not an internal one.
    if (method.methodKind === 'unary') {
      server.register(path, unary(method, handler as Rpc<DescMethodUnary>, dependencies), asIs, asIs, 'unary');
    } else if (method.methodKind === 'server_streaming') {
      const stream = serverStream(method, handler as RpcStream<DescMethodServerStreaming>, dependencies);
      server.register(path, stream, asIs, asIs, 'serverStream');
    } else {
      throw new Error(`${path}: client streaming is not supported`);
    }
  }
}

const asIs = (bytes: Buffer): Buffer => bytes;

function unary(
  method: DescMethod,
  handler: Rpc<DescMethodUnary>,
  dependencies: ServeDependencies,
): handleUnaryCall<Buffer, Buffer> {
  return async (incoming, respond) => {
    let answer: Buffer | undefined;
    const error = await run(incoming, method, dependencies, async (request, call) => {
      answer = encode(method.output, await handler(request, call));
    });
    if (error) respond(toStatus(error));
    else respond(null, answer);
  };
}

function serverStream(
  method: DescMethod,
  handler: RpcStream<DescMethodServerStreaming>,
  dependencies: ServeDependencies,
): handleServerStreamingCall<Buffer, Buffer> {
  return async (outgoing) => {
    const error = await run(outgoing, method, dependencies, async (request, call) => {
      for await (const message of handler(request, call)) {
        call.signal.throwIfAborted();
        if (!outgoing.write(encode(method.output, message))) await once(outgoing, 'drain', { signal: call.signal });
      }
    });
    if (outgoing.cancelled) return;
    if (error) outgoing.emit('error', toStatus(error));
    else outgoing.end();
  };
}

/** Runs a handler within its deadline and its caller's trace. Returns the error for the caller, or undefined on success. */
async function run(...args: Parameters<typeof runUntraced>): Promise<PublicError | undefined> {
  const [incoming, method] = args;
  const from = isTraced() ? traceOf(incoming.metadata.getMap()) : {};
  // Probes of health come every second, from nobody.
  if (from['traceparent'] === undefined) return runUntraced(...args);
  const span = beginSpan(rpcOf(method), { kind: 'server', from, attributes: RPC });
  const error = await span.run(() => runUntraced(...args));
  span.end(error?.code);
  return error;
}

async function runUntraced(
  incoming: Incoming,
  method: DescMethod,
  dependencies: ServeDependencies,
  handle: (request: Message, call: Call) => Promise<void>,
): Promise<PublicError | undefined> {
  const began = performance.now();
  const limits = limitsOf(incoming);
  let call: Call | undefined;
  let error: PublicError | undefined;
  try {
    const { context, caller } = dependencies.verify(header(incoming.metadata), method, incoming.request);
    call = newCall(context, { ...dependencies, caller, ...limits });
    await handle(decode(method.input, incoming.request), call);
  } catch (caught) {
    const thrown = dependencies.translateError?.(caught) ?? caught;
    error = limits.ended() ?? publicError(thrown);
    const hidden = error.fault || (thrown instanceof AppError && thrown.cause !== undefined);
    const log = call?.log ?? dependencies.log;
    if (hidden) log[error.fault ? 'error' : 'warn']({ err: thrown, rpc: pathOf(method) }, 'rpc failed');
  }
  limits.release();
  const code: StatusName = (limits.ended() ?? error)?.code ?? 'ok';
  dependencies.observe?.rpc('server', method.parent.typeName, method.name, code, (performance.now() - began) / 1000);
  return error;
}

/** The deadline and the signal of a call. grpc-js itself responds to a caller whose deadline passes. */
function limitsOf(incoming: Incoming) {
  const controller = new AbortController();
  const remaining = Number(incoming.getDeadline()) - Date.now();
  const deadline = monotonicNow() + remaining;
  const late = () => monotonicNow() >= deadline - timerSlackMs;
  const abort = () => controller.abort(late() ? new AppError('deadline_exceeded', deadlinePassed.message) : undefined);
  if (incoming.cancelled) abort();
  // grpc-js emits "cancelled" whenever a call's stream closes, even after the response.
  else incoming.once('cancelled', abort);
  return {
    deadline,
    signal: controller.signal,
    ended: () => {
      if (!controller.signal.aborted) return undefined;
      return controller.signal.reason instanceof AppError ? deadlinePassed : cancelled;
    },
    release: () => incoming.off('cancelled', abort),
  };
}

function header(metadata: Metadata): string | undefined {
  const [value] = metadata.get(contextHeader);
  return typeof value === 'string' ? value : undefined;
}

function decode<D extends DescMessage>(desc: D, bytes: Buffer): MessageShape<D> {
  try {
    return fromBinary(desc, bytes);
  } catch (error) {
    throw invalidArgument(`The request is not a ${desc.typeName}.`, error);
  }
}

function toStatus({ code, message, retried }: PublicError) {
  const metadata = new Metadata();
  metadata.set(answeredHeader, code);
  // Retries of retries would multiply.
  if (retried && code === 'unavailable') metadata.set('grpc-retry-pushback-ms', '-1');
  // Percent-encoding throws on an unpaired surrogate; a round trip through UTF-8 replaces it.
  return { code: statusNumber(code), details: Buffer.from(message).toString(), metadata };
}
