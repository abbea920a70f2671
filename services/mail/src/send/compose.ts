import {
  type ClaimMailResponse,
  type Notice,
  NoticeTopic,
  type OutgoingMessage,
  ThreadKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import type { TicketTokens } from '@parley/runtime';
import type { Dependencies } from '../dependencies.ts';
import { htmlOf } from '../domain/html.ts';
import { leaveAddress, replyAddress } from '../receive/recipients.ts';
import { type Message, NotSent } from './transport.ts';

/** The form or inbox that a mail is from. */
export interface Assistant {
  title: string;
  id: string;
  /** The address of an inbox. */
  alias?: string;
  /** The form's public id. */
  publicId?: string;
}

export interface Composing extends Pick<Dependencies, 'domain' | 'tokens'> {
  ticketTokens: TicketTokens;
  publicUrl?: string | undefined;
}

/** The address of what answers nobody. */
const NO_REPLY = 'noreply';
/** Code points of a subject. */
const MAX_SUBJECT = 200;

/** The mail that says what a message of a thread says. Whoever has opened a ticket finds the whole of it by a link. */
export function messageMail(
  dependencies: Composing,
  claimed: ClaimMailResponse,
  { text: says, subject, senderName, automatic, references }: OutgoingMessage,
  assistant: Assistant,
): Message {
  const { title } = assistant;
  const ids = references.map((id) => `<${id}>`);
  const link = ticketLink(dependencies, claimed, assistant);
  // A reply does not repeat what follows the mark of a signature.
  const text = link === undefined ? says : `${says}\n\n-- \nThe whole conversation: ${link}`;
  return {
    ...addressed(dependencies, claimed, senderName || title, assistant),
    subject: replySubject(oneLine(subject) || oneLine(title)),
    ...(ids.length > 0 && { inReplyTo: ids.at(-1)!, references: ids }),
    text,
    html: htmlOf(text),
    ...(automatic && { headers: { 'Auto-Submitted': 'auto-replied', 'X-Auto-Response-Suppress': 'All' } }),
  };
}

/**
 * The mail with the link to a ticket. It has nothing of what was typed into the form: anybody can type any address there.
 *
 * @throws NotSent if there is no address to link to
 */
export function linkMail(dependencies: Composing, claimed: ClaimMailResponse, assistant: Assistant): Message {
  const title = oneLine(assistant.title);
  const link = ticketLink(dependencies, claimed, assistant);
  if (link === undefined) throw new NotSent('PUBLIC_URL is not set, so a ticket has no link.', true);
  const text = [
    `Your message to ${title} has arrived. The answer will come to this address.`,
    `Read it, and write more, at ${link}`,
    'Whoever has this link can do so: keep it to yourself. If you have written nothing, ignore this mail.',
  ].join('\n\n');
  return {
    ...addressed(dependencies, claimed, title, assistant),
    subject: title,
    text,
    html: htmlOf(text),
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

function addressed(dependencies: Composing, claimed: ClaimMailResponse, senderName: string, { alias }: Assistant) {
  const { claim, toEmail, toName, messageId } = claimed;
  const { mailId } = claim!;
  const reply = replyAddress(dependencies, mailId);
  return {
    mailId,
    messageId: `<${messageId}>`,
    from: { name: oneLine(senderName), address: `${alias ?? NO_REPLY}@${dependencies.domain}` },
    to: { name: oneLine(toName), address: toEmail },
    replyTo: reply,
    // A report that it could not be delivered comes back as a reply does.
    envelope: { from: reply, to: toEmail },
  };
}

/** Where the person behind a ticket reads it; undefined for an email, or if it is not known where the API is reached. */
function ticketLink(
  { publicUrl, ticketTokens }: Composing,
  { accountId: account, threadId: ticket, link }: ClaimMailResponse,
  { id: form, publicId }: Assistant,
): string | undefined {
  if (publicUrl === undefined || !publicId) return undefined;
  // What follows the mark is sent to no server, and stands in no log.
  return `${publicUrl}/form/${publicId}#${ticketTokens.seal({ account, form, ticket, link })}`;
}

/** The mail that tells an owner of threads. */
export function noticeMail(
  dependencies: Composing,
  { claim, toEmail, messageId, kind, threadId }: ClaimMailResponse,
  { topic, threads }: Notice,
  { id, title, alias }: Assistant,
): Message {
  const { mailId } = claim!;
  const leave = leaveAddress(dependencies, mailId);
  const many = threads > 1 ? `${threads} conversations` : 'A conversation';
  const [subject, says] =
    topic === NoticeTopic.NEW
      ? [`New in ${title}`, threads > 1 ? `${threads} new conversations have begun` : 'A new conversation has begun']
      : [`Waiting in ${title}`, `${many} ${threads > 1 ? 'wait' : 'waits'} for a person`];
  const path = kind === ThreadKind.EMAIL ? ['email-inbox', 'emails'] : ['ticket-form', 'tickets'];
  const link =
    dependencies.publicUrl && `${dependencies.publicUrl}/v1/${path[0]}/${alias ?? id}/${path[1]}/${threadId}`;
  const text = [
    `${says} in ${oneLine(title)}.`,
    ...(link ? [link] : []),
    'This mail was sent by a program. A reply to it reaches nobody: answer in Parley.',
    `To hear of ${oneLine(title)} no more, send any mail to ${leave}`,
  ].join('\n\n');
  return {
    // Each has an id of its own, whatever it is written to.
    mailId: messageId.replace(/[^\w-]/g, '-'),
    messageId: `<${messageId}@${dependencies.domain}>`,
    from: { name: 'Parley', address: `${NO_REPLY}@${dependencies.domain}` },
    to: toEmail,
    envelope: { from: replyAddress(dependencies, mailId), to: toEmail },
    subject: oneLine(subject),
    text,
    html: htmlOf(text),
    list: { unsubscribe: { url: `mailto:${leave}?subject=unsubscribe` } },
    headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
  };
}

const replySubject = (subject: string): string => (/^re\s*:/i.test(subject) ? subject : `Re: ${subject}`);

/** No line break passes into a header. */
const oneLine = (text: string): string =>
  [...text.replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ').trim()].slice(0, MAX_SUBJECT).join('');
