import { fromBinary } from '@bufbuild/protobuf';
import { EventSchema } from '@parley/proto/events/v1/events_pb';
import { type Bus, type Component, KNOWLEDGE_TOPIC, type Subscription } from '@parley/runtime';
import type { AssistantStore } from './store/assistants.ts';

/** Hears which knowledge items were deleted, and detaches them. Again has no further effect. */
export function hearKnowledge(bus: Bus, store: Pick<AssistantStore, 'forgetItem'>): Component {
  let subscription: Subscription | undefined;
  return {
    name: 'knowledge events',
    async start() {
      subscription = bus.subscribe({
        topic: KNOWLEDGE_TOPIC,
        group: 'assistants',
        async handle({ value }) {
          const { accountId, entityId, fact } = fromBinary(EventSchema, value);
          if (fact.case === 'knowledgeItemDeleted') await store.forgetItem(accountId, entityId);
        },
      });
    },
    stop: async () => subscription?.close(),
  };
}
