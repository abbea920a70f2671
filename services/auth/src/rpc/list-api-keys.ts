import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { apiKeyMessage } from './messages.ts';

export const listApiKeys =
  ({ store }: Pick<Parts, 'store'>): Rpc<typeof AuthService.method.listApiKeys> =>
  async (request, call) => {
    const page = await store.listKeys(call.account, request);
    return { ...page, items: page.items.map(apiKeyMessage) };
  };
