import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Parts } from '../parts.ts';
import { refOf } from './messages.ts';

type Blocking = Pick<Parts, 'threads' | 'blocks' | 'bell'>;

/** Blocks the end user behind a thread. Questions that wait in it are refused at once. */
export const blockThread =
  ({ threads, blocks, bell }: Blocking): Rpc<typeof ConversationsService.method.blockThread> =>
  async ({ thread: ref }, { account }) => {
    const thread = await threads.find(refOf(account, ref));
    await blocks.block(thread);
    bell.ring(thread._id);
    return {};
  };

export const unblockThread =
  ({ threads, blocks }: Blocking): Rpc<typeof ConversationsService.method.unblockThread> =>
  async ({ thread: ref }, { account }) => {
    await blocks.unblock(await threads.find(refOf(account, ref)));
    return {};
  };
