import type { Env } from './env.ts';
import type { MongoConfig } from './mongo/connect.ts';

export interface Listen {
  host: string;
  /** 0: any free port. */
  port: number;
}

/** What every service is told. */
export interface ServiceConfig {
  name: string;
  listen: Listen;
  /** Where operators look (`/healthz`, `/readyz`, `/metrics`); absent: nowhere. */
  ops?: Listen | undefined;
  /** The one generated secret that every key is derived from; the same in all processes. */
  secret: string;
  mongodb: MongoConfig;
  bus: BusConfig;
  logLevel: string;
  /** How long calls under way may take when the process is told to stop. */
  graceMs: number;
}

/** The durable bus in MongoDB; its database is shared by all services. */
export interface BusConfig {
  mongodb: MongoConfig;
}

const MIN_SECRET = 32;

/** Reads what every service is told; `name` also names its database. */
export function readServiceConfig(env: Env, name: string): ServiceConfig {
  const uri = env.text('MONGODB_URI');
  const opsPort = env.integer('OPS_PORT', 0, { max: 65_535 });
  const host = env.optional('HOST') ?? '0.0.0.0';
  return {
    name,
    listen: { host, port: env.integer('RPC_PORT', 0, { max: 65_535 }) },
    ops: opsPort ? { host, port: opsPort } : undefined,
    secret: env.secret('PARLEY_SECRET', MIN_SECRET),
    mongodb: { uri, database: `parley_${name}` },
    bus: { mongodb: { uri, database: 'parley_bus' } },
    logLevel: env.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    graceMs: env.integer('GRACE_SECONDS', 15, { max: 600 }) * 1000,
  };
}
