import type { Component, Loop } from '@parley/runtime';
import { type Bus, consume } from '@parley/runtime/bus';
import type { Stores } from './store/stores.ts';

/** Leaves the conversations of assistants that were deleted to the sweeper: removing them may take minutes. */
export const consumeAssistants = (
  bus: Bus,
  { removal }: Pick<Stores, 'removal'>,
  sweeper: Pick<Loop, 'wake'>,
): Component =>
  consume(bus, {
    group: 'conversations',
    on: {
      async assistantDeleted({ accountId, entityId }) {
        await removal.forget(accountId, entityId);
        sweeper.wake();
      },
    },
  });

/** Completes the changes of threads whose process died right after the write. */
export function consumeOwn(bus: Bus, { removal }: Pick<Stores, 'removal'>): Component {
  const settle = ({ accountId, entityId }: { accountId: string; entityId: string }) =>
    removal.settle(accountId, entityId);
  return consume(bus, {
    group: 'conversations.stamps',
    on: { chatStarted: settle, ticketCreated: settle, emailCreated: settle, threadStatusChanged: settle },
  });
}
