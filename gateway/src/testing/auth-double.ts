import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import { AuthService, type Scope } from '@parley/proto/auth/v1/auth_service_pb';
import { notFound, permissionDenied, unauthenticated } from '@parley/runtime';
import { deriveId } from '@parley/runtime/rpc';
import { at, double, type Owned, pageOf, table } from './double-table.ts';

interface Key {
  account: string;
  scopes: Scope[];
  restricted?: boolean;
  expiresAt?: Date;
}

export function authDouble() {
  const keys = new Map<string, Key>();
  const personas = table<Owned & { name: string; imageUrl?: string }>('persona');
  const forOperators = () => Promise.reject(permissionDenied('Only the operator may do this.'));
  const state = { keys, verified: 0, deletedAccounts: [] as string[] };
  const apiKey = (key: string, { scopes, restricted, expiresAt }: Key) => ({
    id: deriveId(key),
    name: 'test',
    scopes,
    restricted: restricted ?? false,
    createdAt: at,
    expiresAt: expiresAt && timestampFromDate(expiresAt),
  });
  const handlers = double(AuthService, {
    async verifyKey({ key }) {
      state.verified += 1;
      const found = keys.get(key);
      if (!found) throw unauthenticated('This API key is not valid.');
      return { account: { id: found.account, name: 'Acme' }, apiKey: apiKey(key, found) };
    },
    async createApiKey({ scopes, restricted }, call) {
      const key = `parley_${call.operation}`;
      const made = { account: call.account, scopes, restricted };
      keys.set(key, made);
      const createdBy = { id: call.context.keyId!, name: 'test' };
      return { apiKey: { ...apiKey(key, made), createdBy }, key };
    },
    async listApiKeys(request, call) {
      const own = [...keys].filter(([, key]) => key.account === call.account);
      return pageOf(
        own.map(([key, found]) => apiKey(key, found)),
        request,
      );
    },
    async revokeApiKey({ id, keepCreated }) {
      const found = [...keys].find(([key]) => deriveId(key) === id);
      if (!found) throw notFound('There is no such API key.');
      keys.delete(found[0]);
      return { apiKey: apiKey(...found), revoked: keepCreated ? [] : [{ id: deriveId(id), name: 'created' }] };
    },
    async createPersona({ name, imageUrl }, call) {
      const row = { id: call.operation, account: call.account, name, ...(imageUrl !== undefined && { imageUrl }) };
      return { persona: personas.add(row) };
    },
    getPersona: async ({ id }, call) => ({ persona: personas.get(call.account, id) }),
    listPersonas: async (request, call) => pageOf(personas.of(call.account), request),
    async deletePersona({ id }, call) {
      const persona = personas.get(call.account, id);
      personas.remove(id);
      return { persona };
    },
    getUsage: async () => ({ items: [{ name: 'keys', used: 1n, limit: 1_000n }] }),
    createAccount: forOperators,
    listAccounts: forOperators,
    deleteAccount: forOperators,
    finishAccountDeletion: forOperators,
    async listDeletedAccounts(request, call) {
      call.requireCaller('gateway');
      return pageOf(
        state.deletedAccounts.map((id) => ({ id, deletedAt: at })),
        request,
      );
    },
  });
  return { state, handlers };
}
