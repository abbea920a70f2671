import { createLoop, inBackground } from '@parley/runtime';
import { AUTH_TOPIC } from '@parley/runtime/bus';
import { createRelays, quotaCollection } from '@parley/runtime/mongo';
import { isDerivedId, openService, type RpcProcess, rpcProcess } from '@parley/runtime/rpc';
import type { AuthConfig } from './config.ts';
import type { Dependencies } from './dependencies.ts';
import { createKeyMint } from './domain/api-key.ts';
import { firstAccount } from './first-account.ts';
import { rpcs } from './rpc/index.ts';
import { keyCollection } from './store/auth-store.ts';
import { migrations } from './store/migrations.ts';
import { stores } from './store/stores.ts';

const REVOCATIONS_REST_MS = 10_000;

/** The auth service: accounts, their API keys and personas. */
export function createAuth(config: AuthConfig, overrides: Partial<Dependencies> = {}): RpcProcess {
  const { log, metrics, tls, mongo, bus } = openService(config, migrations, overrides);
  const dependencies: Dependencies = {
    metrics,
    ...stores(mongo.db, config.maxKeys),
    mint: createKeyMint(config.pepper, config.firstAccount?.key),
    ...overrides,
  };
  const { finishOne } = dependencies.store;
  const revocations = createLoop({ name: 'revocations', restMs: REVOCATIONS_REST_MS, log, round: finishOne });
  return rpcProcess({
    config,
    log,
    metrics,
    tls,
    components: [
      mongo,
      ...(config.firstAccount ? [firstAccount(dependencies, config.firstAccount, log)] : []),
      revocations,
      // Keys are verified without it.
      inBackground(bus, log),
      ...createRelays([keyCollection(mongo.db), quotaCollection(mongo.db)], {
        bus,
        log,
        metrics,
        otherTopic: AUTH_TOPIC,
      }),
    ],
    services: [rpcs(dependencies)],
    // The operation of an id that was derived from a name may be repeated at any time; the tombstone keeps the account deleted.
    accountData: { eraser: dependencies.deletion.eraser, erasedBy: 'finishAccountDeletion', keep: isDerivedId },
    callers: ['gateway'],
  });
}
