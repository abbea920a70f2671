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

/** The methods that `rpcProcess` adds to every service that stores data of accounts. */
type Added = 'deleteAccountData';

type OwnHandlers<S extends DescService> = Omit<Handlers<S>, Added> &
  Partial<Pick<Handlers<S>, keyof Handlers<S> & Added>>;

/** Does not compile with a handler that has no method, or without one for each method but those that `rpcProcess` adds. */
export const service = <S extends DescService, H extends OwnHandlers<S>>(
  desc: S,
  handlers: H & Record<Exclude<keyof H, keyof S['method']>, never>,
): RpcService => ({ desc, handlers: handlers as unknown as RpcService['handlers'] });

/** A file of RPCs: each export makes, of the service's dependencies, the handler of the method that has its name. */
type RpcFile<D> = Record<string, (dependencies: D) => unknown>;

type HandlersIn<File> = { [K in keyof File]: File[K] extends (dependencies: never) => infer Handler ? Handler : never };

type All<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer I) => void ? I : never;

/** The handlers that files of RPCs export. So an RPC is named once, where it is written. */
export function handlersOf<D, Files extends readonly RpcFile<D>[]>(
  dependencies: D,
  ...files: Files
): All<HandlersIn<Files[number]>> {
  const makers = files.flatMap((file) => Object.entries(file));
  return Object.fromEntries(makers.map(([name, make]) => [name, make(dependencies)])) as All<HandlersIn<Files[number]>>;
}

/** Reports each call to telemetry. `code` is 'ok' or the status in lower case, such as 'not_found'. */
export interface RpcObserver {
  rpc(side: 'server' | 'client', service: string, method: string, code: string, seconds: number): void;
}
