import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { apiKeyMessage } from './messages.ts';

/** A key may revoke itself; gateways forget it within ten seconds. */
export const revokeApiKey =
  ({ store }: Pick<Parts, 'store'>): Rpc<typeof AuthService.method.revokeApiKey> =>
  async ({ id }, call) => ({ apiKey: apiKeyMessage(await store.revokeKey(call.account, id)) });
