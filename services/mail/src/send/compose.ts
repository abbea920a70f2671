import {
  type ClaimMailResponse,
  type Notice,
  NoticeTopic,
  type OutgoingMessage,
  ThreadKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import type { Dependencies } from '../dependencies.ts';
import { htmlOf } from '../domain/html.ts';
import { replyAddress } from '../receive/recipients.ts';
import type { Message } from './transport.ts';

/** The form or inbox that a mail is from. */
export interface Assistant {
  title: string;
  /** The address of an inbox. */
  alias?: string;
}

export type Composing = Pick<Dependencies, 'domain' | 'tokens'> & { publicUrl?: string | undefined };

/** The address of what answers nobody. */
const NO_REPLY = 'noreply';
/** Code points of a subject. */
const MAX_SUBJECT = 200;

/** The mail that says what a message of a thread says. */
export function messageMail(
  parts: Composing,
  { claim, toEmail, toName, messageId }: ClaimMailResponse,
  { text, subject, senderName, automatic, references }: OutgoingMessage,
  { title, alias }: Assistant,
): Message {
  const { mailId } = claim!;
  const reply = replyAddress(parts, mailId);
  const ids = references.map((id) => `<${id}>`);
  return {
    mailId,
    messageId: `<${messageId}>`,
    from: { name: oneLine(senderName || title), address: `${alias ?? NO_REPLY}@${parts.domain}` },
    to: { name: oneLine(toName), address: toEmail },
    replyTo: reply,
    // A report that it could not be delivered comes back as a reply does.
    envelope: { from: reply, to: toEmail },
    subject: replySubject(oneLine(subject) || oneLine(title)),
    ...(ids.length > 0 && { inReplyTo: ids.at(-1)!, references: ids }),
    text,
    html: htmlOf(text),
    ...(automatic && { headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' } }),
  };
}

/** The mail that tells an owner of threads. */
export function noticeMail(
  parts: Composing,
  { claim, toEmail, messageId, kind, assistantId, threadId }: ClaimMailResponse,
  { topic, threads }: Notice,
  { title, alias }: Assistant,
): Message {
  const { mailId } = claim!;
  const many = threads > 1 ? `${threads} conversations` : 'A conversation';
  const [subject, says] =
    topic === NoticeTopic.NEW
      ? [`New in ${title}`, threads > 1 ? `${threads} new conversations have begun` : 'A new conversation has begun']
      : [`Waiting in ${title}`, `${many} ${threads > 1 ? 'wait' : 'waits'} for a person`];
  const path = kind === ThreadKind.EMAIL ? ['email-inbox', 'emails'] : ['ticket-form', 'tickets'];
  const link = parts.publicUrl && `${parts.publicUrl}/v1/${path[0]}/${alias ?? assistantId}/${path[1]}/${threadId}`;
  const text = [
    `${says} in ${oneLine(title)}.`,
    ...(link ? [link] : []),
    'This mail was sent by a program. A reply to it reaches nobody: answer in Parley.',
  ].join('\n\n');
  return {
    // Each has an id of its own, whatever it is written to.
    mailId: messageId.replace(/[^\w-]/g, '-'),
    messageId: `<${messageId}@${parts.domain}>`,
    from: { name: 'Parley', address: `${NO_REPLY}@${parts.domain}` },
    to: toEmail,
    envelope: { from: replyAddress(parts, mailId), to: toEmail },
    subject: oneLine(subject),
    text,
    html: htmlOf(text),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

const replySubject = (subject: string): string => (/^re\s*:/i.test(subject) ? subject : `Re: ${subject}`);

/** No line break passes into a header. */
const oneLine = (text: string): string =>
  [...text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, MAX_SUBJECT).join('');
