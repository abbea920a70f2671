import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { accountMessage } from './messages.ts';

export const listAccounts =
  ({ store }: Pick<Parts, 'store'>): Rpc<typeof AuthService.method.listAccounts> =>
  async (request, call) => {
    call.requireOperator();
    const page = await store.listAccounts(request);
    return { ...page, items: page.items.map(accountMessage) };
  };
