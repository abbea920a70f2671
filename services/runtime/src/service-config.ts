import type { KafkaConfig } from './bus/kafka/client.ts';
import { ConfigError, type Env } from './env.ts';
import type { LogFormat } from './log.ts';
import type { MongoConfig } from './mongo/connect.ts';
import type { S3Config } from './objects/s3-client.ts';

export interface Listen {
  host: string;
  /** 0 means any free port. */
  port: number;
}

/** The settings of every process. */
export interface ProcessConfig {
  name: string;
  /** The operations port (`/healthz`, `/readyz`, `/metrics`); none if absent. */
  ops?: Listen | undefined;
  mongodb: MongoConfig;
  bus: BusConfig;
  logLevel: string;
  /** Default: JSON. */
  logFormat?: LogFormat | undefined;
  /** How long running work may take once the process is asked to stop. */
  graceMs: number;
}

/** The settings of a process that serves RPCs. */
export interface ServiceConfig extends ProcessConfig {
  listen: Listen;
  /** The generated secret that all keys are derived from; the same in all processes. */
  secret: string;
}

/**
 * The bus, on Kafka or in MongoDB. All services share its topics or its database. Names of topics and groups begin with
 * `prefix`.
 */
export type BusConfig = ({ kafka: KafkaConfig } | { mongodb: MongoConfig }) & { prefix?: string | undefined };

/** The object store, on an S3-compatible server or in a directory. All processes share it. */
export type ObjectsConfig = { s3: S3Config } | { dir: string };

const MIN_SECRET = 32;

/**
 * Reads the settings of every process. The database is `<MONGODB_DATABASE_PREFIX>_<database>`; the default prefix is
 * `parley`. The bus is on Kafka if `KAFKA_BROKERS` is set, else in MongoDB; its topics and groups begin with `BUS_PREFIX`.
 */
export function readProcessConfig(env: Env, name: string, database = name): ProcessConfig {
  const uri = readMongoUri(env);
  const prefix = env.optional('MONGODB_DATABASE_PREFIX') ?? 'parley';
  return {
    name,
    ops: readOps(env),
    mongodb: { uri, database: `${prefix}_${database}` },
    bus: readBusConfig(env, name),
    ...readLogConfig(env),
    graceMs: env.integer('GRACE_SECONDS', 15, { max: 600 }) * 1000,
  };
}

/**
 * The address of MongoDB. What is acknowledged must survive, so an address that asks for less is refused: a single server may
 * have `w=1` with a journal, and `openMongo` refuses that for the member of a replica set.
 */
function readMongoUri(env: Env): string {
  const uri = env.text('MONGODB_URI');
  const [, options = ''] = uri.split('?', 2);
  const given = [...new URLSearchParams(options)];
  const option = (...names: string[]) => given.find(([name]) => names.includes(name.toLowerCase()))?.[1];
  const [w, isJournaled] = [option('w'), option('journal', 'j')];
  if (w !== undefined && w !== 'majority' && !(w === '1' && isJournaled === 'true'))
    throw new ConfigError(`MONGODB_URI asks for w=${w}: writes could be lost. Leave w out, or set w=majority.`);
  if (isJournaled === 'false')
    throw new ConfigError('MONGODB_URI turns the journal off: writes could be lost. Leave journal out.');
  return uri;
}

/** The operations port, if `OPS_PORT` is set. */
export function readOps(env: Env): Listen | undefined {
  const port = env.integer('OPS_PORT', 0, { max: 65_535 });
  return port ? { host: hostOf(env), port } : undefined;
}

/** Reads the settings of the bus, for processes and operators' programs. */
export function readBusConfig(env: Env, clientId: string): BusConfig {
  const prefix = env.optional('BUS_PREFIX');
  if (prefix !== undefined && !PREFIX.test(prefix))
    throw new ConfigError(
      'BUS_PREFIX must have 1 to 100 characters from a-z, 0-9 and . _ -, and begin with a letter or a digit.',
    );
  const brokers = env.addresses('KAFKA_BROKERS');
  if (brokers) return { kafka: { brokers, clientId }, prefix };
  const database = `${env.optional('MONGODB_DATABASE_PREFIX') ?? 'parley'}_bus`;
  return { mongodb: { uri: readMongoUri(env), database }, prefix };
}

/** LOG_LEVEL, and LOG_FORMAT: `json`, or `text` for a person. */
export const readLogConfig = (env: Env): Pick<ProcessConfig, 'logLevel' | 'logFormat'> => ({
  logLevel: env.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
  logFormat: env.oneOf('LOG_FORMAT', ['json', 'text'], 'json'),
});

/** The generated secret that all keys are derived from. */
export const readSecret = (env: Env): string => env.secret('PARLEY_SECRET', MIN_SECRET);

/** Reads the settings of a process that serves RPCs. */
export const readServiceConfig = (env: Env, name: string, database = name): ServiceConfig => ({
  ...readProcessConfig(env, name, database),
  listen: { host: hostOf(env), port: env.integer('RPC_PORT', 0, { max: 65_535 }) },
  secret: readSecret(env),
});

/** Reads the settings of the object store: an S3-compatible server if `MINIO_ENDPOINT` is set, else `OBJECTS_DIR`. */
export function readObjectsConfig(env: Env): ObjectsConfig {
  const endpoint = env.optional('MINIO_ENDPOINT');
  if (endpoint === undefined) return { dir: env.text('OBJECTS_DIR') };
  if (!ENDPOINT.test(endpoint)) throw new ConfigError('MINIO_ENDPOINT must be http://host:port or https://host:port.');
  const bucket = env.optional('MINIO_BUCKET') ?? 'parley';
  if (!BUCKET.test(bucket))
    throw new ConfigError(
      'MINIO_BUCKET must have 3 to 63 characters from a-z, 0-9 and -, and neither begin nor end with -.',
    );
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
const PREFIX = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

const hostOf = (env: Env): string => env.optional('HOST') ?? '0.0.0.0';
