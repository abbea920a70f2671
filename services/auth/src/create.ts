import { createLog, createLoop, createMetrics } from '@parley/runtime';
import { createAccountSweeper, openMongo } from '@parley/runtime/mongo';
import { isDerivedId, type RpcProcess, rpcProcess } from '@parley/runtime/rpc';
import type { AuthConfig } from './config.ts';
import { createKeyMint } from './domain/api-key.ts';
import { firstAccount } from './first-account.ts';
import type { Parts } from './parts.ts';
import { rpcs } from './rpc/index.ts';
import { migrations } from './store/migrations.ts';
import { stores } from './store/stores.ts';

const REVOCATIONS_REST_MS = 10_000;

/** The auth service: accounts, their API keys and personas. */
export function createAuth(config: AuthConfig, overrides: Partial<Parts> = {}): RpcProcess {
  const log = createLog(config.name, config.logLevel, config.logFormat);
  const mongo = openMongo(config.mongodb, migrations, log);
  const parts: Parts = {
    metrics: createMetrics(),
    ...stores(mongo.db),
    mint: createKeyMint(config.secret, config.firstAccount?.key),
    ...overrides,
  };
  // The operation of an id that was derived from a name may be repeated at any time; the mark keeps the account deleted.
  const sweeper = createAccountSweeper({ eraser: parts.deletion.eraser, log, keep: isDerivedId });
  const { finishOne } = parts.store;
  const revocations = createLoop({ name: 'revocations', restMs: REVOCATIONS_REST_MS, log, round: finishOne });
  return rpcProcess({
    config,
    log,
    metrics: parts.metrics,
    components: [
      mongo,
      ...(config.firstAccount ? [firstAccount(parts, config.firstAccount, log)] : []),
      sweeper,
      revocations,
    ],
    services: [rpcs(parts)],
  });
}
