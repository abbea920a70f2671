import { alreadyExists, notFound, permissionDenied } from '@parley/runtime';
import { LIVE } from '@parley/runtime/mongo';
import type { Filter } from 'mongodb';
import { checkRoom } from '../domain/limits.ts';
import { addressesOf, type Visitor } from '../domain/visitors.ts';
import type { Blocks } from './blocks.ts';
import { chatMessageAdded } from './events.ts';
import { answerId, chatId, type EntryDoc, sessionId, type ThreadDoc } from './model.ts';
import type { Removal } from './removal.ts';
import { asked, claimed, IDLE, isFirst, queued } from './stages.ts';
import type { Threads } from './threads.ts';

export interface Question {
  /** The operation id. */
  op: string;
  text: string;
  /** Who asks; absent for an API key. */
  visitor?: Visitor | undefined;
}

/** A question in a chat: already answered, or claimed for the caller. */
export interface Asked {
  thread: ThreadDoc;
  question: EntryDoc;
  answer?: EntryDoc;
}

/** The effects of starting a chat; none if the operation had started it before. */
interface Begun {
  thread?: ThreadDoc;
  isDeleted?: Promise<boolean>;
}

export type Questions = ReturnType<typeof questionStore>;

/** Questions in chats: each chat answers one at a time, in order of arrival. */
export function questionStore(threads: Threads, blocks: Blocks, removal: Removal) {
  const { collection, entries } = threads;

  return {
    /** Starts a chat with its first question and claims the answer; undefined if the operation has already done so. */
    async begin(account: string, assistant: string, { op, text, visitor }: Question, leaseMs: number) {
      const addresses = visitor && addressesOf(visitor);
      if (addresses && (await blocks.holdsFor({ account, kind: 'chat', assistant }, addresses))) throw blocked();
      const of = visitor && addresses && { visitor, address: addresses[0] };
      const chat = { _id: chatId(op), kind: 'chat', assistant, session_id: sessionId(op), ...of } as const;
      const first = {
        entry: { _id: op, by: 'user', text },
        effects: asked(op, leaseMs),
        events: [{ case: 'chatStarted', value: { chatbotId: assistant } }, chatMessageAdded(chat, op)],
      } satisfies Parameters<typeof threads.open>[3];
      const { thread, isDeleted } = await collection.write<Begun>(
        async (raw) => {
          const thread = await threads.open(raw, account, chat, first);
          if (!thread) return { result: {}, changed: [] };
          // A deletion that this does not see yet sees the chat.
          const isDeleted = threads.deletedAssistants.isDeleted(account, assistant);
          isDeleted.catch(() => {}); // Prevents an unhandled rejection if bumping the list's version fails first.
          return { result: { thread, isDeleted }, changed: [thread], counted: { chats: 1 } };
        },
        {
          account,
          most: { chats: 1 },
          found: async () => (await collection.findOne({ _id: chat._id, account })) && {},
        },
      );
      if (!thread) return undefined;
      if (await isDeleted) {
        await removal.undo(thread);
        throw notFound('This chatbot has been deleted.');
      }
      threads.persistLastEntry(thread);
      if (visitor && (await blocks.reach(thread))) throw blocked();
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
        events: [chatMessageAdded(thread, op)],
      });
      return acted ? { thread: acted, question: acted.last! } : undefined;
    },

    /** Takes or renews the operation's position in the queue of a chat. The same write also reads the chat. */
    async queue(account: string, id: string, op: string): Promise<{ thread: ThreadDoc; position: QueuePosition }> {
      const filter: Filter<ThreadDoc> = { _id: id, account, ...LIVE };
      const thread = await collection.unlisted.findOneAndUpdate(filter, queued(op), { returnDocument: 'after' });
      return thread
        ? { thread, position: positionOf(thread, op) }
        : { thread: await threads.thread(account, id), position: 'none' };
    },

    /** Gives up a position in the queue. */
    async leave(account: string, id: string, op: string): Promise<void> {
      await collection.unlisted.updateOne({ _id: id, account }, { $pull: { waiting: { op } } });
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
    const taken = await collection.unlisted.findOneAndUpdate(filter, update, { returnDocument: 'after' });
    return taken ? { thread: taken, question } : undefined;
  }
}

/** `first`: may ask now. `none`: the queue is full. */
export type QueuePosition = 'first' | 'waiting' | 'none';

function positionOf({ pending, waiting, looked_at }: ThreadDoc, op: string): QueuePosition {
  const idle = pending === null || pending.until <= looked_at!;
  if (pending?.entry === op) return idle ? 'first' : 'waiting';
  const position = waiting.findIndex((each) => each.op === op);
  if (position < 0) return 'none';
  return idle && position === 0 ? 'first' : 'waiting';
}

export const blocked = () => permissionDenied('This conversation is blocked.');
