import { type Env, type Listen, type MongoConfig, readSecret } from '@parley/runtime';

/** What the gateway is told. */
export interface GatewayConfig {
  listen: Listen;
  /** The one generated secret that every key is derived from; the same in all processes. */
  secret: string;
  /** The gateway's own small database: answers kept for repeated requests, and rate limits. */
  mongodb: MongoConfig;
  /** host:port of each service. */
  services: Addresses;
  /** Where clients reach the gateway, without `/v1`; absent: wherever they found it. */
  publicUrl?: string | undefined;
  limits: Limits;
  logLevel: string;
  /** How long requests under way may take when the process is told to stop. */
  graceMs: number;
  /** Before that, how long it still serves, and asks each client that comes to close its connection. */
  lingerMs: number;
}

export interface Addresses {
  auth: string;
  knowledge: string;
  assistants: string;
  conversations: string;
}

export interface Limits {
  /** Requests of one API key in a minute; 0: as many as it likes. */
  requestsPerMinute: number;
  /** How long a request may take, from its complete body to its answer. */
  requestMs: number;
  /** The same for a reply of an assistant, which waits for the model. */
  replyMs: number;
  /** How long a client may take to send a request. */
  bodyMs: number;
}

export const DEFAULT_LIMITS: Limits = {
  requestsPerMinute: 30_000,
  requestMs: 10_000,
  replyMs: 75_000,
  bodyMs: 30_000,
};

export function readConfig(env: Env): GatewayConfig {
  const seconds = (name: string, fallbackMs: number) =>
    env.integer(name, fallbackMs / 1000, { min: 1, max: 600 }) * 1000;
  return {
    listen: { host: env.optional('HOST') ?? '0.0.0.0', port: env.integer('PORT', 8080, { max: 65_535 }) },
    secret: readSecret(env),
    mongodb: {
      uri: env.text('MONGODB_URI'),
      database: `${env.optional('MONGODB_DATABASE_PREFIX') ?? 'parley'}_gateway`,
    },
    services: {
      auth: env.address('AUTH_ADDRESS'),
      knowledge: env.address('KNOWLEDGE_ADDRESS'),
      assistants: env.address('ASSISTANTS_ADDRESS'),
      conversations: env.address('CONVERSATIONS_ADDRESS'),
    },
    publicUrl: env.optional('PUBLIC_URL')?.replace(/\/+$/, ''),
    limits: {
      requestsPerMinute: env.integer('RATE_LIMIT_PER_MINUTE', DEFAULT_LIMITS.requestsPerMinute),
      requestMs: seconds('REQUEST_TIMEOUT_SECONDS', DEFAULT_LIMITS.requestMs),
      replyMs: seconds('REPLY_TIMEOUT_SECONDS', DEFAULT_LIMITS.replyMs),
      bodyMs: seconds('BODY_TIMEOUT_SECONDS', DEFAULT_LIMITS.bodyMs),
    },
    logLevel: env.oneOf('LOG_LEVEL', ['debug', 'info', 'warn', 'error', 'silent'], 'info'),
    graceMs: env.integer('GRACE_SECONDS', 15, { max: 600 }) * 1000,
    lingerMs: env.integer('LINGER_SECONDS', 0, { max: 60 }) * 1000,
  };
}
