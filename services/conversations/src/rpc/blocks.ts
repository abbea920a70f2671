import type { ConversationsService } from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { refOf } from './messages.ts';

type Blocking = Pick<Dependencies, 'threads' | 'blocks' | 'notifier'>;

/** Blocks the end user behind a thread. Questions that wait in it are refused at once. */
export const blockThread =
  ({ threads, blocks, notifier }: Blocking): Rpc<typeof ConversationsService.method.blockThread> =>
  async ({ thread: ref }, { account }) => {
    const thread = await threads.find(refOf(account, ref));
    await blocks.block(thread);
    notifier.notify(thread._id);
    return {};
  };

export const unblockThread =
  ({ threads, blocks }: Blocking): Rpc<typeof ConversationsService.method.unblockThread> =>
  async ({ thread: ref }, { account }) => {
    await blocks.unblock(await threads.find(refOf(account, ref)));
    return {};
  };
