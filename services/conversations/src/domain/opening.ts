import { emailAddress, invalidArgument } from '@parley/runtime';
import { boundedText } from '@parley/runtime/text';
import { checkMessage, MAX_MESSAGE } from './limits.ts';

/** Code points. */
const MAX_NAME = 200;
/** A line of a mail (RFC 5322). */
const MAX_SUBJECT = 998;

/** What an end user gives to open a ticket or an email. */
export interface Opening {
  kind: 'ticket' | 'email';
  email: string;
  /** May be empty. */
  name: string;
  /** Emails only; may be empty. */
  subject: string;
  message: string;
}

/** @throws AppError `invalid_argument` that names the field. */
export function checkOpening({ email, name, subject, message }: Opening): void {
  emailAddress('email', email);
  boundedText('name', name, MAX_NAME);
  boundedText('subject', subject, MAX_SUBJECT);
  // They would end the header of a mail and begin another.
  for (const [field, text] of Object.entries({ name, subject }))
    if (/[\r\n\u2028\u2029]/.test(text)) throw invalidArgument(`${field} must not have line breaks.`);
  checkMessage(message, MAX_MESSAGE);
}
