import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';

/** Gives a pending turn up. A turn that is no longer the caller's is left as it is. */
export const abandonTurn =
  ({ turns, beginnings }: Pick<Parts, 'turns' | 'beginnings'>): Rpc<typeof ConversationsService.method.abandonTurn> =>
  async ({ turnId, fence }, call) => {
    await beginnings.made(call.account, turnId);
    await turns.abandon(call.account, { id: turnId, fence });
    return {};
  };
