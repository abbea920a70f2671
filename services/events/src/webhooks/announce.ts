import type { EventStore } from '../store/events.ts';
import type { Queue } from '../store/queue.ts';

/** Tells deliveries what is new. */
export interface Announce {
  /** There may be events that a webhook that has just changed does not know of. */
  since(account: string): Promise<void>;
  /** Something is due. */
  wake(): void;
}

export const createAnnounce = (
  events: Pick<EventStore, 'last'>,
  queue: Pick<Queue, 'notify'>,
  wake: () => void,
): Announce => ({
  wake,
  async since(account) {
    await queue.notify(account, await events.last(account));
    wake();
  },
});
