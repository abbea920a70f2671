import type { Entry } from '../domain/entries.ts';
import type { ThreadDoc } from './model.ts';
import type { ThreadLimits } from './usage.ts';

/** The operator's settings of conversations. */
export interface Settings {
  /** How long a ticket or an email must be quiet before the AI answers: a burst of messages gets one answer. */
  quietMs: number;
  /** The domain of inboxes and of mails that are sent; absent: nothing is sent. */
  mailDomain?: string | undefined;
  /** The most conversations that an account may have. */
  limits: ThreadLimits;
}

/** That a message is sent by mail, if it is: part of the message, so that it can't be lost. */
export const mailedAs = (
  { mailDomain }: Settings,
  { address, blocked_at }: ThreadDoc,
  how: Entry['mailed'],
): Pick<Entry, 'mailed'> =>
  mailDomain !== undefined && address !== undefined && how && !blocked_at ? { mailed: how } : {};
