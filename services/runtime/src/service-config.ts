import type { KafkaConfig } from './bus/kafka-client.ts';
import type { Env } from './env.ts';
import type { MongoConfig } from './mongo/connect.ts';

export interface Listen {
  host: string;
  /** 0: any free port. */
  port: number;
}

/** What every process is told. */
export interface ProcessConfig {
  name: string;
  /** Where operators look (`/healthz`, `/readyz`, `/metrics`); absent: nowhere. */
  ops?: Listen | undefined;
  mongodb: MongoConfig;
  bus: BusConfig;
  logLevel: string;
  /** How long work under way may take when the process is told to stop. */
  graceMs: number;
}

/** What a process that answers RPCs is told. */
export interface ServiceConfig extends ProcessConfig {
  listen: Listen;
  /** The one generated secret that every key is derived from; the same in all processes. */
  secret: string;
}

/** The bus on Kafka, or the one in MongoDB; its topics or its database are shared by all services. */
export type BusConfig = { kafka: KafkaConfig } | { mongodb: MongoConfig };

const MIN_SECRET = 32;

/**
 * Reads what every process is told; its database is `<MONGODB_DATABASE_PREFIX>_<database>`, the prefix being `parley`. The
 * bus is on Kafka where `KAFKA_BROKERS` is set, else in MongoDB.
 */
export function readProcessConfig(env: Env, name: string, database = name): ProcessConfig {
  const uri = env.text('MONGODB_URI');
  const prefix = env.optional('MONGODB_DATABASE_PREFIX') ?? 'parley';
  const brokers = env.addresses('KAFKA_BROKERS');
  const opsPort = env.integer('OPS_PORT', 0, { max: 65_535 });
  return {
    name,
    ops: opsPort ? { host: hostOf(env), port: opsPort } : undefined,
    mongodb: { uri, database: `${prefix}_${database}` },
    bus: brokers ? { kafka: { brokers, clientId: name } } : { mongodb: { uri, database: `${prefix}_bus` } },
    logLevel: env.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    graceMs: env.integer('GRACE_SECONDS', 15, { max: 600 }) * 1000,
  };
}

/** Reads what a process that answers RPCs is told. */
export const readServiceConfig = (env: Env, name: string, database = name): ServiceConfig => ({
  ...readProcessConfig(env, name, database),
  listen: { host: hostOf(env), port: env.integer('RPC_PORT', 0, { max: 65_535 }) },
  secret: env.secret('PARLEY_SECRET', MIN_SECRET),
});

const hostOf = (env: Env): string => env.optional('HOST') ?? '0.0.0.0';
