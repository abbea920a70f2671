import { isEventName } from '@parley/catalogue';
import { invalidArgument } from '@parley/runtime';
import { type AllowList, vetUrl } from '@parley/runtime/outbound';
import { webAddress } from '@parley/runtime/parse-url';

/** Subscribes to every event, also to those that later releases add. */
export const ALL_EVENTS = '*';

/** The events that a webhook delivers, and the address of its endpoint. */
export interface Subscription {
  url: string;
  /** Names in the catalogue, or `ALL_EVENTS` alone. */
  events: string[];
}

/** Its secret, encrypted. It signs until then; the current one for good. */
export interface SealedSecret {
  /** The operation that made it. */
  op: string;
  sealed: Uint8Array;
  until: Date | null;
}

/**
 * The address as the WHATWG URL parser writes it, without its fragment. Private IP literals are refused here; names are looked
 * up and checked at each delivery.
 *
 * @throws AppError `invalid_argument`
 */
export function endpointUrl(text: string, allow: AllowList): string {
  const url = webAddress('url', text);
  if (url.username || url.password) throw invalidArgument('url must not contain a user name or a password.');
  if (vetUrl(url, allow))
    throw invalidArgument('url is a private address. OUTBOUND_ALLOW lists those that webhooks may be sent to.');
  url.hash = '';
  return url.href;
}

/** Names of events without repetitions. @throws AppError `invalid_argument` */
export function subscribedEvents(events: readonly string[]): string[] {
  if (events.length === 0) throw invalidArgument('events must name at least one event, or be ["*"] for all.');
  const unknown = events.find((name) => name !== ALL_EVENTS && !isEventName(name));
  if (unknown !== undefined)
    throw invalidArgument(`events has ${JSON.stringify(unknown.slice(0, 100))}, which is not an event.`);
  return events.includes(ALL_EVENTS) ? [ALL_EVENTS] : [...new Set(events)];
}

export const isSubscribed = ({ events }: Pick<Subscription, 'events'>, type: string): boolean =>
  events.includes(ALL_EVENTS) || events.includes(type);

/** The types that it subscribes to; empty: all. */
export const typesOf = ({ events }: Pick<Subscription, 'events'>): readonly string[] =>
  events.includes(ALL_EVENTS) ? [] : events;

/** Why a webhook is disabled that its account has not disabled. */
export const DISABLED_BECAUSE = {
  gone: 'The receiver answered 410 Gone.',
  failing: 'Nothing was accepted for three days.',
} as const;
export type DisabledBecause = keyof typeof DISABLED_BECAUSE;
