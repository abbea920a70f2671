import type { KafkaConfig } from './bus/kafka-client.ts';
import { ConfigError, type Env } from './env.ts';
import type { MongoConfig } from './mongo/connect.ts';
import type { S3Config } from './objects/s3-client.ts';

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

/** Objects on a server that speaks S3, or in a directory; all processes have the same ones. */
export type ObjectsConfig = { s3: S3Config } | { dir: string };

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

/** The one generated secret that every key is derived from. */
export const readSecret = (env: Env): string => env.secret('PARLEY_SECRET', MIN_SECRET);

/** Reads what a process that answers RPCs is told. */
export const readServiceConfig = (env: Env, name: string, database = name): ServiceConfig => ({
  ...readProcessConfig(env, name, database),
  listen: { host: hostOf(env), port: env.integer('RPC_PORT', 0, { max: 65_535 }) },
  secret: readSecret(env),
});

/** Reads where objects are: on MinIO, or another server that speaks S3, where `MINIO_ENDPOINT` is set, else in `OBJECTS_DIR`. */
export function readObjectsConfig(env: Env): ObjectsConfig {
  const endpoint = env.optional('MINIO_ENDPOINT');
  if (endpoint === undefined) return { dir: env.text('OBJECTS_DIR') };
  if (!ENDPOINT.test(endpoint)) throw new ConfigError('MINIO_ENDPOINT must be http://host:port or https://host:port.');
  const bucket = env.optional('MINIO_BUCKET') ?? 'parley';
  if (!BUCKET.test(bucket))
    throw new ConfigError('MINIO_BUCKET must have 3 to 63 characters, of a to z, 0 to 9 and, not at its ends, -.');
  return {
    s3: {
      endpoint,
      accessKey: env.secret('MINIO_ACCESS_KEY', 3),
      secretKey: env.secret('MINIO_SECRET_KEY', 8),
      bucket,
      region: env.optional('MINIO_REGION') ?? 'us-east-1',
    },
  };
}

const ENDPOINT = /^https?:\/\/[a-z0-9._-]+(:\d{1,5})?\/?$/i;
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

const hostOf = (env: Env): string => env.optional('HOST') ?? '0.0.0.0';
