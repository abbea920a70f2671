import type { Component } from '@parley/runtime';
import { type Bus, consume } from '@parley/runtime/bus';
import type { Stores } from './store/stores.ts';

/** Removes the conversations of assistants that were deleted. */
export const consumeAssistants = (bus: Bus, { removal }: Pick<Stores, 'removal'>): Component =>
  consume(bus, {
    group: 'conversations',
    on: { assistantDeleted: ({ accountId, entityId }) => removal.forget(accountId, entityId) },
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
