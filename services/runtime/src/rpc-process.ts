import type { Log } from './log.ts';
import { translateMongoError } from './mongo/errors.ts';
import { type Component, createProcess, type Process } from './process.ts';
import type { RpcService } from './rpc/rpc.ts';
import { createRpcServer } from './rpc/server.ts';
import type { ProcessConfig, ServiceConfig } from './service-config.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { createOpsServer } from './telemetry/ops-server.ts';

/** A process that answers RPCs. */
export interface RpcProcess extends Process {
  /** The port it listens on, from the moment it has started. */
  port(): number;
}

/** What a server needs to stop when nothing is under way any more. */
const MARGIN_MS = 5_000;

/**
 * A process that answers RPCs: its components in their order (stores first), its services on `config.listen` when all of
 * them run, and where `config.ops` is set the operators' port, from the first moment on.
 */
export function rpcProcess(options: {
  config: ServiceConfig;
  log: Log;
  metrics: Metrics;
  components: Component[];
  services: RpcService[];
}): RpcProcess {
  const { config, log, metrics } = options;
  let port = config.listen.port;
  const server = createRpcServer({
    listen: config.listen,
    secret: config.secret,
    services: options.services,
    log,
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
  return Object.assign(operated(config, log, metrics, [...options.components, rpc]), { port: () => port });
}

/** A process of the given components with the operators' port in front, where `config.ops` is set. */
export function operated(
  config: Pick<ProcessConfig, 'name' | 'ops'>,
  log: Log,
  metrics: Metrics,
  components: Component[],
): Process {
  const ops = config.ops ? [createOpsServer({ ...config.ops, metrics, unready: () => process.unready() })] : [];
  const process: Process = createProcess(config.name, log, [...ops, ...components]);
  return process;
}

/** Something to be disposed of when the process stops, such as an RPC client. */
export const disposing = (name: string, resource: AsyncDisposable): Component => ({
  name,
  stop: async () => resource[Symbol.asyncDispose](),
});
