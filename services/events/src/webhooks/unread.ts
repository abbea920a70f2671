import type { EventRecord } from '../domain/event.ts';
import type { Progress } from '../domain/progress.ts';
import { type Subscription, typesOf } from '../domain/webhook.ts';
import type { Backlog } from '../store/backlog.ts';

/** Events read at a time, and how many of one resource. */
const BATCH = 100;
const RESOURCE_BATCH = 20;

/** Events that were read from the log and are not delivered yet. */
export interface Unread {
  /** Reads on in the log up to a number, as far as there is room for further resources. */
  read(subscription: Subscription, head: number): Promise<void>;
  /** Takes the next event of a resource that is held; undefined if none is left up to the position. */
  next(subscription: Subscription, resource: string): Promise<EventRecord | undefined>;
  /** Forgets what was read of a resource, so that what was taken is taken again. */
  forget(resource: string): void;
}

export function createUnread(backlog: Backlog, account: string, progress: Progress): Unread {
  /** By resource: the events that were read, and whether they are all up to the position. */
  const known = new Map<string, { events: EventRecord[]; isAll: boolean }>();

  return {
    async read(subscription, head) {
      const limit = Math.min(BATCH, progress.room(), progress.isBroken() ? 1 : BATCH);
      const from = progress.position() + 1;
      if (limit <= 0 || from > head) return;
      const events = await backlog.read(account, { from, to: head, types: typesOf(subscription), limit });
      known.clear();
      const fresh = Map.groupBy(events, ({ resource }) => resource);
      for (const [resource, events] of fresh)
        if (!progress.isHeld(resource)) known.set(resource, { events, isAll: true });
      progress.take(events, events.length < limit ? head : events.at(-1)!.seq);
    },

    async next(subscription, resource) {
      const waiting = known.get(resource);
      if (waiting && (waiting.events.length > 0 || waiting.isAll)) return waiting.events.shift();
      const [from, to] = [progress.from(resource), progress.position()];
      const range = { from, to, types: typesOf(subscription), limit: RESOURCE_BATCH };
      const events = await backlog.ofResource(account, resource, range);
      known.set(resource, { events, isAll: events.length < RESOURCE_BATCH });
      return events.shift();
    },

    forget: (resource) => void known.delete(resource),
  };
}
