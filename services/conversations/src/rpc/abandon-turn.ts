import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { settle } from '../store/settle.ts';

/** Gives a pending turn up. A turn that is no longer the caller's is left as it is. */
export const abandonTurn =
  (parts: Pick<Parts, 'turns' | 'chats'>): Rpc<typeof ConversationsService.method.abandonTurn> =>
  async ({ turnId, fence }, call) => {
    const abandoned = await parts.turns.abandon(call.account, { id: turnId, fence });
    if (abandoned) await settle(parts, abandoned);
    return {};
  };
