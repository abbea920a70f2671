import type { AddressInfo } from 'node:net';
import {
  type Component,
  createLog,
  createMetrics,
  createProcess,
  type Log,
  type Metrics,
  openMongo,
  type Process,
} from '@parley/runtime';
import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { createHttpServer } from './http/server.ts';
import { openServices } from './services.ts';
import { migrations } from './store/migrations.ts';

export interface Parts {
  metrics: Metrics;
}

export interface Gateway extends Process {
  /** Where it listens, once it has started. */
  address(): AddressInfo;
}

/** The public REST API, in front of all services. */
export function createGateway(config: GatewayConfig, overrides: Partial<Parts> = {}): Gateway {
  const log = createLog('gateway', config.logLevel);
  const parts: Parts = { metrics: createMetrics(), ...overrides };
  const mongo = openMongo(config.mongodb, migrations, log);
  const { services, component } = openServices(config.services, log, parts.metrics);
  const unready = () => gateway.unready();
  const app = createApp({ ...parts, config, log, db: mongo.db, services, unready });
  const { listen, graceMs, lingerMs } = config;
  const server = createHttpServer({ listen, handler: app.callback(), graceMs, lingerMs });
  const gateway = createProcess('gateway', log, [inBackground(mongo, log), component, server]);
  return Object.assign(gateway, { address: server.address });
}

/** Little needs the gateway's own database, so neither its start nor its readiness waits for it. */
const inBackground = (component: Component, log: Log): Component => ({
  name: component.name,
  async start(signal) {
    component.start?.(signal).catch((error) => {
      if (!signal.aborted) log.error({ err: error }, `${component.name} could not start`);
    });
  },
  stop: async () => component.stop?.(),
});
