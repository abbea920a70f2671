import type { BlockList } from 'node:net';
import {
  type CertificateFiles,
  ConfigError,
  type Env,
  type Listen,
  type LogFormat,
  type ObjectsConfig,
  type OpsConfig,
  type RootSecret,
  readEnv,
  readLogConfig,
  readMongo,
  readNetworks,
  readObjectsConfig,
  readOps,
  readRpcTls,
  readSecret,
  type ServiceConfig,
} from '@parley/runtime';
import type { MongoConfig } from '@parley/runtime/mongo';
import { type Addresses, forEachService } from './services.ts';

/** Settings of the gateway. */
export interface GatewayConfig {
  listen: Listen;
  /** Files in PEM, for HTTPS instead of HTTP. */
  tls?: CertificateFiles | undefined;
  /** Where to serve `/healthz`, `/readyz` (with reasons) and `/metrics` for operators; absent: nowhere. */
  ops?: OpsConfig | undefined;
  /** Proxies whose `X-Forwarded-For` is trusted. */
  trustedProxies: BlockList;
  /** The header by which a proxy says that a visitor has passed its challenge; absent: none is asked for. */
  challengeHeader?: string | undefined;
  /** The generated secret that all keys are derived from; the same in all processes. */
  secret: RootSecret;
  /** The gateway's own small database: responses kept for idempotent retries, and rate limits. */
  mongodb: MongoConfig;
  /** Where uploads go. */
  objects: ObjectsConfig;
  services: Addresses;
  rpcTls?: ServiceConfig['rpcTls'];
  /** URL at which clients reach the gateway, without `/v1`; absent: the one they used. */
  publicUrl?: string | undefined;
  /** The built chat widget; absent in a checkout, where it is bundled when it is first asked for. */
  widgetFile?: string | undefined;
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
  /** How long a stream of what happens goes on before its client has to connect again. */
  streamMs: number;
  /** Such streams in progress; an account may have half of them. */
  streamsAtOnce: number;
  /** How long an upload may take. */
  uploadMs: number;
  /** Uploads in progress; an account may have half of them. Each holds up to 25 MB in memory. */
  uploadsAtOnce: number;
  /** How long a download may take. */
  downloadMs: number;
  /** Downloads in progress; an account may have half of them. Each holds a connection to the object store. */
  downloadsAtOnce: number;
  /** Bytes of request bodies in flight: being read or worked on. */
  bodiesBytes: number;
  /** The same for one API key. */
  bodiesBytesPerKey: number;
  /** Failed authentications per minute of one address; 0: unlimited. */
  authFailuresPerMinute: number;
  /** Requests per minute of all visitors at one address. 0: unlimited, here and in what follows. */
  visitorRequestsPerMinute: number;
  /** Messages, votes and the like per minute of one visitor. */
  visitorMessagesPerMinute: number;
  /** The same for all visitors at one address. */
  visitorAddressMessagesPerMinute: number;
  /** Messages per day of all visitors of a chatbot that has no limit of its own. */
  visitorMessagesPerDay: number;
  /** Replies in progress at this gateway, to one visitor. */
  visitorReplies: number;
  /** The same to all visitors at one address. */
  visitorAddressReplies: number;
}

const MIB = 1024 * 1024;
/** An account's limit, as a multiple of its keys' limit: keys can create keys. */
const ACCOUNT_FACTOR = 5;
const HEARTBEAT_MS = 10_000;
const STREAM_MS = 15 * 60_000;

export const readConfig = (env: Env): GatewayConfig => ({
  listen: { host: env.get('HOST') ?? '0.0.0.0', port: env.get('PORT') },
  tls: readTls(env),
  ops: readOps(env),
  trustedProxies: readNetworks(env, 'TRUSTED_PROXIES'),
  challengeHeader: readChallengeHeader(env),
  secret: readSecret(env),
  mongodb: readMongo(env, 'gateway'),
  objects: readObjectsConfig(env),
  services: forEachService((name) => env.get(`${name.toUpperCase() as Uppercase<typeof name>}_ADDRESS`)),
  rpcTls: readRpcTls(env),
  publicUrl: env.get('PUBLIC_URL')?.replace(/(?<!\/)\/+$/, ''),
  widgetFile: env.get('WIDGET_FILE'),
  limits: readLimits(env),
  ...readLogConfig(env),
  graceMs: env.get('GRACE_SECONDS') * 1000,
  lingerMs: env.get('LINGER_SECONDS') * 1000,
});

function readTls(env: Env): GatewayConfig['tls'] {
  const [cert, key] = [env.get('HTTP_TLS_CERT'), env.get('HTTP_TLS_KEY')];
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigError('HTTP_TLS_CERT and HTTP_TLS_KEY must be set together.');
  return cert === undefined ? undefined : { cert, key: key! };
}

const readLimits = (env: Env): Limits => ({
  requestsPerMinute: env.get('RATE_LIMIT_PER_MINUTE'),
  accountRequestsPerMinute:
    env.get('ACCOUNT_RATE_LIMIT_PER_MINUTE') ?? ACCOUNT_FACTOR * env.get('RATE_LIMIT_PER_MINUTE'),
  requestMs: env.get('REQUEST_TIMEOUT_SECONDS') * 1000,
  replyMs: env.get('REPLY_TIMEOUT_SECONDS') * 1000,
  bodyMs: env.get('BODY_TIMEOUT_SECONDS') * 1000,
  heartbeatMs: HEARTBEAT_MS,
  streamMs: STREAM_MS,
  streamsAtOnce: env.get('EVENT_STREAMS_AT_ONCE'),
  // The knowledge service gives up an upload after twenty minutes.
  uploadMs: env.get('UPLOAD_TIMEOUT_SECONDS') * 1000,
  uploadsAtOnce: env.get('UPLOADS_AT_ONCE'),
  downloadMs: env.get('DOWNLOAD_TIMEOUT_SECONDS') * 1000,
  downloadsAtOnce: env.get('DOWNLOADS_AT_ONCE'),
  bodiesBytes: env.get('BODIES_MAX_MIB') * MIB,
  bodiesBytesPerKey: env.get('BODIES_MAX_MIB_PER_KEY') * MIB,
  authFailuresPerMinute: env.get('AUTH_FAILURES_PER_MINUTE'),
  visitorRequestsPerMinute: env.get('VISITOR_REQUESTS_PER_MINUTE'),
  visitorMessagesPerMinute: env.get('VISITOR_MESSAGES_PER_MINUTE'),
  visitorAddressMessagesPerMinute: env.get('VISITOR_ADDRESS_MESSAGES_PER_MINUTE'),
  visitorMessagesPerDay: env.get('VISITOR_MESSAGES_PER_DAY'),
  visitorReplies: env.get('VISITOR_REPLIES_AT_ONCE'),
  visitorAddressReplies: env.get('VISITOR_ADDRESS_REPLIES_AT_ONCE'),
});

/** The limits of a gateway that sets none. */
export const DEFAULT_LIMITS: Limits = readLimits(readEnv({}));

/** The name of a header that only the proxies can set. */
function readChallengeHeader(env: Env): string | undefined {
  const header = env.get('VISITOR_CHALLENGE_HEADER');
  if (header === undefined) return undefined;
  if (!/^[A-Za-z0-9-]{1,64}$/.test(header))
    throw new ConfigError('VISITOR_CHALLENGE_HEADER must be the name of a header.');
  if (!env.has('TRUSTED_PROXIES'))
    throw new ConfigError('VISITOR_CHALLENGE_HEADER needs TRUSTED_PROXIES: the header counts only from these.');
  return header;
}
