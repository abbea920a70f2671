import { createLoop, type Log, type Loop } from '@parley/runtime';
import type { Chats } from './chats.ts';
import type { Turns } from './turns.ts';

const REST_MS = 2_000;

/** Gives up turns whose owner has died, and makes the chats that a process died before making. */
export function createSweeper({ turns, chats }: { turns: Turns; chats: Chats }, log: Log): Loop {
  async function sweepOne(): Promise<boolean> {
    const due = await turns.due();
    if (!due) return false;
    await chats.begin(due);
    await turns.giveUp(due);
    return true;
  }
  return createLoop({ name: 'sweeper of turns', restMs: REST_MS, log, round: sweepOne });
}
