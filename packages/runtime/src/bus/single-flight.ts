import { resourceExhausted, unavailable } from '../errors.ts';
import { type BusMessage, messageBytes } from './bus.ts';

const MAX_WAITING = 20_000;
const MAX_WAITING_BYTES = 64_000_000;
const MAX_BATCH = 500;
const MAX_BATCH_BYTES = 4_000_000;
/** Less than a relay's claim of 30 s, so that its retry is not in the queue twice. */
const PATIENCE_MS = 20_000;

interface Entry<M extends BusMessage> {
  messages: M[];
  bytes: number;
  resolve(): void;
  reject(reason: unknown): void;
}

/**
 * Publishes one batch at a time, in call order; what is published while a batch is in flight goes into the next one. So
 * concurrent callers share the cost of a journaled write, and none overtakes another.
 *
 * @returns a function that resolves when the batch with its messages is written. It rejects as `write` does, with
 * `resource_exhausted` if too much is waiting, or with `unavailable` after `patienceMs`; messages that have not begun
 * by then are never written.
 */
export function singleFlight<M extends BusMessage>(
  write: (batch: M[]) => Promise<void>,
  patienceMs = PATIENCE_MS,
): (messages: M[]) => Promise<void> {
  const waiting: Entry<M>[] = [];
  let messagesWaiting = 0;
  let bytesWaiting = 0;
  let flying = false;

  async function fly() {
    flying = true;
    while (waiting.length > 0) {
      const entries = takeBatch();
      try {
        await write(entries.flatMap((entry) => entry.messages));
        for (const entry of entries) entry.resolve();
      } catch (error) {
        for (const entry of entries) entry.reject(error);
      }
    }
    flying = false;
  }

  function takeBatch(): Entry<M>[] {
    const batch: Entry<M>[] = [];
    let messages = 0;
    let bytes = 0;
    while (waiting.length > 0 && messages < MAX_BATCH && bytes < MAX_BATCH_BYTES) {
      const entry = waiting.shift()!;
      batch.push(entry);
      messages += entry.messages.length;
      bytes += entry.bytes;
    }
    messagesWaiting -= messages;
    bytesWaiting -= bytes;
    return batch;
  }

  function giveUp(entry: Entry<M>) {
    const place = waiting.indexOf(entry);
    if (place >= 0) {
      waiting.splice(place, 1);
      messagesWaiting -= entry.messages.length;
      bytesWaiting -= entry.bytes;
    }
    entry.reject(unavailable('The messages could not be written in time.'));
  }

  return (messages) => {
    const bytes = messages.reduce((sum, message) => sum + messageBytes(message), 0);
    if (messagesWaiting + messages.length > MAX_WAITING || bytesWaiting + bytes > MAX_WAITING_BYTES) {
      return Promise.reject(resourceExhausted('Too many messages are waiting to be published. Try again.'));
    }
    let patience: NodeJS.Timeout;
    const written = new Promise<void>((resolve, reject) => {
      const entry = { messages, bytes, resolve, reject };
      patience = setTimeout(giveUp, patienceMs, entry);
      waiting.push(entry);
      messagesWaiting += messages.length;
      bytesWaiting += bytes;
      if (!flying) fly();
    });
    return written.finally(() => clearTimeout(patience));
  };
}
