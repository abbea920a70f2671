import { invalidArgument } from '../errors.ts';
import type { Component } from '../process.ts';

/**
 * Durable topics of keyed messages. A message reaches every consumer group of its topic at least once, and each group
 * handles the messages of one key one after the other, in the order in which they were published, however many
 * processes it has. After a crash a message may come again, so handlers know by `id` (or a `seq` of their own) what they
 * have done.
 */
export interface Bus extends Component {
  /**
   * Resolves once all messages are on disk; rejects where that is not known, and then some of them may be. Messages of one
   * call keep their order.
   *
   * @throws AppError `invalid_argument` for a topic, a key or a size that is not allowed, before anything is written;
   * `resource_exhausted` when too much is waiting to be written; `unavailable` before the start and after the stop.
   */
  publish(topic: string, messages: BusMessage[]): Promise<void>;

  /**
   * Handles the messages of a topic in the name of a group, from the start of the bus on. A new group begins with the
   * oldest message that is retained: of seven days at least, and in MongoDB whatever a group of the topic has not handled
   * yet. (Kafka forgets a group, too, that was away for seven days; it begins anew.)
   *
   * `handle` is quick: work that may take longer than a few seconds (a model, a crawl) is stored as a job, not done
   * here, because the messages behind it wait. A handler that throws, or is not done in time, is given the message again
   * after a rest that doubles each time; after the last attempt the message is published to `deadTopic(topic)` with the
   * reason in its headers, and the group goes on.
   */
  subscribe(subscriber: Subscriber): Subscription;

  /** Age in seconds, to within a tenth, of the oldest message that the group has not handled; 0 where it has handled all. */
  oldestAge(topic: string, group: string): Promise<number>;

  start(): Promise<void>;
  ready(): Promise<void>;
  /** Lets running handlers finish, within their time limit, and begins no other. */
  stop(): Promise<void>;
}

export interface BusMessage {
  /** The entity that the message is about: 1 to 200 characters. */
  key: string;
  /** What consumers recognise a repeated message by: 1 to 200 characters. */
  id: string;
  value: Uint8Array;
  /** Names are 1 to 100 of `a-z 0-9 -`. */
  headers?: Record<string, string>;
}

export interface Received extends BusMessage {
  headers: Record<string, string>;
  /** Counts from 1; more when an earlier attempt failed, or its process died. */
  attempt: number;
}

export interface Subscriber {
  topic: string;
  group: string;
  handle(message: Received): Promise<void>;
}

export interface Subscription {
  /** Lets the running handler finish; the group's place is kept. */
  close(): Promise<void>;
}

/** Bytes of a message with its key, id and headers. Kafka's own default is 1,048,588, with its framing. */
export const MAX_MESSAGE_BYTES = 1_000_000;

/** Where messages go that a group could not handle. */
export const deadTopic = (topic: string): string => `${topic}.dead`;

/** Headers of a dead message: which group gave it up, and the last failure in words. */
export const DEAD_GROUP = 'parley-dead-group';
export const DEAD_REASON = 'parley-dead-reason';

const MAX_REASON = 1_000;

/** The message as its topic's dead one, for `deadTopic`. */
export function deadMessage({ key, id, value, headers }: Received, group: string, reason: unknown): BusMessage {
  const words = (reason instanceof Error ? reason.message : String(reason)).slice(0, MAX_REASON);
  return { key, id, value, headers: { ...headers, [DEAD_GROUP]: group, [DEAD_REASON]: words } };
}

const MAX_NAME = 200;
const name = /^[a-z0-9][a-z0-9._-]*$/;
const headerName = /^[a-z0-9-]{1,100}$/;

/** @throws AppError `invalid_argument` where a topic's or group's name is not 1 to 200 of `a-z 0-9 . _ -`. */
export function checkName(what: 'topic' | 'group', value: string): void {
  if (value.length > MAX_NAME || !name.test(value)) throw invalidArgument(`"${value}" can't be the name of a ${what}.`);
}

/** @throws AppError `invalid_argument` that says what is wrong and what the limit is. */
export function checkMessage(message: BusMessage): void {
  for (const field of ['key', 'id'] as const) {
    const { length } = message[field];
    if (length < 1 || length > MAX_NAME) throw invalidArgument(`A message's ${field} has 1 to ${MAX_NAME} characters.`);
  }
  for (const header of Object.keys(message.headers ?? {})) {
    if (!headerName.test(header)) throw invalidArgument(`${JSON.stringify(header)} can't be the name of a header.`);
  }
  const bytes = messageBytes(message);
  if (bytes <= MAX_MESSAGE_BYTES) return;
  throw invalidArgument(`A message has at most ${MAX_MESSAGE_BYTES} bytes; this one has ${bytes}.`);
}

/** Bytes of a message with its key, id and headers. */
export function messageBytes({ key, id, value, headers = {} }: BusMessage): number {
  const texts = [key, id, ...Object.entries(headers).flat()];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), value.byteLength);
}
