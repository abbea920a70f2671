import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  CannotRun,
  type Component,
  createLog,
  createMetrics,
  type Log,
  type Metrics,
  type Process,
} from '@parley/runtime';
import { openMongo } from '@parley/runtime/mongo';
import { type ObjectStore, openObjects } from '@parley/runtime/objects';
import { withOpsServer } from '@parley/runtime/rpc';
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
  const objects = overrides.objects ?? openObjects(config.objects, log);
  const parts: Dependencies = { metrics: createMetrics(), budget, ...overrides, objects };
  const mongo = openMongo(config.mongodb, migrations, log);
  const { services, component } = openServices(config.services, log, parts.metrics);
  const unready = () => gateway.unready();
  const app = createApp({ ...parts, config, log, db: mongo.db, services, unready });
  const { listen, graceMs, lingerMs, limits } = config;
  const { bodyMs, uploadMs } = limits;
  const server = createHttpServer({ listen, handler: app.callback(), graceMs, lingerMs, bodyMs, uploadMs });
  const gateway = withOpsServer({ name: 'gateway', ops: config.ops }, log, parts.metrics, [
    inBackground(mongo, log),
    ...(overrides.objects ? [] : [inBackground(objects, log)]),
    component,
    forgetDeletedAccounts({ db: mongo.db, auth: services.auth, secret: config.secret, log }),
    server,
  ]);
  return Object.assign(gateway, { address: server.address });
}

const FIRST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 60_000;

/**
 * Few requests need the gateway's own database or the object store, so neither startup nor readiness waits for them.
 * Starting them is retried until it succeeds; only a database that this release must not touch stops the gateway.
 */
function inBackground(component: Component, log: Log): Component {
  let fail: (reason: CannotRun) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    fail = reject;
  });

  async function keepStarting(signal: AbortSignal) {
    for (let waitMs = FIRST_WAIT_MS; !signal.aborted; waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
      try {
        return await component.start?.(signal);
      } catch (error) {
        if (signal.aborted) return;
        if (error instanceof CannotRun) return fail(error);
        log.error({ err: error }, `${component.name} could not start; retrying in ${waitMs / 1000} s`);
        await sleep(waitMs, undefined, { signal }).catch(() => {});
      }
    }
  }

  let starting: Promise<void> | undefined;
  return {
    name: component.name,
    failed,
    async start(signal) {
      starting = keepStarting(signal);
    },
    async stop() {
      await starting;
      await component.stop?.();
    },
  };
}
