import type { Confidence } from './evidence.ts';
import type { Attachments, ReceivedMail } from './mail.ts';

export type Author = 'user' | 'ai' | 'owner' | 'persona' | 'system';

export interface Source {
  n: number;
  title: string;
  url: string;
}

/** The AI's answer. */
export interface Answered {
  text: string;
  sources: Source[];
  /** Null if there is nothing to be sure of. */
  confidence?: Confidence | null;
}

/** A change of status or priority by a human. */
export interface Change {
  /** The id of the API key that made it; `user` if a message of the end user did; empty if it is not known. */
  by: string;
  field: 'status' | 'priority';
  from: string | null;
  to: string;
}

/** A persona as it was when its message was sent. */
export interface Persona {
  id: string;
  name: string;
  image_url: string | null;
}

export interface Entry {
  /** The operation id; an answer's id derives from the entry that it answers. */
  _id: string;
  /** Position in the thread, from 1. */
  n: number;
  by: Author;
  /** Empty in a change. */
  text: string;
  /** The user's entry that an answer replies to. */
  in_reply_to: string | null;
  at: Date;
  /** In answers only. */
  sources?: Source[];
  /** In answers only; null if there is nothing to be sure of. */
  confidence?: Confidence | null;
  /** In system entries only. */
  change?: Change;
  /** In entries by the owner only: the name of the account. */
  owner_name?: string;
  /** In entries by a persona only. */
  persona?: Persona;
  /** In what came by mail only. */
  mail?: ReceivedMail;
  /** In what came by a form with files only. */
  attached?: Attachments;
  /**
   * In what is sent by mail only: whether a person has asked for it, or the AI does so by itself. In the message that opens a
   * ticket: the link to it is sent.
   */
  mailed?: 'asked' | 'automatic' | 'link';
}

/**
 * Orders entries for reading: by `n`, but each answer right after its question. The two are apart if a question failed,
 * others followed, and a retry of its operation was answered later.
 */
export function asChat<T extends Pick<Entry, '_id' | 'by' | 'in_reply_to'>>(entries: readonly T[]): T[] {
  const questions = new Set(entries.map(({ _id }) => _id));
  const isAnswer = ({ by, in_reply_to }: T) => by === 'ai' && in_reply_to !== null && questions.has(in_reply_to);
  const answers = new Map(entries.filter(isAnswer).map((answer) => [answer.in_reply_to, answer]));
  return entries
    .filter((entry) => !isAnswer(entry))
    .flatMap((entry) => [entry, ...(answers.has(entry._id) ? [answers.get(entry._id)!] : [])]);
}
