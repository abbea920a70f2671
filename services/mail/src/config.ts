import type { BlockList } from 'node:net';
import {
  ConfigError,
  type Env,
  type Listen,
  type ObjectsConfig,
  type ProcessConfig,
  type RootSecret,
  readLogConfig,
  readMailDomain,
  readNetworks,
  readObjectsConfig,
  readOps,
  readRpcTls,
  readSecret,
  type ServiceConfig,
} from '@parley/runtime';

export interface MailConfig extends Omit<ProcessConfig, 'mongodb' | 'bus'> {
  /** Where mail is received. */
  listen: Listen;
  domain: string;
  secret: RootSecret;
  rpcTls?: ServiceConfig['rpcTls'];
  objects: ObjectsConfig;
  /** Addresses of the services: host:port. */
  assistants: string;
  conversations: string;
  /** Files in PEM, for STARTTLS. */
  tls?: { cert: string; key: string } | undefined;
  limits: ReceivingLimits;
  sending: SendingConfig;
}

export interface ReceivingLimits {
  /** Relays whose senders count as authenticated, and which no limit by address holds for. */
  trusted: BlockList;
  connections: number;
  /** The largest mail that is received. */
  bytes: number;
  /** The most memory that all mails in progress may take. */
  bytesInFlight: number;
  /** Mails from one address. */
  perMinute: number;
}

export interface SendingConfig {
  /** The server that mail is sent through, or the directory that it is written to. */
  to: { smtp: string } | { dir: string };
  dkim?: { keyFile: string; selector: string } | undefined;
  /** Where the API is reached, for links in notices. */
  publicUrl?: string | undefined;
}

const MIB = 1024 * 1024;

export function readConfig(env: Env): MailConfig {
  const domain = readMailDomain(env);
  if (domain === undefined) throw new ConfigError('MAIL_DOMAIN is not set.');
  return {
    name: 'mail',
    ops: readOps(env),
    ...readLogConfig(env),
    graceMs: env.get('GRACE_SECONDS') * 1_000,
    listen: { host: env.get('HOST') ?? '0.0.0.0', port: env.get('MAIL_PORT') },
    domain,
    secret: readSecret(env),
    rpcTls: readRpcTls(env),
    objects: readObjectsConfig(env),
    assistants: env.get('ASSISTANTS_ADDRESS'),
    conversations: env.get('CONVERSATIONS_ADDRESS'),
    tls: readTls(env),
    limits: {
      trusted: readNetworks(env, 'MAIL_TRUSTED'),
      connections: env.get('MAIL_CONNECTIONS'),
      bytes: env.get('MAIL_MAX_MIB') * MIB,
      bytesInFlight: env.get('MAIL_IN_FLIGHT_MIB') * MIB,
      perMinute: env.get('MAIL_PER_MINUTE'),
    },
    sending: readSending(env),
  };
}

function readTls(env: Env): MailConfig['tls'] {
  const [cert, key] = [env.get('MAIL_TLS_CERT'), env.get('MAIL_TLS_KEY')];
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigError('MAIL_TLS_CERT and MAIL_TLS_KEY must be set together.');
  return cert === undefined ? undefined : { cert, key: key! };
}

function readSending(env: Env): SendingConfig {
  const [smtp, dir, keyFile] = [env.get('SMTP_URL'), env.get('MAIL_OUTBOX'), env.get('MAIL_DKIM_KEY')];
  if (smtp !== undefined && !/^smtps?:\/\/[^\s/]+\/?(\?\S*)?$/i.test(smtp))
    throw new ConfigError('SMTP_URL must be smtp://host:port or smtps://host:port, with user:password@ if needed.');
  if (smtp === undefined && dir === undefined) throw new ConfigError('SMTP_URL or MAIL_OUTBOX must be set.');
  return {
    to: smtp === undefined ? { dir: dir! } : { smtp },
    dkim: keyFile === undefined ? undefined : { keyFile, selector: env.get('MAIL_DKIM_SELECTOR') },
    publicUrl: env.get('PUBLIC_URL')?.replace(/(?<!\/)\/+$/, ''),
  };
}
