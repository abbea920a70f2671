import { timestampFromDate } from '@bufbuild/protobuf/wkt';
import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { deriveId, type Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { checkName } from '../domain/name.ts';
import { ALL_SCOPES } from '../domain/scopes.ts';
import { OPERATORS_KEY } from '../store/model.ts';
import { accountMessage, apiKeyMessage } from './messages.ts';

/**
 * Creates an account and its first key, which holds every scope. A retry of the operation returns the same account and
 * replaces the key's secret: the one that an earlier answer showed stops working.
 */
export const createAccount =
  ({ store, mint }: Pick<Dependencies, 'store' | 'mint'>): Rpc<typeof AuthService.method.createAccount> =>
  async (request, call) => {
    call.requireOperator();
    const account = await store.createAccount(call.operation, checkName(request.name));

    const key = mint.mint();
    const apiKey = await store.createKey(account._id, {
      _id: deriveId(call.operation, 'first key'),
      name: 'First key',
      scopes: ALL_SCOPES,
      hash: mint.hash(key)!,
      expires_at: null,
      ...OPERATORS_KEY,
    });
    return { account: accountMessage(account), apiKey: apiKeyMessage(apiKey), key };
  };

export const listAccounts =
  ({ store }: Pick<Dependencies, 'store'>): Rpc<typeof AuthService.method.listAccounts> =>
  async (request, call) => {
    call.requireOperator();
    const page = await store.listAccounts(request);
    return { ...page, items: page.items.map(accountMessage) };
  };

/** Ends the account's keys. Its data is deleted afterwards, service by service. Idempotent. */
export const deleteAccount =
  ({ deletion }: Pick<Dependencies, 'deletion'>): Rpc<typeof AuthService.method.deleteAccount> =>
  async ({ id }, call) => {
    call.requireOperator();
    return { account: accountMessage(await deletion.begin(id)) };
  };

/** Idempotent. */
export const finishAccountDeletion =
  ({ deletion }: Pick<Dependencies, 'deletion'>): Rpc<typeof AuthService.method.finishAccountDeletion> =>
  async ({ id }, call) => {
    call.requireOperator();
    await deletion.finish(id);
    return {};
  };

export const listDeletedAccounts =
  ({ deletion }: Pick<Dependencies, 'deletion'>): Rpc<typeof AuthService.method.listDeletedAccounts> =>
  async (request, call) => {
    call.requireCaller('gateway');
    const page = await deletion.listFinished(request);
    return {
      ...page,
      items: page.items.map(({ _id, deleted_at }) => ({ id: _id, deletedAt: timestampFromDate(deleted_at) })),
    };
  };
