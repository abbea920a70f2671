import type { Event } from '@parley/proto/events/v1/events_pb';
import { type EventType, TOPICS } from '@parley/proto/events/v1/topics';
import type { Component } from '@parley/runtime';
import { consume, type Handlers } from '@parley/runtime/bus';
import type { Dependencies } from './dependencies.ts';
import { eventOf, SAID } from './facts.ts';
import { KEPT_SECONDS } from './store/events.ts';

/**
 * Adds to the logs what the other services publish; a group of its own, which begins with the service: see `beginning`. A fact
 * that is so old that its event would have expired is not added, so that one that is delivered again has no second event.
 */
export function consumeFacts(
  { bus, events, notifier }: Pick<Dependencies, 'bus' | 'events' | 'notifier'>,
  beginning: () => Promise<Date>,
): Component {
  let since: Promise<Date> | undefined;

  async function handle(fact: Event & { payload: { case: EventType } }): Promise<void> {
    const event = eventOf(fact);
    if (!event) return;
    since ??= beginning();
    const oldest = Math.max((await since).getTime(), Date.now() - KEPT_SECONDS * 1_000);
    if (event.at.getTime() < oldest) return;
    await events.append(event.account, [event]);
    notifier.notify(event.account);
  }

  const on = Object.fromEntries(Object.keys(SAID).map((type) => [type, handle])) as Handlers;
  return consume(bus, { group: 'events', on, topics: TOPICS });
}
