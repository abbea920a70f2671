import type { Component, Loop } from '@parley/runtime';
import { type Bus, consume } from '@parley/runtime/bus';
import type { AssistantStore } from './store/assistants.ts';

/** Leaves knowledge items that were deleted to the sweeper, which detaches them. */
export const consumeKnowledge = (
  bus: Bus,
  store: Pick<AssistantStore, 'forgetItem'>,
  sweeper: Pick<Loop, 'wake'>,
): Component =>
  consume(bus, {
    group: 'assistants',
    on: {
      async knowledgeItemDeleted({ accountId, entityId }) {
        await store.forgetItem(accountId, entityId);
        sweeper.wake();
      },
    },
  });
