import type { Owned, WithOutbox } from '@parley/runtime/mongo';
import { deriveId } from '@parley/runtime/rpc';
import { type Collection, type Db, type Document, MongoBulkWriteError, MongoServerError } from 'mongodb';
import type { Source } from '../domain/entries.ts';
import { answerId, type EntryDoc, sessionId, type ThreadDoc } from './model.ts';

/** A chat as earlier versions stored it. */
export interface ChatDoc extends Owned, WithOutbox {
  _id: string;
  account: string;
  assistant: string;
  session_id: string;
  created_at: Date;
  deleted_at: Date | null;
}

/** A question and its answer as earlier versions stored them. */
export interface TurnDoc {
  _id: string;
  account: string;
  assistant: string;
  thread: string;
  n: number;
  question: string;
  answer: { message: string; sources: Source[] } | null;
  state: 'pending' | 'answered' | 'unanswered';
  fence: number;
  until?: Date;
  bytes_before: number;
  created_at: Date;
  updated_at: Date;
}

/** Turns moved at a time, always whole chats. */
const BATCH = 500;

/**
 * Moves chats and turns to threads and entries: copies a batch, then removes it, so that it can resume after an
 * interruption. Ids, dates, order and unpublished events stay the same.
 */
export async function moveTurns(db: Db, signal: AbortSignal): Promise<void> {
  const [chats, turns] = [db.collection<ChatDoc>('chats'), db.collection<TurnDoc>('turns')];
  for (const name of ['chats', 'turns']) await close(db, name);
  let batch: TurnDoc[] = [];
  for await (const turn of turns.find().sort({ thread: 1, n: 1 })) {
    if (batch.length >= BATCH && batch.at(-1)!.thread !== turn.thread) {
      await moveChats(db, batch);
      signal.throwIfAborted();
      batch = [];
    }
    batch.push(turn);
  }
  await moveChats(db, batch);
  for await (const chat of chats.find()) {
    await insertAll(db.collection<ThreadDoc>('threads'), [threadOf(chat, [], [])]);
    await chats.deleteOne({ _id: chat._id });
    signal.throwIfAborted();
  }
}

/** Makes a replica of the earlier version that is still running fail, instead of writing data that nobody would read. */
async function close(db: Db, collMod: string): Promise<void> {
  await db.command({ collMod, validator: { $expr: false } }).catch((error) => {
    if (!(error instanceof MongoServerError && CANNOT_CLOSE.has(error.code as number))) throw error;
  });
}

/** Unauthorized: the user may only read and write. CommandNotFound: the embedded engine, which has no second process. */
const CANNOT_CLOSE = new Set([13, 59]);

/** @param turns all of some chats, in order */
async function moveChats(db: Db, turns: readonly TurnDoc[]): Promise<void> {
  const [chats, ids] = [db.collection<ChatDoc>('chats'), turns.map(({ _id }) => _id)];
  const stored = await chats.find({ _id: { $in: turns.map(({ thread }) => thread) } }).toArray();
  const chatById = new Map(stored.map((chat) => [chat._id, chat]));
  const byThread = new Map<string, TurnDoc[]>();
  for (const turn of turns) {
    const own = byThread.get(turn.thread);
    if (own) own.push(turn);
    else byThread.set(turn.thread, [turn]);
  }
  const moved = [...byThread.values()].map((own) => {
    const entries = entriesOf(own);
    return { entries, thread: threadOf(chatById.get(own[0]!.thread) ?? chatFrom(own[0]!), own, entries) };
  });
  await insertAll(
    db.collection<EntryDoc>('entries'),
    moved.flatMap(({ entries }) => entries),
  );
  await insertAll(
    db.collection<ThreadDoc>('threads'),
    moved.map(({ thread }) => thread),
  );
  await chats.deleteMany({ _id: { $in: [...byThread.keys()] } });
  await db.collection<TurnDoc>('turns').deleteMany({ _id: { $in: ids } });
}

/** Inserts the documents that an earlier attempt has not inserted. */
async function insertAll<T extends Document>(collection: Collection<T>, documents: readonly T[]): Promise<void> {
  if (documents.length === 0) return;
  try {
    await collection.insertMany(documents as never, { ordered: false });
  } catch (error) {
    const errors = error instanceof MongoBulkWriteError ? [error.writeErrors].flat() : [];
    if (errors.length === 0 || errors.some(({ code, errmsg }) => code !== 11000 || !errmsg?.includes('_id_')))
      throw error;
  }
}

/** The chat of a process that died before it created the chat. */
function chatFrom({ _id, thread, account, assistant, created_at }: TurnDoc): ChatDoc {
  const fact = { case: 'chatStarted', value: { chatbotId: assistant } } as const;
  return {
    _id: thread,
    account,
    assistant,
    session_id: sessionId(_id),
    created_at,
    deleted_at: null,
    seq: 1,
    outbox: [{ id: deriveId(thread, fact.case), seq: 1, at: created_at, fact }],
    outbox_due: created_at,
  };
}

function entriesOf(turns: readonly TurnDoc[]): EntryDoc[] {
  const entries = turns.flatMap(({ _id, thread, account, question, answer, created_at, updated_at }): EntryDoc[] => {
    const base = { thread, account, n: 0 };
    const asked = { ...base, _id, by: 'user', text: question, in_reply_to: null, at: created_at } as const;
    if (!answer) return [asked];
    const { message: text, sources } = answer;
    return [asked, { ...base, _id: answerId(_id), by: 'ai', text, in_reply_to: _id, at: updated_at, sources }];
  });
  return entries.map((entry, i) => ({ ...entry, n: i + 1 }));
}

function threadOf(chat: ChatDoc, turns: readonly TurnDoc[], entries: readonly EntryDoc[]): ThreadDoc {
  const pending = turns.find(({ state, until }) => state === 'pending' && until);
  const last = turns.at(-1);
  return {
    ...chat,
    kind: 'chat',
    n: entries.length,
    last: entries.at(-1) ?? null,
    questions: turns.length,
    bytes: entries.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0),
    status: null,
    priority: null,
    hold: null,
    blocked_at: null,
    pending: pending ? { entry: pending._id, fence: pending.fence, until: pending.until! } : null,
    fence: Math.max(0, ...turns.map(({ fence }) => fence)),
    failed: !pending && last?.state === 'unanswered' ? last._id : null,
    waiting: [],
    updated_at: new Date(Math.max(...[chat.created_at, ...turns.map((turn) => turn.updated_at)].map(Number))),
  };
}
