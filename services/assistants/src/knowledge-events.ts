import type { Component } from '@parley/runtime';
import { type Bus, consume } from '@parley/runtime/bus';
import type { AssistantStore } from './store/assistants.ts';

/** Detaches knowledge items that were deleted. */
export const consumeKnowledge = (bus: Bus, store: Pick<AssistantStore, 'forgetItem'>): Component =>
  consume(bus, {
    group: 'assistants',
    on: { knowledgeItemDeleted: ({ accountId, entityId }) => store.forgetItem(accountId, entityId) },
  });
