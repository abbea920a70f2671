import type { Event } from '@parley/proto/events/v1/events_pb';
import { type EventType, TOPICS } from '@parley/proto/events/v1/topics';
import type { Component } from '@parley/runtime';
import { consume, type Handlers } from '@parley/runtime/bus';
import { ACCOUNT_EVENTS, eventOf } from './account-events.ts';
import type { Dependencies } from './dependencies.ts';
import { KEPT_SECONDS } from './store/events.ts';

/**
 * Adds to the logs what the other services publish; a group of its own, which begins with the service: see `beginning`. An
 * event so old that it would have expired is not added, so that one that is delivered again is not added twice.
 */
export function consumeEvents(
  { bus, events, notifier }: Pick<Dependencies, 'bus' | 'events' | 'notifier'>,
  beginning: () => Promise<Date>,
): Component {
  let since: Promise<Date> | undefined;

  async function handle(published: Event & { payload: { case: EventType } }): Promise<void> {
    const event = eventOf(published);
    if (!event) return;
    since ??= beginning();
    const oldest = Math.max((await since).getTime(), Date.now() - KEPT_SECONDS * 1_000);
    if (event.at.getTime() < oldest) return;
    await events.append(event.account, [event]);
    notifier.notify(event.account);
  }

  const on = Object.fromEntries(Object.keys(ACCOUNT_EVENTS).map((type) => [type, handle])) as Handlers;
  return consume(bus, { group: 'events', on, topics: TOPICS });
}
