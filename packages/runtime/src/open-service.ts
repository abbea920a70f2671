import type { Bus } from './bus/bus.ts';
import { openBus } from './bus/open-bus.ts';
import { signedBus } from './bus/signed-bus.ts';
import { createLog } from './log.ts';
import { type MongoConfig, openMongo } from './mongo/connect.ts';
import type { Migration } from './mongo/migrations.ts';
import { openRpcTls } from './rpc/tls.ts';
import type { BusConfig, ServiceConfig } from './service-config.ts';
import { createMetrics, type Metrics } from './telemetry/metrics.ts';

/**
 * Opens what every service works with: its log, its metrics, its TLS, its database, and the bus, on which it signs. A bus of
 * `overrides` is shared; it is not among the service's own components, since its owner starts and stops it.
 */
export function openService(
  config: ServiceConfig & { mongodb: MongoConfig; bus: BusConfig },
  migrations: Migration[],
  overrides: { metrics?: Metrics; bus?: Bus },
) {
  const log = createLog(config.name, config.logLevel, config.logFormat);
  const metrics = overrides.metrics ?? createMetrics();
  const mongo = openMongo(config.mongodb, migrations, log);
  const signer = { secret: config.secret, role: config.name };
  const bus = signedBus(overrides.bus ?? openBus(config.bus, log, metrics), signer);
  const tls = config.rpcTls && openRpcTls(config.rpcTls, log);
  return { log, metrics, mongo, bus, tls, own: overrides.bus ? [mongo] : [mongo, bus] };
}
