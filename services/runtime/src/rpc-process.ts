import type { Log } from './log.ts';
import { translateMongoError } from './mongo/errors.ts';
import { type Component, createProcess, type Process } from './process.ts';
import type { RpcService } from './rpc/rpc.ts';
import { createRpcServer } from './rpc/server.ts';
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

/**
 * A process that serves RPCs. Starts its components in order (stores first), then its services on `config.listen`. If
 * `config.ops` is set, the operations port is up from the beginning.
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

/** A process of the given components, with an operations port if `config.ops` is set. */
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

/** Disposes of a resource, such as an RPC client, when the process stops. */
export const disposing = (name: string, resource: AsyncDisposable): Component => ({
  name,
  stop: async () => resource[Symbol.asyncDispose](),
});
