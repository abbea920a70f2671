import type { Owned, WithOutbox } from '@parley/runtime';
import { deriveId } from '@parley/runtime';

/** A conversation with a chatbot. It exists before the turn of its first question ends. */
export interface ChatDoc extends Owned, WithOutbox {
  /** `chatId` of the operation that began it. */
  _id: string;
  account: string;
  /** The chatbot. */
  assistant: string;
  session_id: string;
  created_at: Date;
  deleted_at: Date | null;
}

/** One question and its answer. */
export interface TurnDoc {
  /** The operation that asked. */
  _id: string;
  account: string;
  assistant: string;
  /** The chat; later also a ticket or an email. */
  thread: string;
  /** 1 is the first of its thread. */
  n: number;
  question: string;
  answer: Answer | null;
  /** At most one turn of a thread is pending. An unanswered one may be claimed again by its operation. */
  state: 'pending' | 'answered' | 'unanswered';
  /** Rises with every claim: an answer is taken from the latest one only. */
  fence: number;
  /** When a pending turn counts as given up. Absent once it has ended in order: the sweeper looks after the others. */
  until?: Date;
  /** Bytes said in the thread before this turn. */
  bytes_before: number;
  created_at: Date;
  /** When its question or its answer was stored. */
  updated_at: Date;
}

export interface Answer {
  message: string;
  sources: { n: number; title: string; url: string }[];
}

/** The chat that an operation begins, and its session: the same however often the operation is tried. */
export const chatId = (operation: string): string => deriveId(operation, 'chat');
export const sessionId = (operation: string): string => deriveId(operation, 'session');
