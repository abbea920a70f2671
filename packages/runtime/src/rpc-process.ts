import type { Log } from './log.ts';
import { type AccountEraser, createAccountSweeper } from './mongo/deleted-accounts.ts';
import { translateMongoError } from './mongo/errors.ts';
import { CannotRun, type Component, createProcess, type Process } from './process.ts';
import { VERSION } from './release.ts';
import { OPERATOR, type Role } from './rpc/context.ts';
import { deleteAccountData } from './rpc/delete-account-data.ts';
import type { RpcService } from './rpc/rpc.ts';
import { createRpcServer } from './rpc/server.ts';
import type { RpcTls } from './rpc/tls.ts';
import type { ProcessConfig, ServiceConfig } from './service-config.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { createOpsServer } from './telemetry/ops-server.ts';

/** A process that serves RPCs. */
export interface RpcProcess extends Process {
  /** The port it listens on, once started. */
  port(): number;
}

/** How long an idle server may take to stop. */
const MARGIN_MS = 5_000;

/** How the data of deleted accounts leaves a process's database. */
export interface AccountData {
  eraser: AccountEraser;
  /** The method by which operators erase an account. Default: `deleteAccountData`, which the process then serves itself. */
  erasedBy?: string;
  /** As for `createAccountSweeper`. */
  keep?(account: string): boolean;
  forget?(account: string): void;
}

/**
 * A process that serves RPCs. Starts its components in order (stores first), then its services on `config.listen`. If
 * `config.ops` is set, the operations port is up from the beginning.
 *
 * @throws CannotRun if it stores data of accounts, and no method of its contract erases them.
 */
export function rpcProcess(options: {
  config: ServiceConfig;
  log: Log;
  metrics: Metrics;
  tls: RpcTls | undefined;
  components: Component[];
  services: RpcService[];
  accountData: AccountData | 'none';
  /** The processes that may call its services, as in `deploy/processes.ts`. Operators always may. */
  callers: readonly Role[];
}): RpcProcess {
  const { config, log, metrics, tls, accountData } = options;
  const isNone = accountData === 'none';
  let port = config.listen.port;
  const server = createRpcServer({
    listen: config.listen,
    secret: config.secret,
    role: config.name,
    callers: [...options.callers, OPERATOR],
    services: isNone ? options.services : erasing(options.services, accountData),
    log,
    tls,
    observe: metrics,
    translateError: translateMongoError,
  });
  const rpc: Component = {
    name: 'rpc server',
    async start() {
      ({ port } = await server.start());
      server.setServing(true);
    },
    async stop() {
      server.setServing(false);
      await server.stop(config.graceMs);
    },
    stopMs: config.graceMs + MARGIN_MS,
  };
  const sweeper = isNone ? [] : [createAccountSweeper({ ...accountData, log })];
  const components = [...(tls ? [tls] : []), ...options.components, ...sweeper, rpc];
  return Object.assign(withOpsServer(config, log, metrics, components), { port: () => port });
}

function erasing(services: RpcService[], { eraser, erasedBy = 'deleteAccountData' }: AccountData): RpcService[] {
  const names = services.map(({ desc }) => desc.typeName).join(', ');
  if (!services.some(({ desc }) => erasedBy in desc.method))
    throw new CannotRun(`${names} stores data of accounts, but its contract has no ${erasedBy}.`);
  const added = { deleteAccountData: deleteAccountData(eraser) } as object;
  return services.map(({ desc, handlers }) => ({ desc, handlers: { ...added, ...handlers } }));
}

/** A process of the given components, with an operations port if `config.ops` is set. */
export function withOpsServer(
  config: Pick<ProcessConfig, 'name' | 'ops'>,
  log: Log,
  metrics: Metrics,
  components: Component[],
): Process {
  for (const { name, ready, available = ready } of components) if (available) metrics.dependency(name, available);
  if (config.ops) metrics.build(VERSION, config.ops.commit ?? 'unknown');
  const ops = config.ops ? [createOpsServer({ ...config.ops, metrics, unready: (only) => process.unready(only) })] : [];
  const process: Process = createProcess(config.name, log, [...ops, ...components]);
  return process;
}

/** Disposes of a resource, such as an RPC client, when the process stops. */
export const disposing = (name: string, resource: AsyncDisposable): Component => ({
  name,
  stop: async () => resource[Symbol.asyncDispose](),
});
