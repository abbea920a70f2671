import { deriveId } from '@parley/runtime';
import type { Listed as ListedCollection, ListVersions, Owned, WithOutbox } from '@parley/runtime/mongo';
import type { Answered, Entry } from '../domain/entries.ts';
import type { Evidence } from '../domain/evidence.ts';
import type { Visitor, VoteKind } from '../domain/visitors.ts';

/** The counted resources of an account's conversations. */
export type Resource = 'chats' | 'tickets' | 'emails' | 'mail_bytes';

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
  /** Chats only; absent if an API key began it. */
  visitor?: Visitor;
  /** Chats only: on answers, at most one each, the latest last. */
  votes?: VoteDoc[];
  /** Tickets and emails only: the end user, and the subject (empty in a ticket). */
  from?: { email: string; name: string };
  subject?: string;
  /** Bytes of its form's files in the object store; absent without any. */
  file_bytes?: number;
  /** The key of a block: the end user's normalised address, or what `addressesOf` returns for a visitor. */
  address?: string;
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
  pending: Pending | null;
  /** Fencing token: the number of claims so far. */
  fence: number;
  /** The user's entry whose answer failed, until the next act. */
  failed: string | null;
  /** Tickets only: how many times its links were revoked; absent for none. A link is good for the number it was made with. */
  link?: number;
  /** Tickets and emails only: the AI's answer to the newest message, which nobody has sent. */
  draft?: DraftDoc | null;
  /** The last operation that sent a draft. */
  draft_sent_by?: string;
  /** Tickets and emails only: whether the AI has answered the newest message of the user. */
  answered?: boolean;
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
  pending_since?: Date;
}

export interface Pending {
  entry: string;
  fence: number;
  /** The end of the claim. Before the first claim of a due answer: the end of the quiet time. */
  until: Date;
  /** Only a due answer has the following fields: a worker claims it, where a chat's question is claimed by its caller. */
  due?: true;
  /** Claims so far, without those that were postponed because of something else than the message. */
  attempts?: number;
  /** True if an answer may be sent to its sender without a person's consent. */
  authenticated?: boolean;
}

/** An answer that waits for the owner. */
export interface DraftDoc extends Answered {
  /** The user's entry that it answers. */
  entry: string;
  /** The fence of the claim that stored it. */
  fence: number;
  /** The owner has changed the text. */
  changed?: true;
  at: Date;
}

/** The opinion of a visitor on an answer. */
export interface VoteDoc {
  entry: string;
  vote: VoteKind;
  /** May be empty. */
  reason: string;
  at: Date;
}

/** The owner of a thread, and thereby where it may be looked up. */
export interface ThreadScope {
  account: string;
  kind: Kind;
  assistant: string;
}

/** The threads, as lists show them. */
export type ListedThreads = ListedCollection<ThreadDoc, 'kind' | 'assistant', Resource>;

/** The versions of lists of threads. Their days are those on which the threads were created. */
export type ThreadListVersions = ListVersions<'kind' | 'assistant'>;

export type Listed = Pick<ThreadDoc, 'account' | 'kind' | 'assistant' | 'created_at'>;

/** Names a thread. */
export interface ThreadRef extends ThreadScope {
  id: string;
}

/** The newest entry of a thread, with what the same write has added and is copied elsewhere with it. */
export interface LastEntry extends EntryDoc {
  /** The entry right before it. */
  before?: EntryDoc;
  /** The evidence of an answer. */
  evidence?: EvidenceDoc;
}

/** The evidence of the answer to a user's entry, or its failure. */
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
/** The id of the attachment at a position of the message that an operation receives. */
export const attachmentId = (operation: string, at: number): string => deriveId(operation, 'attachment', `${at}`);
/** The ids of the chat and the session that an operation starts: the same on every retry. */
export const chatId = (operation: string): string => deriveId(operation, 'chat');
export const sessionId = (operation: string): string => deriveId(operation, 'session');
/** The id of the AI's answer to an entry. It is derived, so that there can be only one. */
export const answerId = (entry: string): string => deriveId(entry, 'answer');
