import type { KafkaConfig } from './bus/kafka/client.ts';
import type { RootSecret } from './derive-key.ts';
import { isEmailAddress } from './email-address.ts';
import { ConfigError, type Env } from './env.ts';
import type { LogFormat } from './log.ts';
import type { MongoConfig } from './mongo/connect.ts';
import type { S3Config } from './objects/s3-client.ts';
import type { RpcTlsConfig } from './rpc/tls.ts';

export interface Listen {
  host: string;
  /** 0 means any free port. */
  port: number;
}

/** Where the operations port is, and what it says of the process. */
export interface OpsConfig extends Listen {
  /** The commit that its image was built from. */
  commit?: string;
}

/** The settings of every process. */
export interface ProcessConfig {
  name: string;
  /** The operations port (`/healthz`, `/readyz`, `/metrics`); none if absent. */
  ops?: OpsConfig | undefined;
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
  secret: RootSecret;
  /** How RPCs are encrypted; absent: not at all. */
  rpcTls?: RpcTlsConfig | undefined;
}

/**
 * The bus, on Kafka or in MongoDB. All services share its topics or its database. Names of topics and groups begin with
 * `prefix`.
 */
export type BusConfig = ({ kafka: KafkaConfig } | { mongodb: MongoConfig }) & { prefix?: string | undefined };

/** The object store, on an S3-compatible server or in a directory. All processes share it. */
export type ObjectsConfig = { s3: S3Config } | { dir: string };

/**
 * Reads the settings of every process. The database is `<MONGODB_DATABASE_PREFIX>_<database>`; the default prefix is
 * `parley`. The bus is on Kafka if `KAFKA_BROKERS` is set, else in MongoDB; its topics and groups begin with `BUS_PREFIX`.
 */
export function readProcessConfig(env: Env, name: string, database = name): ProcessConfig {
  return {
    name,
    ops: readOps(env),
    mongodb: readMongo(env, database),
    bus: readBusConfig(env, name),
    ...readLogConfig(env),
    graceMs: env.get('GRACE_SECONDS') * 1000,
  };
}

/** A service's own database. */
export const readMongo = (env: Env, service: string): MongoConfig => ({
  uri: readMongoUri(env),
  database: `${env.get('MONGODB_DATABASE_PREFIX')}_${service}`,
  ...readMongoTls(env),
});

function readMongoTls(env: Env): Pick<MongoConfig, 'tls'> {
  const [cert, key] = [env.get('MONGODB_TLS_CERT'), env.get('MONGODB_TLS_KEY')];
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigError('MONGODB_TLS_CERT and MONGODB_TLS_KEY must be set together.');
  return cert === undefined ? {} : { tls: { cert, key: key! } };
}

/**
 * The address of MongoDB. What is acknowledged must survive, so an address that asks for less is refused: a single server may
 * have `w=1` with a journal, and `openMongo` refuses that for the member of a replica set.
 */
function readMongoUri(env: Env): string {
  const uri = env.get('MONGODB_URI');
  const [, options = ''] = uri.split('?', 2);
  const given = [...new URLSearchParams(options)];
  const valuesOf = (...names: string[]) =>
    given.flatMap(([name, value]) => (names.includes(name.toLowerCase()) ? [value] : []));
  const [[w], journal] = [valuesOf('w'), valuesOf('journal', 'j', 'fsync')];
  if (w !== undefined && w !== 'majority' && !(w === '1' && journal.includes('true')))
    throw new ConfigError(`MONGODB_URI asks for w=${w}: writes could be lost. Leave w out, or set w=majority.`);
  if (journal.includes('false'))
    throw new ConfigError('MONGODB_URI turns the journal off: writes could be lost. Leave journal out.');
  return uri;
}

/** The operations port, if `OPS_PORT` is set. */
export function readOps(env: Env): OpsConfig | undefined {
  const port = env.get('OPS_PORT');
  return port ? { host: hostOf(env), port, commit: env.get('PARLEY_COMMIT') } : undefined;
}

/** Reads the settings of the bus, for processes and operators' programs. */
export function readBusConfig(env: Env, clientId: string): BusConfig {
  const prefix = env.get('BUS_PREFIX');
  if (prefix !== undefined && !PREFIX.test(prefix))
    throw new ConfigError(
      'BUS_PREFIX must have 1 to 100 characters from a-z, 0-9 and . _ -, and begin with a letter or a digit.',
    );
  const brokers = env.get('KAFKA_BROKERS');
  if (brokers) return { kafka: { brokers, clientId, ...readKafkaSecurity(env, brokers) }, prefix };
  return { mongodb: readMongo(env, 'bus'), prefix };
}

