import { emailAddress, invalidArgument } from '@parley/runtime';
import { boundedText } from '@parley/runtime/text';
import { checkMessage, MAX_MESSAGE, MAX_NAME } from './limits.ts';
import type { Attachments, ReceivedMail } from './mail.ts';

/** A line of a mail (RFC 5322). */
const MAX_SUBJECT = 998;

/** An end user's input for a new ticket or email. */
export interface NewConversation {
  kind: 'ticket' | 'email';
  email: string;
  /** May be empty. */
  name: string;
  /** Emails only; may be empty. */
  subject: string;
  message: string;
  /** If it came by mail. */
  mail?: ReceivedMail;
  /** If it came by a form with files. */
  attached?: Attachments | undefined;
  /** True to mail its address the link to the ticket. */
  mailsLink?: boolean;
}

/** @throws AppError `invalid_argument` that names the field. */
export function checkNewConversation({ email, name, subject, message }: NewConversation): void {
  emailAddress('email', email);
  boundedText('name', name, MAX_NAME);
  boundedText('subject', subject, MAX_SUBJECT);
  // They would end the header of a mail and begin another.
  for (const [field, text] of Object.entries({ name, subject }))
    if (/[\r\n\u2028\u2029]/.test(text)) throw invalidArgument(`${field} must not have line breaks.`);
  checkMessage(message, MAX_MESSAGE);
}
