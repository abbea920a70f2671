import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime';
import type { Parts } from '../parts.ts';
import { leaseMs, notYours } from './messages.ts';

/** Keeps a pending turn; ABORTED where it is no longer the caller's. */
export const extendTurn =
  ({ turns }: Pick<Parts, 'turns'>): Rpc<typeof ConversationsService.method.extendTurn> =>
  async ({ turnId, fence, lease }, call) => {
    if (!(await turns.extend(call.account, { id: turnId, fence }, leaseMs(lease)))) throw notYours();
    return {};
  };
