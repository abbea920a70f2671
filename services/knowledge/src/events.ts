import type { Corpus } from '@parley/corpus';
import type { Component } from '@parley/runtime';
import { type Bus, consume } from '@parley/runtime/bus';

/** Completes the creation of items whose process died right after the write. The purge does so for their deletion. */
export const consumeOwn = (bus: Bus, { items }: Pick<Corpus, 'items'>): Component =>
  consume(bus, {
    group: 'knowledge.list-versions',
    on: { knowledgeItemCreated: ({ accountId, entityId }) => items.settle(accountId, entityId) },
  });
