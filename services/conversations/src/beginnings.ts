import { keepLatest, type Log } from '@parley/runtime';
import type { Chats } from './store/chats.ts';
import type { TurnDoc } from './store/model.ts';
import type { Turns } from './store/turns.ts';

/** The making of chats. Whoever asks need not wait for it: a turn that has not ended holds all that a chat is made of. */
export interface Beginnings {
  /** Makes the chat that a turn is the first of, meanwhile. */
  begin(turn: TurnDoc): void;
  /** Resolves once the chat of a turn exists, whichever process began it. No turn ends before. */
  made(account: string, turnId: string): Promise<void>;
}

/** Turns that are remembered to have a chat; of another the database is asked. */
const MAX_REMEMBERED = 10_000;

export function createBeginnings({ chats, turns }: { chats: Chats; turns: Turns }, log: Log): Beginnings {
  const remembered = new Map<string, Promise<boolean>>();

  async function make(turn: TurnDoc): Promise<boolean> {
    try {
      await chats.begin(turn);
      return true;
    } catch (err) {
      log.warn({ err, chat: turn.thread }, 'a chat could not be made; whoever ends its turn tries again');
      return false;
    }
  }

  return {
    begin(turn) {
      keepLatest(remembered, turn._id, make(turn), MAX_REMEMBERED);
    },
    async made(account, turnId) {
      if (await remembered.get(turnId)) return;
      const turn = await turns.turn(account, turnId);
      if (turn) await chats.begin(turn);
    },
  };
}
