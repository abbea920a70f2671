import type { AuthService } from '@parley/proto/auth/v1/auth_service_pb';
import { quotaUsage, type Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';

export const getUsage =
  ({ usage }: Pick<Dependencies, 'usage'>): Rpc<typeof AuthService.method.getUsage> =>
  async (_, { account }) => ({ items: await quotaUsage(usage, account) });
