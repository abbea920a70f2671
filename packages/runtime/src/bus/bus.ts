import { invalidArgument } from '../errors.ts';
import type { Component } from '../process.ts';

/**
 * Durable topics of keyed messages. Every message reaches each consumer group of its topic at least once. Within a
 * group, messages with the same key are handled one at a time, in publishing order, however many processes the group
 * has. A message may be redelivered after a crash, so handlers deduplicate by `id` (or by a `seq` of their own).
 */
export interface Bus extends Component {
  /**
   * Resolves once all messages are on disk. Rejects if that is unknown; some of them may have been written. Messages of
   * one call keep their order.
   *
   * @throws AppError `invalid_argument` for an invalid topic, key or size, before anything is written;
   * `resource_exhausted` if too much is waiting to be written; `unavailable` before the start and after the stop.
   */
  publish(topic: string, messages: BusMessage[]): Promise<void>;

  /**
   * Handles the messages of a topic for a group, once the bus has started. A new group starts at the oldest retained
   * message: messages are kept for at least seven days, and in MongoDB until every group of the topic has handled them.
   * (Kafka also forgets a group that was absent for seven days; it starts over.)
   *
   * `handle` must be quick: store work that may take longer than a few seconds (a model, a crawl) as a job instead of
   * doing it here, because later messages wait behind it.
   *
   * If a handler throws or times out, the message is redelivered after a pause that doubles each time. A failure does
   * not count as an attempt if something is unavailable (AppError or ConnectError UNAVAILABLE or DEADLINE_EXCEEDED, a
   * transient database error) or the bus is stopping; the message is retried for as long as that lasts. After the last
   * attempt the message is published to `deadTopic(topic)` with the reason in its headers, and the group moves on.
   */
  subscribe(subscriber: Subscriber): Subscription;

  /** How many messages the group has not handled yet. */
  lag(topic: string, group: string): Promise<number>;

  /**
   * Returns the oldest messages that the group has not handled, at most `limit`, without handling them. Slow; for
   * operators.
   */
  peek(topic: string, group: string, limit: number): Promise<Received[]>;

  start(): Promise<void>;
  ready(): Promise<void>;
  /** Lets running handlers finish within their time limit, and starts no new ones. */
  stop(): Promise<void>;
}

export interface BusMessage {
  /** The entity that the message is about: 1 to 200 characters. */
  key: string;
  /** Identifies the message if it is delivered again: 1 to 200 characters. */
  id: string;
  value: Uint8Array;
  /** Names are 1 to 100 of `a-z 0-9 -`. */
  headers?: Record<string, string>;
}

export interface Received extends BusMessage {
  headers: Record<string, string>;
  /** Counts from 1; higher if an earlier attempt failed or its process died. */
  attempt: number;
}

export interface Subscriber {
  topic: string;
  group: string;
  handle(message: Received): Promise<void>;
}

export interface Subscription {
  /** Lets the running handler finish. The group keeps its position. */
  close(): Promise<void>;
}

/** Bytes of a message with its key, id and headers. Kafka's own default is 1,048,588, including its framing. */
export const MAX_MESSAGE_BYTES = 1_000_000;

export const DAY_MS = 86_400_000;

/** How long ordinary and dead topics keep their messages. */
const KEPT_MS = 7 * DAY_MS;
const DEAD_KEPT_MS = 30 * DAY_MS;

const DEAD = '.dead';

/** The topic for messages that a group could not handle, or that the bus refuses for good. */
export const deadTopic = (topic: string): string => `${topic}${DEAD}`;
export const isDeadTopic = (topic: string): boolean => topic.endsWith(DEAD);
/** How many milliseconds a topic keeps its messages; dead ones expire even if a group has not handled them. */
export const keptMs = (topic: string): number => (isDeadTopic(topic) ? DEAD_KEPT_MS : KEPT_MS);

/**
 * Headers of a dead message: the group that gave it up (absent if the bus refused it), and the last failure as text.
 */
export const DEAD_GROUP = 'parley-dead-group';
export const DEAD_REASON = 'parley-dead-reason';
/** Header of a dead message that was `Rejected`. */
export const DEAD_REJECTED = 'parley-dead-rejected';
/** Header of a republished dead message: only this group handles it, the others skip it. */
export const REDRIVEN_TO = 'parley-redriven-to';
/** Header of a dead message that is republished without an operator: fewer attempts, since it may fail again and again. */
export const RETRIED = 'parley-retried';

/** A handler throws it to dead-letter a message at once, with an alarm: it must never be obeyed. */
export class Rejected extends Error {
  override name = 'Rejected';
}

const MAX_REASON = 1_000;

/** Turns a message into a dead one, for `deadTopic`. */
export function deadMessage(message: BusMessage, group: string | undefined, reason: unknown): BusMessage {
  const { key, id, value } = message;
  const { [REDRIVEN_TO]: _, [RETRIED]: __, ...headers } = message.headers ?? {};
  const words = (reason instanceof Error ? reason.message : String(reason)).slice(0, MAX_REASON);
  const rejected = reason instanceof Rejected && { [DEAD_REJECTED]: 'true' };
  const dead = { ...(group && { [DEAD_GROUP]: group }), [DEAD_REASON]: words, ...rejected };
  return { key, id, value, headers: { ...headers, ...dead } };
}

/** Turns a dead message back into one for the group that gave it up; undefined if no group did, or if it was rejected. */
export function redriven({ key, id, value, headers }: Received): BusMessage | undefined {
  const { [DEAD_GROUP]: group, [DEAD_REASON]: _, [DEAD_REJECTED]: rejected, ...others } = headers;
  return group === undefined || rejected ? undefined : { key, id, value, headers: { ...others, [REDRIVEN_TO]: group } };
}

const MAX_NAME = 200;
const name = /^[a-z0-9][a-z0-9._-]*$/;
const headerName = /^[a-z0-9-]{1,100}$/;

/** @throws AppError `invalid_argument` unless the name of a topic or group is 1 to 200 of `a-z 0-9 . _ -`. */
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
  throw invalidArgument(`A message must have at most ${MAX_MESSAGE_BYTES} bytes; this one has ${bytes}.`);
}

/** Bytes of a message with its key, id and headers. */
export function messageBytes({ key, id, value, headers = {} }: BusMessage): number {
  const texts = [key, id, ...Object.entries(headers).flat()];
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), value.byteLength);
}
