import { outbox } from '@parley/runtime/mongo';
import type { Document } from 'mongodb';

/** Stages: the assistants of a write have changed. */
export const changed = (options: { many?: true } = {}): Document[] =>
  outbox({ case: 'assistantChanged', value: {} }, { computed: { kind: '$kind' }, ...options });
