import type { Collection } from 'mongodb';
import { deadTopic } from './bus.ts';
import { deleteUpTo, LANES, type LoggedMessage } from './mongo-log.ts';
import { type Offset, slowestOffset } from './mongo-offsets.ts';

const DAY_MS = 86_400_000;
const KEPT_MS = 7 * DAY_MS;
const DEAD_KEPT_MS = 30 * DAY_MS;

/**
 * Deletes messages after seven days, and dead ones after thirty. What a group has not handled stays, however old it is;
 * so a group that has been given up for good must be removed from `offsets`.
 */
export async function deleteHandled(messages: Collection<LoggedMessage>, offsets: Collection<Offset>): Promise<void> {
  for (const topic of await messages.distinct('topic')) {
    const keptMs = topic.endsWith(deadTopic('')) ? DEAD_KEPT_MS : KEPT_MS;
    for (let lane = 0; lane < LANES; lane++) {
      const handled = (await slowestOffset(offsets, topic, lane)) ?? Number.MAX_SAFE_INTEGER;
      await deleteUpTo(messages, { topic, lane }, handled, keptMs);
    }
  }
}
