import { invalidArgument } from '@parley/runtime';
import { boundedText, requiredText } from '@parley/runtime/text';

/** A message that came by mail, without its text. */
export interface ReceivedMail {
  /** The sender's address as written in the message. */
  from: string;
  /** True if its domain, or a relay that is trusted, or a token that only the sender got, vouches for the sender. */
  authenticated: boolean;
  /** Sent by a program: a newsletter, a notice of absence, a bounce. Nothing is sent because of it. */
  automatic: boolean;
  verdicts: Verdicts;
  /** Quotes of earlier messages, and the signature, which are not part of the text. */
  quoted: string;
  /** The text goes on in the raw message. */
  is_cut: boolean;
  attachments: Attachment[];
}

const MAX_MESSAGE_ID = 998;
const MAX_REFERENCES = 50;
const MAX_QUOTED = 10_000;
const MAX_ATTACHMENTS = 100;
/** Code points. */
const MAX_FILE_NAME = 255;
const MAX_TYPE = 100;
const MAX_VERDICT = 20;

/** @throws AppError `invalid_argument` that names the field. */
export function checkReceivedMail({
  mail,
  messageId,
  references,
}: {
  mail: ReceivedMail;
  messageId: string;
  references: readonly string[];
}): void {
  requiredText('message_id', messageId, MAX_MESSAGE_ID);
  atMost('references', references, MAX_REFERENCES);
  for (const reference of references) boundedText('references', reference, MAX_MESSAGE_ID);
  boundedText('mail.quoted', mail.quoted, MAX_QUOTED);
  for (const [check, verdict] of Object.entries(mail.verdicts)) boundedText(`mail.${check}`, verdict, MAX_VERDICT);
  checkAttachments('mail.attachments', mail.attachments);
}

/** @throws AppError `invalid_argument` that names the field. */
export function checkAttachments(field: string, attachments: readonly Attachment[]): void {
  atMost(field, attachments, MAX_ATTACHMENTS);
  for (const { name, type } of attachments) {
    boundedText(`${field}.name`, name, MAX_FILE_NAME);
    boundedText(`${field}.type`, type, MAX_TYPE);
  }
}

function atMost(field: string, list: readonly unknown[], max: number): void {
  if (list.length > max) throw invalidArgument(`${field} must have at most ${max} entries.`);
}

/** Results of the checks of a sender, in the words of RFC 8601: `pass`, `fail`, `none`, `temperror` and so on. */
export interface Verdicts {
  spf: string;
  dkim: string;
  dmarc: string;
}

/** Files that came by a form. */
export interface Attachments {
  /** Their folder in that of the assistant. */
  folder: string;
  files: Attachment[];
}

export interface Attachment {
  id: string;
  name: string;
  /** A media type. */
  type: string;
  /** Bytes. */
  size: number;
  /** Shown in the message, as an image. */
  is_inline: boolean;
}
