import type { AddressInfo } from 'node:net';
import {
  createLog,
  createMetrics,
  inBackground,
  type Metrics,
  type Process,
  readCertificate,
  watchCertificate,
} from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { type ObjectStore, openObjects } from '@parley/runtime/objects';
import { openRpcTls, withOpsServer } from '@parley/runtime/rpc';
import { createApp } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { type BodyBudget, createBodyBudget } from './http/body-budget.ts';
import { createHttpServer } from './http/server.ts';
import { openServices } from './services.ts';
import { forgetDeletedAccounts } from './store/forget-accounts.ts';
import { migrations } from './store/migrations.ts';

export interface Dependencies {
  metrics: Metrics;
  /** Memory for request bodies. */
  budget: BodyBudget;
  /** Shared ones are started and stopped by their owner. */
  objects: ObjectStore;
}

export interface Gateway extends Process {
  /** Where it listens, once it has started. */
  address(): AddressInfo;
}

/** The public REST API, in front of all services. */
export function createGateway(config: GatewayConfig, overrides: Partial<Dependencies> = {}): Gateway {
  const log = createLog('gateway', config.logLevel, config.logFormat);
  const { bodiesBytes: maxBytes, bodiesBytesPerKey: maxBytesPerKey } = config.limits;
  const budget = createBodyBudget({ maxBytes, maxBytesPerKey });
  const metrics = overrides.metrics ?? createMetrics();
  const objects = overrides.objects ?? openObjects(config.objects, log, metrics);
  const dependencies: Dependencies = { budget, ...overrides, metrics, objects };
  const mongo = openMongo(config.mongodb, migrations, log);
  const tls = config.rpcTls && openRpcTls(config.rpcTls, log);
  const { services, component } = openServices(config.services, tls, log, metrics);
  const unready = () => gateway.unready();
  const leaving = () => server.leaving();
  const app = createApp({ ...dependencies, config, log, db: mongo.db, services, unready, leaving });
  const { listen, graceMs, lingerMs, limits } = config;
  const { bodyMs, uploadMs } = limits;
  const certificate = config.tls && readCertificate(config.tls);
  const server = createHttpServer({
    listen,
    certificate,
    handler: app.callback(),
    graceMs,
    lingerMs,
    bodyMs,
    uploadMs,
  });
  const gateway = withOpsServer({ name: 'gateway', ops: config.ops }, log, metrics, [
    // Few requests need it or the object store, so neither startup nor readiness waits for them.
    inBackground(mongo, log),
    ...(overrides.objects ? [] : [inBackground(objects, log)]),
    ...(tls ? [tls] : []),
    component,
    forgetDeletedAccounts({ db: mongo.db, auth: services.auth, secret: config.secret, log }),
    ...(config.tls && certificate ? [watchCertificate(config.tls, log, certificate, server.renew)] : []),
    server,
  ]);
  return Object.assign(gateway, { address: server.address });
}
