import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { PRODUCER_OF } from '@parley/proto/events/v1/topics';
import { deriveKeys, isMacOf, type RootSecret } from '../derive-key.ts';
import type { Role } from '../rpc/context.ts';
import { type Bus, type BusMessage, isDeadTopic, Rejected } from './bus.ts';

/** Header of a message: base64url(HMAC-SHA-256 of its topic, key, id and value, under the key of the topic's producer). */
export const SIGNATURE = 'parley-signature';

export interface Identity {
  /** The generated secret, from which the keys of producers are derived. */
  secret: RootSecret;
  /** The role of this process. */
  role: Role;
}

/**
 * The bus for processes that obey only what a topic's own producer has said: whoever can write to Kafka or to the bus's database can
 * publish anything there. What this process publishes is signed. A message that is not signed by the one process that publishes
 * to its topic reaches no handler; it becomes a dead letter at once. Headers are not signed: they are the bus's own.
 *
 * Dead topics carry messages as their producers signed them, if they did.
 */
export function signedBus(
  bus: Bus,
  { secret, role }: Identity,
  producerOf: Readonly<Record<string, Role>> = PRODUCER_OF,
): Bus {
  const producers = new Map(
    Object.entries(producerOf).map(([topic, producer]) => [
      topic,
      { producer, keys: deriveKeys(secret, 'event', producer).map((key) => createSecretKey(key)) },
    ]),
  );
  function producerFor(topic: string) {
    const found = producers.get(topic);
    if (!found) throw new Error(`No process publishes to ${topic}: see PRODUCER_OF.`);
    return found;
  }

  return {
    ...bus,
    async publish(topic, messages) {
      if (isDeadTopic(topic)) return bus.publish(topic, messages);
      const { producer, keys } = producerFor(topic);
      return bus.publish(
        topic,
        messages.map((message) => {
          // Republished for a group that gave it up.
          if (message.headers?.[SIGNATURE] !== undefined) return message;
          if (producer !== role) throw new Error(`Only ${producer} publishes to ${topic}.`);
          const signature = macOf(keys[0]!, topic, message).toString('base64url');
          return { ...message, headers: { ...message.headers, [SIGNATURE]: signature } };
        }),
      );
    },
    subscribe(subscriber) {
      const { topic, handle } = subscriber;
      if (isDeadTopic(topic)) return bus.subscribe(subscriber);
      const { producer, keys } = producerFor(topic);
      return bus.subscribe({
        ...subscriber,
        async handle(message) {
          if (!isSigned(keys, topic, message)) throw new Rejected(`The message is not signed by ${producer}.`);
          await handle(message);
        },
      });
    },
  };
}

const isSigned = (keys: KeyObject[], topic: string, message: BusMessage): boolean =>
  isMacOf(keys, Buffer.from(message.headers?.[SIGNATURE] ?? '', 'base64url'), (key) => macOf(key, topic, message));

const macOf = (key: KeyObject, topic: string, { key: entity, id, value }: BusMessage): Buffer =>
  createHmac('sha256', key)
    .update(`${JSON.stringify([topic, entity, id])}\n`)
    .update(value)
    .digest();
