import { ConfigError, type Env, readSecret, readServiceConfig, type ServiceConfig } from '@parley/runtime';
import type { RunningSystem } from './account-program.ts';
import { KEY_SHAPE } from './domain/api-key.ts';
import { checkName } from './domain/name.ts';

export interface AuthConfig extends ServiceConfig {
  /** The account that is made at the first start; absent: none. */
  firstAccount?: FirstAccount | undefined;
}

export interface FirstAccount {
  name: string;
  /** Shaped like any API key, but drawn by whoever installs the system. */
  key: string;
}

export const readConfig = (env: Env): AuthConfig => ({
  ...readServiceConfig(env, 'auth'),
  firstAccount: readFirstAccount(env),
});

/** FIRST_ACCOUNT_KEY and FIRST_ACCOUNT_NAME; without the first, no account is made. */
function readFirstAccount(env: Env): FirstAccount | undefined {
  const key = env.optional('FIRST_ACCOUNT_KEY');
  const name = env.optional('FIRST_ACCOUNT_NAME') ?? 'First account';
  if (key === undefined) return undefined;
  if (!KEY_SHAPE.test(key)) throw new ConfigError('FIRST_ACCOUNT_KEY must be parley_ and 38 letters and digits.');
  try {
    return { key, name: checkName(name) };
  } catch (error) {
    throw new ConfigError(`FIRST_ACCOUNT_NAME is not a name: ${(error as Error).message}`);
  }
}

/** What the operator's program is told: AUTH_ADDRESS, by default that of an auth service in the same container. */
export const readOperatorConfig = (env: Env): RunningSystem => ({
  auth: env.address('AUTH_ADDRESS', `127.0.0.1:${env.integer('RPC_PORT', 0, { max: 65_535 })}`),
  secret: readSecret(env),
});
