import { BlockList, isIP } from 'node:net';
import {
  ConfigError,
  type Env,
  type Listen,
  type LogFormat,
  type ObjectsConfig,
  readLogConfig,
  readObjectsConfig,
  readOps,
  readSecret,
} from '@parley/runtime';
import type { MongoConfig } from '@parley/runtime/mongo';
import { type Addresses, forEachService } from './services.ts';

/** Settings of the gateway. */
export interface GatewayConfig {
  listen: Listen;
  /** Where to serve `/healthz`, `/readyz` (with reasons) and `/metrics` for operators; absent: nowhere. */
  ops?: Listen | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: BlockList;
  /** The generated secret that all keys are derived from; the same in all processes. */
  secret: string;
  /** The gateway's own small database: responses kept for idempotent retries, and rate limits. */
  mongodb: MongoConfig;
  /** Where uploads go. */
  objects: ObjectsConfig;
  services: Addresses;
  /** URL at which clients reach the gateway, without `/v1`; absent: the one they used. */
  publicUrl?: string | undefined;
  limits: Limits;
  logLevel: string;
  /** JSON by default. */
  logFormat?: LogFormat | undefined;
  /** How long requests in flight may take after the process is told to stop. */
  graceMs: number;
  /** How long it goes on serving before that, while asking clients to close their connections. */
  lingerMs: number;
}

export interface Limits {
  /** Requests per minute of one API key; 0: unlimited. */
  requestsPerMinute: number;
  /** The same for all keys of an account together. */
  accountRequestsPerMinute: number;
  /** How long a request may take, from its complete body to the response. */
  requestMs: number;
  /** The same for an assistant's reply, which waits for the model. */
  replyMs: number;
  /** How long a client may take to send a request; how long it may pause in an upload, or in reading an answer. */
  bodyMs: number;
  /** How often a stream of events is kept alive with a comment. */
  heartbeatMs: number;
  /** How long an upload may take. */
  uploadMs: number;
  /** Uploads in progress; an account may have half of them. Each holds up to 25 MB in memory. */
  uploadsAtOnce: number;
  /** Bytes of request bodies in flight: being read or worked on. */
  bodiesBytes: number;
  /** The same for one API key. */
  bodiesBytesPerKey: number;
  /** Failed authentications per minute of one address; 0: unlimited. */
  authFailuresPerMinute: number;
}

const MIB = 1024 * 1024;
/** An account's limit, as a multiple of its keys' limit: keys can create keys. */
const ACCOUNT_FACTOR = 5;
const REQUESTS_PER_MINUTE = 30_000;
/** The headers that report a limit have numbers of at most 15 digits. */
const MAX_PER_MINUTE = 1_000_000_000;

export const DEFAULT_LIMITS: Limits = {
  requestsPerMinute: REQUESTS_PER_MINUTE,
  accountRequestsPerMinute: ACCOUNT_FACTOR * REQUESTS_PER_MINUTE,
  requestMs: 10_000,
  replyMs: 75_000,
  bodyMs: 30_000,
  heartbeatMs: 10_000,
  uploadMs: 600_000,
  uploadsAtOnce: 8,
  bodiesBytes: 64 * MIB,
  bodiesBytesPerKey: 16 * MIB,
  authFailuresPerMinute: 120,
};

export function readConfig(env: Env): GatewayConfig {
  const seconds = (name: string, fallbackMs: number) =>
    env.integer(name, fallbackMs / 1000, { min: 1, max: 600 }) * 1000;
  const perMinute = (name: string, fallback: number) => env.integer(name, fallback, { max: MAX_PER_MINUTE });
  const requestsPerMinute = perMinute('RATE_LIMIT_PER_MINUTE', DEFAULT_LIMITS.requestsPerMinute);
  const mib = (name: string, fallback: number) => env.integer(name, fallback / MIB, { min: 1, max: 65_536 }) * MIB;
  return {
    listen: { host: env.optional('HOST') ?? '0.0.0.0', port: env.integer('PORT', 8080, { max: 65_535 }) },
    ops: readOps(env),
    trustedProxies: readNetworks(env, 'TRUSTED_PROXIES'),
    secret: readSecret(env),
    mongodb: {
      uri: env.text('MONGODB_URI'),
      database: `${env.optional('MONGODB_DATABASE_PREFIX') ?? 'parley'}_gateway`,
    },
    objects: readObjectsConfig(env),
    services: forEachService((name) => env.address(`${name.toUpperCase()}_ADDRESS`)),
    publicUrl: env.optional('PUBLIC_URL')?.replace(/\/+$/, ''),
    limits: {
      requestsPerMinute,
      accountRequestsPerMinute: perMinute('ACCOUNT_RATE_LIMIT_PER_MINUTE', ACCOUNT_FACTOR * requestsPerMinute),
      requestMs: seconds('REQUEST_TIMEOUT_SECONDS', DEFAULT_LIMITS.requestMs),
      replyMs: seconds('REPLY_TIMEOUT_SECONDS', DEFAULT_LIMITS.replyMs),
      bodyMs: seconds('BODY_TIMEOUT_SECONDS', DEFAULT_LIMITS.bodyMs),
      heartbeatMs: DEFAULT_LIMITS.heartbeatMs,
      // The knowledge service gives up an upload after twenty minutes.
      uploadMs: env.integer('UPLOAD_TIMEOUT_SECONDS', DEFAULT_LIMITS.uploadMs / 1000, { min: 1, max: 900 }) * 1000,
      uploadsAtOnce: env.integer('UPLOADS_AT_ONCE', DEFAULT_LIMITS.uploadsAtOnce, { min: 1, max: 1_000 }),
      bodiesBytes: mib('BODIES_MAX_MIB', DEFAULT_LIMITS.bodiesBytes),
      bodiesBytesPerKey: mib('BODIES_MAX_MIB_PER_KEY', DEFAULT_LIMITS.bodiesBytesPerKey),
      authFailuresPerMinute: env.integer('AUTH_FAILURES_PER_MINUTE', DEFAULT_LIMITS.authFailuresPerMinute),
    },
    ...readLogConfig(env),
    graceMs: env.integer('GRACE_SECONDS', 15, { max: 600 }) * 1000,
    lingerMs: env.integer('LINGER_SECONDS', 0, { max: 60 }) * 1000,
  };
}

/** Addresses and CIDRs, separated by commas. */
function readNetworks(env: Env, name: string): BlockList {
  const networks = new BlockList();
  for (const entry of env.optional(name)?.split(/\s*,\s*/) ?? []) {
    const [address = '', bits, ...rest] = entry.split('/');
    const family = isIP(address);
    const longest = family === 6 ? 128 : 32;
    const isRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= longest);
    if (!family || !isRange || rest.length > 0)
      throw new ConfigError(`${name} must be addresses or CIDRs, such as 10.0.0.0/8, separated by commas.`);
    networks.addSubnet(address, Number(bits ?? longest), family === 6 ? 'ipv6' : 'ipv4');
  }
  return networks;
}
