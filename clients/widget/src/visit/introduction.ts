import { type Api, failureOf, type Identity } from './api.ts';
import type { Memory } from './memory.ts';
import type { Store } from './store.ts';

/** Tells the gateway who the visitor is, once for each conversation, as far as the page has said so. */
export interface Introduction {
  /** Does it, if it is due. Never rejects: the chat goes on without. */
  make(): Promise<void>;
  /** The page has said who it is. */
  as(identity: Identity): void;
  /** Another conversation begins. */
  repeat(): void;
}

export function createIntroduction(api: Pick<Api, 'identify'>, memory: Memory, store: Store): Introduction {
  let identity: Identity | undefined;
  let isMade = false;
  return {
    async make() {
      if (!identity || isMade) return;
      // Whoever is not vouched for is introduced after the first message: until then there is no conversation.
      if (memory.token === undefined && identity.signature === undefined) return;
      isMade = true;
      try {
        const { visitor_token: token } = await api.identify(identity);
        if (token !== undefined) memory.token = token;
      } catch (error) {
        const failure = failureOf(error);
        isMade = failure.status !== 0;
        store.report(failure);
      }
    },
    as(given) {
      identity = given;
      isMade = false;
    },
    repeat() {
      isMade = false;
    },
  };
}