function readKafkaSecurity(env: Env, brokers: string[]): Pick<KafkaConfig, 'tls' | 'sasl'> {
  const [tls, mechanism] = [env.get('KAFKA_TLS'), env.get('KAFKA_SASL')];
  const secured = tls ? { tls } : {};
  if (mechanism === undefined) return secured;
  if (!tls && !brokers.every((broker) => LOOPBACK.test(broker)))
    throw new ConfigError('KAFKA_SASL would send a password in plain text: set KAFKA_TLS=true.');
  return { ...secured, sasl: { mechanism, username: env.get('KAFKA_USERNAME'), password: env.get('KAFKA_PASSWORD') } };
}

/** LOG_LEVEL, and LOG_FORMAT: `json`, or `text` for a person. */
export const readLogConfig = (env: Env): Pick<ProcessConfig, 'logLevel' | 'logFormat'> => ({
  logLevel: env.get('LOG_LEVEL'),
  logFormat: env.get('LOG_FORMAT'),
});

/** The generated secret that all keys are derived from; while it is being turned, with the next one or those before it. */
export const readSecret = (env: Env): RootSecret => [
  env.get('PARLEY_SECRET'),
  ...env.get('PARLEY_SECRET_NEXT'),
  ...env.get('PARLEY_SECRET_PREVIOUS'),
];

/**
 * The secret of keys that outsiders keep for good: PARLEY_KEY_PEPPER, or else the secret, which then can't be turned.
 *
 * @throws ConfigError if the secret is being turned all the same
 */
export function readPepper(env: Env): string {
  if (env.has('PARLEY_KEY_PEPPER')) return env.get('PARLEY_KEY_PEPPER');
  if (env.has('PARLEY_SECRET_NEXT') || env.has('PARLEY_SECRET_PREVIOUS'))
    throw new ConfigError(
      'PARLEY_KEY_PEPPER is not set, so turning PARLEY_SECRET would end every API key: set it to the secret that they were made with.',
    );
  return env.get('PARLEY_SECRET');
}

/** Reads the settings of a process that serves RPCs. */
export const readServiceConfig = (env: Env, name: string, database = name): ServiceConfig => ({
  ...readProcessConfig(env, name, database),
  listen: { host: hostOf(env), port: env.get('RPC_PORT') },
  secret: readSecret(env),
  rpcTls: readRpcTls(env),
});

/** How RPCs are encrypted, if `RPC_TLS_DIR` is set. */
export function readRpcTls(env: Env): RpcTlsConfig | undefined {
  const dir = env.get('RPC_TLS_DIR');
  return dir === undefined ? undefined : { dir, mode: env.get('RPC_TLS_MODE'), name: env.get('RPC_TLS_NAME') };
}

/** Reads the settings of the object store: an S3-compatible server if `MINIO_ENDPOINT` is set, else `OBJECTS_DIR`. */
export function readObjectsConfig(env: Env): ObjectsConfig {
  const endpoint = env.get('MINIO_ENDPOINT');
  if (endpoint === undefined) return { dir: env.get('OBJECTS_DIR') };
  return {
    s3: readS3({
      endpoint: ['MINIO_ENDPOINT', endpoint],
      bucket: ['MINIO_BUCKET', env.get('MINIO_BUCKET')],
      ...(env.get('MINIO_CREDENTIALS') === 'keys' && {
        keys: { accessKey: env.get('MINIO_ACCESS_KEY'), secretKey: env.get('MINIO_SECRET_KEY') },
      }),
      region: env.get('MINIO_REGION'),
      ...(env.get('MINIO_AWAIT_RIGHTS') && { awaitRights: true }),
    }),
  };
}

/** A bucket on a server. Endpoint and bucket come with the names of their variables. */
export function readS3({
  endpoint: [endpointName, endpoint],
  bucket: [bucketName, bucket],
  ...rest
}: Omit<S3Config, 'endpoint' | 'bucket'> & Record<'endpoint' | 'bucket', [name: string, value: string]>): S3Config {
  if (!ENDPOINT.test(endpoint)) throw new ConfigError(`${endpointName} must be http://host:port or https://host:port.`);
  if (!BUCKET.test(bucket))
    throw new ConfigError(
      `${bucketName} must have 3 to 63 characters from a-z, 0-9 and -, and neither begin nor end with -.`,
    );
  return { endpoint, bucket, ...rest };
}

/** MAIL_DOMAIN, the domain of email inboxes; undefined if there is no mail. */
export function readMailDomain(env: Env): string | undefined {
  const domain = env.get('MAIL_DOMAIN')?.toLowerCase();
  if (domain !== undefined && !isEmailAddress(`postmaster@${domain}`))
    throw new ConfigError('MAIL_DOMAIN must be a domain such as mail.example.com.');
  return domain;
}

const LOOPBACK = /^(localhost|127\.\d+\.\d+\.\d+):/;
const ENDPOINT = /^https?:\/\/[a-z0-9._-]+(:\d{1,5})?\/?$/i;
const PREFIX = /^[a-z0-9][a-z0-9._-]{0,99}$/;
const BUCKET = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/;

const hostOf = (env: Env): string => env.get('HOST') ?? '0.0.0.0';
