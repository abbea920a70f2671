import type { KafkaMessage, Message } from 'kafkajs';
import type { BusMessage, Received } from '../bus.ts';

/** The header that carries a message's id. No header of a publisher can have this name: it has an underscore. */
const ID = 'parley_id';

export const toKafka = ({ key, id, value, headers }: BusMessage): Message => ({
  key,
  value: Buffer.from(value.buffer, value.byteOffset, value.byteLength),
  headers: { ...headers, [ID]: id },
});

/**
 * A message that another program published gets its offset as its id. If a header occurs twice, the last one counts; so
 * it does for one named `constructor`, which kafkajs mistakes for a repeated header.
 */
export function toReceived({ key, value, headers = {}, offset }: KafkaMessage, attempt: number): Received {
  const texts = Object.entries(headers).map(([name, text]) => [name, String([text].flat().at(-1))] as const);
  const { [ID]: id = offset, ...others } = Object.fromEntries(texts);
  return { key: String(key ?? ''), id, value: value ?? Buffer.alloc(0), headers: others, attempt };
}
