import type { Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { OPERATOR, randomId } from '@parley/runtime/rpc';
import { migratedDatabase, testCall } from '@parley/runtime/testing';
import { createKeyMint } from '../domain/api-key.ts';
import { ALL_SCOPES } from '../domain/scopes.ts';
import { migrations } from '../store/migrations.ts';
import type { ApiKeyDoc } from '../store/model.ts';
import { type Stores, stores } from '../store/stores.ts';
import { handlers } from './index.ts';

export interface Asked {
  name?: string;
  scopes?: Scope[];
  restricted?: boolean;
}

export type KeyWorld = Awaited<ReturnType<typeof keyWorld>>;

/** The handlers of the auth service on a database of their own, and accounts whose keys call them. */
export async function keyWorld(maxKeys?: number) {
  const { db, migrate, drop } = migratedDatabase(migrations);
  await migrate();
  const dependencies = { ...stores(db, maxKeys), mint: createKeyMint(randomId()) };
  const rpc = handlers(dependencies);
  const request = (fields: object) => fields as never;
  const documents = db.collection<ApiKeyDoc>('api_keys');

  async function account() {
    const made = await rpc.createAccount(request({ name: 'Acme' }), testCall({ account: undefined, caller: OPERATOR }));
    const id = made.account!.id!;
    const first = made.apiKey!.id!;
    const as = (keyId = first, { scopes = ALL_SCOPES as string[], operation = randomId() } = {}) =>
      testCall({ account: id, keyId, scopes, operation });
    return {
      id,
      first,
      as,
      async create(asked: Asked = {}, call = as()) {
        const fields = { name: 'Made', scopes: [], restricted: false, ...asked };
        const { apiKey, key } = await rpc.createApiKey(request(fields), call);
        return { ...apiKey!, id: apiKey!.id!, key: key! };
      },
      revoke: (keyId: string, { call = as(), keepCreated = false } = {}) =>
        rpc.revokeApiKey(request({ id: keyId, keepCreated }), call),
      async names() {
        const { items } = await rpc.listApiKeys(request({ limit: 0, nextCursor: '' }), as());
        return items!.map(({ name }) => name);
      },
    };
  }

  return {
    rpc,
    stores: dependencies as Stores,
    documents,
    account,
    /** Returns whether a key works. */
    works: (key: string) =>
      rpc.verifyKey(request({ key }), testCall({ account: undefined })).then(
        () => true,
        () => false,
      ),
    end: drop,
  };
}
