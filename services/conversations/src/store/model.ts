import type { Owned, Stamps, WithOutbox } from '@parley/runtime/mongo';
import { deriveId } from '@parley/runtime/rpc';
import type { Entry } from '../domain/entries.ts';
import type { Evidence } from '../domain/evidence.ts';

export const KINDS = ['chat', 'ticket', 'email'] as const;
export type Kind = (typeof KINDS)[number];

/** A conversation. Every act is one conditional write of this document, including the new entry as `last`. */
export interface ThreadDoc extends Owned, WithOutbox {
  /** In a chat, the `chatId` of the operation that started it. */
  _id: string;
  account: string;
  kind: Kind;
  assistant: string;
  /** Chats only. */
  session_id?: string;
  /** Tickets and emails only: the end user, the address in its normal form, and the subject (empty in a ticket). */
  from?: { email: string; name: string };
  address?: string;
  subject?: string;
  /** Number of entries. Defines their order. */
  n: number;
  /** The newest entry. It must be copied to `entries` before it is replaced. */
  last: LastEntry | null;
  /** Number of messages of the user. */
  questions: number;
  /** Bytes of all messages, including `MESSAGE_BYTES` for each. */
  bytes: number;
  /** Null in a chat. */
  status: string | null;
  priority: string | null;
  /** When a human took over; the AI does not answer after that. */
  hold: Date | null;
  blocked_at: Date | null;
  /** The version of the address's block that `blocked_at` is of, 0 if it was never blocked; absent until a thread opens. */
  block_version?: number;
  /** The user's entry that the AI should answer, and the claim on it. An expired claim can be taken over. */
  pending: { entry: string; fence: number; until: Date } | null;
  /** Fencing token: the number of claims so far. */
  fence: number;
  /** The user's entry whose answer failed, until the next act. */
  failed: string | null;
  /** The queue of questions in a chat behind the pending one. Places that are not renewed expire. */
  waiting: { op: string; until: Date }[];
  /** The database's time when a waiter last polled. */
  looked_at?: Date;
  created_at: Date;
  updated_at: Date;
  deleted_at: Date | null;
  /**
   * When a ticket or an email was stored that is not open yet: it counts as deleted until it may open. The database
   * removes it later if its process died.
   */
  opening_at?: Date;
}

/** What a thread belongs to, and thereby where it may be looked up. */
export interface Place {
  account: string;
  kind: Kind;
  assistant: string;
}

/** The stamps of lists of threads. Their days are those on which the threads were created. */
export type ThreadStamps = Stamps<'kind' | 'assistant'>;

export type Stamped = Pick<ThreadDoc, 'account' | 'kind' | 'assistant' | 'created_at'>;

/** Names a thread. */
export interface ThreadRef extends Place {
  id: string;
}

/** The newest entry of a thread, with what the same write has added and is copied elsewhere with it. */
export interface LastEntry extends EntryDoc {
  /** The entry right before it. */
  before?: EntryDoc;
  /** Of an answer. */
  evidence?: EvidenceDoc;
}

/** What the answer to a user's entry rests on, or that it failed. */
export interface EvidenceDoc extends Evidence {
  /** The user's entry. */
  _id: string;
  account: string;
  thread: string;
  /** Position of the user's entry. */
  n: number;
  /** The answer, or the user's entry if there is none. */
  entry: string;
}

/** A message or a change. */
export interface EntryDoc extends Entry {
  thread: string;
  account: string;
}

/** The id of the ticket or email that an operation opens. */
export const threadId = (operation: string): string => deriveId(operation, 'thread');
/** The entry of a change that an operation makes: one operation may change both fields. */
export const changeId = (operation: string, field: 'status' | 'priority'): string => deriveId(operation, field);
/** The ids of the chat and the session that an operation starts: the same on every retry. */
export const chatId = (operation: string): string => deriveId(operation, 'chat');
export const sessionId = (operation: string): string => deriveId(operation, 'session');
/** The id of the AI's answer to an entry. It is derived, so that there can be only one. */
export const answerId = (entry: string): string => deriveId(entry, 'answer');
