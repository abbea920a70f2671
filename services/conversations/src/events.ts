import type { Component } from '@parley/runtime';
import { type Bus, consume } from '@parley/runtime/bus';
import type { Stores } from './store/stores.ts';

/** Removes the conversations of assistants that were deleted. */
export const consumeAssistants = (bus: Bus, { removal }: Pick<Stores, 'removal'>): Component =>
  consume(bus, {
    group: 'conversations',
    on: { assistantDeleted: ({ accountId, entityId }) => removal.forget(accountId, entityId) },
  });

/**
 * Bumps the stamps of lists again for every change that matters to them: a process may have died between the change and
 * its bump.
 */
export function consumeOwn(bus: Bus, { threads }: Pick<Stores, 'threads'>): Component {
  async function bump({ accountId: account, entityId }: { accountId: string; entityId: string }): Promise<void> {
    const thread = await threads.stamped(account, entityId);
    if (thread) await threads.stamps.bump(thread);
  }
  return consume(bus, {
    group: 'conversations.stamps',
    on: { chatStarted: bump, ticketCreated: bump, emailCreated: bump, threadStatusChanged: bump },
  });
}
