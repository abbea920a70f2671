import { createLoop, type Log, type Loop } from '@parley/runtime';
import type { Chats } from './chats.ts';
import type { TurnDoc } from './model.ts';
import type { Turns } from './turns.ts';

interface Stores {
  turns: Turns;
  chats: Chats;
}

/** Lets the thread hear of a turn that was just ended. */
export async function settle({ turns, chats }: Stores, ended: TurnDoc): Promise<void> {
  await chats.hear(ended);
  await turns.heard(ended);
}

const REST_MS = 2_000;

/** Gives up pending turns whose owner has died, and settles what a process that died has left. */
export function createSweeper(stores: Stores, log: Log): Loop {
  async function sweepOne(): Promise<boolean> {
    const due = await stores.turns.due();
    if (due) await settle(stores, due);
    return due !== null;
  }
  return createLoop({ name: 'sweeper of turns', restMs: REST_MS, log, round: sweepOne });
}
