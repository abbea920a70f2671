import { fromBinary } from '@bufbuild/protobuf';
import { type Event, EventSchema } from '@parley/proto/events/v1/events_pb';
import { type FactCase, TOPIC_OF } from '@parley/proto/events/v1/topics';
import type { Component } from '../process.ts';
import type { Bus, Subscription } from './bus.ts';

/** An event whose fact is known. */
export type EventOf<C extends FactCase> = Omit<Event, 'fact'> & { fact: Extract<Event['fact'], { case: C }> };

/** What a consumer group does for each fact that it handles. Must be idempotent. */
export type Handlers = { [C in FactCase]?: (event: EventOf<C>) => Promise<void> };

/**
 * Handles events for a group, on the topics that carry them, while the component runs. Facts without a handler are
 * skipped. Give each effect its own group, so that a failing one holds up no others.
 */
export function consume(bus: Pick<Bus, 'subscribe'>, { group, on }: { group: string; on: Handlers }): Component {
  const topics = new Set(Object.keys(on).map((fact) => TOPIC_OF[fact as FactCase]));
  let subscriptions: Subscription[] = [];
  return {
    name: `events for ${group}`,
    async start() {
      subscriptions = [...topics].map((topic) =>
        bus.subscribe({
          topic,
          group,
          async handle({ value }) {
            const event = fromBinary(EventSchema, value);
            const handler = event.fact.case && (on[event.fact.case] as ((event: Event) => Promise<void>) | undefined);
            await handler?.(event);
          },
        }),
      );
    },
    stop: async () => void (await Promise.all(subscriptions.map((subscription) => subscription.close()))),
  };
}
