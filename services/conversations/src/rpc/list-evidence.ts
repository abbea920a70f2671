import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { evidenceMessage } from './evidence-message.ts';
import { refOf } from './messages.ts';

/** Returns what each answer rests on, in the order of the questions. */
export const listEvidence =
  ({ threads }: Pick<Dependencies, 'threads'>): Rpc<typeof ConversationsService.method.listEvidence> =>
  async ({ thread: ref, limit, nextCursor }, { account }) => {
    const thread = await threads.find(refOf(account, ref));
    const found = await threads.entries.evidenceOf(thread, { limit, nextCursor });
    return { ...found, items: found.items.map(evidenceMessage) };
  };
