import { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { createLog, createMetrics, openMongo, type RpcProcess, rpcProcess, service } from '@parley/runtime';
import type { AuthConfig } from './config.ts';
import { createKeyMint } from './domain/api-key.ts';
import { firstAccount } from './first-account.ts';
import type { Parts } from './parts.ts';
import { createAccount } from './rpc/create-account.ts';
import { createApiKey } from './rpc/create-api-key.ts';
import { listAccounts } from './rpc/list-accounts.ts';
import { listApiKeys } from './rpc/list-api-keys.ts';
import { revokeApiKey } from './rpc/revoke-api-key.ts';
import { verifyKey } from './rpc/verify-key.ts';
import { authStore } from './store/auth-store.ts';
import { migrations } from './store/migrations.ts';

/** The auth service: accounts and the keys that act for them. */
export function createAuth(config: AuthConfig, overrides: Partial<Parts> = {}): RpcProcess {
  const log = createLog(config.name, config.logLevel);
  const mongo = openMongo(config.mongodb, migrations, log);
  const parts: Parts = {
    metrics: createMetrics(),
    store: authStore(mongo.db),
    mint: createKeyMint(config.secret, config.firstAccount?.key),
    ...overrides,
  };
  return rpcProcess({
    config,
    log,
    metrics: parts.metrics,
    components: [mongo, ...(config.firstAccount ? [firstAccount(parts, config.firstAccount)] : [])],
    services: [
      service(AuthService, {
        verifyKey: verifyKey(parts),
        createApiKey: createApiKey(parts),
        listApiKeys: listApiKeys(parts),
        revokeApiKey: revokeApiKey(parts),
        createAccount: createAccount(parts),
        listAccounts: listAccounts(parts),
      }),
    ],
  });
}
