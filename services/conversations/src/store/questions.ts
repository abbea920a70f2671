import { alreadyExists, notFound, permissionDenied } from '@parley/runtime';
import { LIVE } from '@parley/runtime/mongo';
import type { Filter } from 'mongodb';
import { checkRoom } from '../domain/limits.ts';
import { answerId, chatId, type EntryDoc, sessionId, type ThreadDoc } from './model.ts';
import type { Removal } from './removal.ts';
import { asked, claimed, IDLE, isFirst, queued } from './stages.ts';
import type { Threads } from './threads.ts';

export interface Question {
  /** The operation id. */
  op: string;
  text: string;
}

/** A question in a chat: already answered, or claimed for the caller. */
export interface Asked {
  thread: ThreadDoc;
  question: EntryDoc;
  answer?: EntryDoc;
}

export type Questions = ReturnType<typeof questionStore>;

/** Questions in chats: each chat answers one at a time, in order of arrival. */
export function questionStore(threads: Threads, removal: Removal) {
  const { collection, entries } = threads;

  return {
    /** Starts a chat with its first question and claims the answer; undefined if the operation has already done so. */
    async begin(account: string, assistant: string, { op, text }: Question, leaseMs: number) {
      const chat = { _id: chatId(op), kind: 'chat', assistant, session_id: sessionId(op) } as const;
      const thread = await threads.open(account, chat, {
        entry: { _id: op, by: 'user', text },
        effects: asked(op, leaseMs),
        facts: [{ case: 'chatStarted', value: { chatbotId: assistant } }],
      });
      if (!thread) return undefined;
      await threads.stamps.create(thread);
      if (await threads.gone.isGone(assistant)) {
        await removal.undo(thread);
        throw notFound('This chatbot has been deleted.');
      }
      threads.keepLast(thread);
      return { thread, question: thread.last! } satisfies Asked;
    },

    /**
     * Asks in a chat that was read before, or finds the question that the operation asked before. Undefined if it has to
     * wait for another question.
     */
    async ask(thread: ThreadDoc, { op, text }: Question, leaseMs: number): Promise<Asked | undefined> {
      if (thread.blocked_at) throw blocked();
      const earlier = await entries.find(thread, op);
      if (earlier) return askAgain(thread, earlier, text, leaseMs);
      checkRoom(thread);
      const acted = await threads.act(thread, {
        guard: { $and: [{ blocked_at: null }, IDLE, isFirst(op)] },
        entry: { _id: op, by: 'user', text },
        effects: asked(op, leaseMs),
      });
      return acted ? { thread: acted, question: acted.last! } : undefined;
    },

    /** Takes or renews the operation's place in the queue of a chat. The same write also reads the chat. */
    async queue(account: string, id: string, op: string): Promise<{ thread: ThreadDoc; place: Place }> {
      const filter: Filter<ThreadDoc> = { _id: id, account, ...LIVE };
      const thread = await collection.findOneAndUpdate(filter, queued(op), { returnDocument: 'after' });
      return thread
        ? { thread, place: placeOf(thread, op) }
        : { thread: await threads.thread(account, id), place: 'none' };
    },

    /** Gives up a place in the queue. */
    async leave(account: string, id: string, op: string): Promise<void> {
      await collection.updateOne({ _id: id, account }, { $pull: { waiting: { op } } });
    },
  };

  async function askAgain(thread: ThreadDoc, question: EntryDoc, text: string, leaseMs: number) {
    if (question.text !== text) throw alreadyExists('This operation was used for another question.');
    const answer = await entries.find(thread, answerId(question._id));
    if (answer) return { thread, question, answer };
    const { _id, account, n } = thread;
    const own = { 'pending.entry': question._id };
    // A question whose claim expired has had its turn and need not queue.
    const guard = { $and: [IDLE, { $or: [own, isFirst(question._id)] }] };
    const filter: Filter<ThreadDoc> = { $and: [{ _id, account, n, hold: null, blocked_at: null, ...LIVE }, guard] };
    const update = claimed(question._id, leaseMs);
    const taken = await collection.findOneAndUpdate(filter, update, { returnDocument: 'after' });
    return taken ? { thread: taken, question } : undefined;
  }
}

/** `first`: may ask now. `none`: the queue is full. */
export type Place = 'first' | 'waiting' | 'none';

function placeOf({ pending, waiting, looked_at }: ThreadDoc, op: string): Place {
  const idle = pending === null || pending.until <= looked_at!;
  if (pending?.entry === op) return idle ? 'first' : 'waiting';
  const place = waiting.findIndex((each) => each.op === op);
  if (place < 0) return 'none';
  return idle && place === 0 ? 'first' : 'waiting';
}

export const blocked = () => permissionDenied('This conversation is blocked.');
