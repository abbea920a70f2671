import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import { quotaUsage, type Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';

export const getUsage =
  ({ usage }: Pick<Dependencies, 'usage'>): Rpc<typeof ConversationsService.method.getUsage> =>
  async (_, { account }) => ({ items: await quotaUsage(usage, account) });
