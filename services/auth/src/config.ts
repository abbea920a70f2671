import {
  ConfigError,
  type Env,
  readPepper,
  readRpcTls,
  readSecret,
  readServiceConfig,
  type ServiceConfig,
} from '@parley/runtime';
import type { RunningSystem } from './account-program.ts';
import { KEY_SHAPE } from './domain/api-key.ts';
import { checkName } from './domain/name.ts';

export interface AuthConfig extends ServiceConfig {
  /** Secret from which the hashes of API keys are derived. */
  pepper: string;
  /** The account to create at the first start; none if absent. */
  firstAccount?: FirstAccount | undefined;
  /** The most API keys that an account may have. */
  maxKeys: number;
}

export interface FirstAccount {
  name: string;
  /** Shaped like any API key, but chosen by whoever installs the system. */
  key: string;
}

export const readConfig = (env: Env): AuthConfig => ({
  ...readServiceConfig(env, 'auth'),
  pepper: readPepper(env),
  firstAccount: readFirstAccount(env),
  maxKeys: env.get('QUOTA_API_KEYS'),
});

/** FIRST_ACCOUNT_KEY and FIRST_ACCOUNT_NAME; without the key, no account is created. */
function readFirstAccount(env: Env): FirstAccount | undefined {
  const key = env.get('FIRST_ACCOUNT_KEY');
  const name = env.get('FIRST_ACCOUNT_NAME');
  if (key === undefined) return undefined;
  if (!KEY_SHAPE.test(key)) throw new ConfigError('FIRST_ACCOUNT_KEY must be parley_ and 38 letters and digits.');
  try {
    return { key, name: checkName(name) };
  } catch (error) {
    throw new ConfigError(`FIRST_ACCOUNT_NAME is not valid: ${(error as Error).message}`);
  }
}

/**
 * AUTH_ADDRESS and the secret; the address defaults to an auth service in the same container. Deleting an account also
 * needs the addresses of the services that hold its data.
 */
export const readOperatorConfig = (env: Env): RunningSystem => ({
  auth: env.has('AUTH_ADDRESS') ? env.get('AUTH_ADDRESS') : `127.0.0.1:${env.get('RPC_PORT')}`,
  secret: readSecret(env),
  rpcTls: readRpcTls(env),
  data: () => ({
    assistants: env.get('ASSISTANTS_ADDRESS'),
    conversations: env.get('CONVERSATIONS_ADDRESS'),
    knowledge: env.get('KNOWLEDGE_ADDRESS'),
    events: env.get('EVENTS_ADDRESS'),
  }),
});
