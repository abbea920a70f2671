import { fromBinary } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import { type Event, EventSchema } from '@parley/proto/events/v1/events_pb';
import { type EventType, TOPIC_OF } from '@parley/proto/events/v1/topics';
import { unavailable } from '../errors.ts';
import type { Component } from '../process.ts';
import { type Bus, DAY_MS, type Subscription } from './bus.ts';

/** An event whose event is known. */
export type EventOf<C extends EventType> = Omit<Event, 'payload'> & { payload: Extract<Event['payload'], { case: C }> };

/** A consumer group's handlers, by event. Must be idempotent. */
export type Handlers = { [C in EventType]?: (event: EventOf<C>) => Promise<void> };

/** How long an event waits for a process that knows it. */
const UNKNOWN_MS = DAY_MS;

/**
 * Handles events for a group, on the topics that carry them, while the component runs. Events without a handler are
 * skipped. An event that this release does not know, from a producer that is newer, is not: it waits, with what comes after it
 * in its partition, for a process of the newer release. After a day, when the newer release must have been withdrawn, it
 * becomes a dead letter. Give each effect its own group, so that a failing one holds up no others.
 *
 * @param options.topics Default: those of the events that it handles.
 */
export function consume(
  bus: Pick<Bus, 'subscribe'>,
  { group, on, topics = topicsOf(on) }: { group: string; on: Handlers; topics?: readonly string[] },
): Component {
  let subscriptions: Subscription[] = [];
  return {
    name: `events for ${group}`,
    async start() {
      subscriptions = topics.map((topic) =>
        bus.subscribe({
          topic,
          group,
          async handle({ value }) {
            const event = fromBinary(EventSchema, value);
            if (event.payload.case === undefined) throw unknownEvent(event);
            const handler = on[event.payload.case] as ((event: Event) => Promise<void>) | undefined;
            await handler?.(event);
          },
        }),
      );
    },
    stop: async () => void (await Promise.all(subscriptions.map((subscription) => subscription.close()))),
  };
}

const topicsOf = (on: Handlers): string[] => {
  const topics: Partial<Record<EventType, string>> = TOPIC_OF;
  return [...new Set(Object.keys(on).flatMap((event) => topics[event as EventType] ?? []))];
};

/** While something is unavailable, attempts do not count. */
function unknownEvent({ id, at }: Event): Error {
  const isOld = at === undefined || Date.now() - timestampMs(at) > UNKNOWN_MS;
  if (isOld) return new Error(`This release does not know the event ${id}.`);
  return unavailable(`The event ${id} waits for a newer release, which knows it.`);
}
