import type { Collection } from 'mongodb';
import { isDeadTopic, keptMs } from '../bus.ts';
import { deleteUpTo, type LoggedMessage, PARTITIONS } from './log.ts';
import { type Offset, slowestOffset } from './offsets.ts';

/** How much one command deletes; other clients are served in between. */
const DELETED_AT_ONCE = 1_000;

/**
 * Deletes messages after seven days, and dead ones after thirty. Messages that a group has not handled stay, however
 * old they are, unless they are dead; so a group that was abandoned for good must be removed from `offsets`.
 */
export async function deleteHandled(
  messages: Collection<LoggedMessage>,
  offsets: Collection<Offset>,
  signal?: AbortSignal,
): Promise<void> {
  for (const topic of await messages.distinct('topic')) {
    for (let partition = 0; partition < PARTITIONS; partition++) {
      const slowest = isDeadTopic(topic) ? undefined : await slowestOffset(offsets, topic, partition);
      const handled = slowest ?? Number.MAX_SAFE_INTEGER;
      for (let deleted = DELETED_AT_ONCE; deleted === DELETED_AT_ONCE && !signal?.aborted; )
        deleted = await deleteUpTo(messages, { topic, partition }, handled, keptMs(topic), DELETED_AT_ONCE);
    }
  }
}
