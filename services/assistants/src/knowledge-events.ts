import type { Component, Loop, RootSecret } from '@parley/runtime';
import { consume, Rejected } from '@parley/runtime/bus';
import { callAs } from '@parley/runtime/rpc';
import type { Dependencies } from './dependencies.ts';

/** Less than the bus gives a handler. */
const ANSWER_MS = 3_000;

/**
 * Leaves knowledge items that were deleted to the sweeper, which detaches them. Nothing attaches them again, so the owner of the
 * items has to confirm it first.
 */
export const consumeKnowledge = (
  options: Pick<Dependencies, 'bus' | 'store' | 'knowledge'> & { secret: RootSecret; sweeper: Pick<Loop, 'wake'> },
): Component =>
  consume(options.bus, {
    group: 'assistants',
    on: {
      async knowledgeItemDeleted({ accountId, entityId }) {
        const { store, knowledge, secret, sweeper } = options;
        const call = callAs(secret, { account: accountId }, { role: 'assistants', timeoutMs: ANSWER_MS });
        const { items } = await knowledge.batchGetKnowledgeItems({ ids: [entityId] }, call);
        if (items.length > 0) throw new Rejected('The knowledge service still has this item.');
        await store.forgetItem(accountId, entityId);
        sweeper.wake();
      },
    },
  });
