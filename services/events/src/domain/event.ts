import type { EventName } from '@parley/catalogue';

/** Something that has happened, before it has a number. */
export interface NewEvent {
  /** The id of the event on the bus; the same however often that is delivered. */
  _id: string;
  account: string;
  type: EventName;
  version: number;
  /** The chat, ticket, item or other entity it is about: events of one resource keep their order. */
  resource: string;
  at: Date;
  /** As the catalogue has it for the type. */
  data: Record<string, unknown>;
}

/** An event in the log of its account. */
export interface EventRecord extends NewEvent {
  /** Consecutive in the account, from 1. */
  seq: number;
  /** When it was numbered. */
  stored_at: Date;
}
