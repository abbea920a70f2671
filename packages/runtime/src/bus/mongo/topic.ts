import type { Collection } from 'mongodb';
import type { BusMessage } from '../bus.ts';
import { singleFlight } from '../single-flight.ts';
import { append, type LoggedMessage, lastSeq } from './log.ts';

/** A topic as this process knows it. */
export interface Topic {
  readonly name: string;
  /** The highest number that this process knows. */
  readonly last: number;
  publish(messages: BusMessage[]): Promise<void>;
  /** Polls the database for messages of other processes. */
  look(): Promise<void>;
  /** Calls back whenever `last` increases. Returns a function that unsubscribes. */
  onNews(listener: () => void): () => void;
}

export function openTopic(messages: Collection<LoggedMessage>, name: string): Topic {
  const listeners = new Set<() => void>();
  let last = 0;

  function advance(seq: number) {
    if (seq <= last) return;
    last = seq;
    for (const listener of listeners) listener();
  }

  return {
    name,
    get last() {
      return last;
    },
    publish: singleFlight(async (batch) => advance(await append(messages, name, batch))),
    async look() {
      if (listeners.size > 0) advance(await lastSeq(messages, name));
    },
    onNews(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
