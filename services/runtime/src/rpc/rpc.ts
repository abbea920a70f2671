import type {
  DescMethodServerStreaming,
  DescMethodUnary,
  DescService,
  MessageInitShape,
  MessageShape,
} from '@bufbuild/protobuf';
import type { Call } from './call.ts';

/** The handler of one unary method. It throws AppErrors; anything else reaches the caller as INTERNAL, without details. */
export type Rpc<M extends DescMethodUnary> = (
  request: MessageShape<M['input']>,
  call: Call,
) => Promise<MessageInitShape<M['output']>>;

/** The handler of one server-streaming method. */
export type RpcStream<M extends DescMethodServerStreaming> = (
  request: MessageShape<M['input']>,
  call: Call,
) => AsyncIterable<MessageInitShape<M['output']>>;

/** Exactly one handler for each method of a service. */
export type Handlers<S extends DescService> = {
  [K in keyof S['method']]: S['method'][K] extends DescMethodUnary
    ? Rpc<S['method'][K]>
    : S['method'][K] extends DescMethodServerStreaming
      ? RpcStream<S['method'][K]>
      : never;
};

/** A service and its handlers, for `createRpcServer`. */
export interface RpcService {
  desc: DescService;
  handlers: Record<string, Rpc<DescMethodUnary> | RpcStream<DescMethodServerStreaming>>;
}

export const service = <S extends DescService>(desc: S, handlers: Handlers<S>): RpcService => ({
  desc,
  handlers: handlers as RpcService['handlers'],
});

/** Reports each call to telemetry. `code` is 'ok' or the status in lower case, such as 'not_found'. */
export interface RpcObserver {
  rpc(side: 'server' | 'client', service: string, method: string, code: string, seconds: number): void;
}
