import type { ReadAttachment, ReadMail } from '@parley/reading/mail';
import { isEmailAddress, linkedSignal } from '@parley/runtime';
import type { Dependencies } from '../dependencies.ts';
import { isAutomatic, reportedMail } from '../domain/automatic.ts';
import { type Checked, dkimVerdict, isAuthenticated } from '../domain/senders.ts';
import type { Peer } from './check-sender.ts';
import { operationOf } from './operation.ts';
import { admit, type Leaver, type Recipient } from './recipients.ts';
import { headersTooLarge, noSender, type Refusal, refusalOf } from './refusal.ts';

/** A message as a client has sent it. */
export interface Delivery extends Peer {
  raw: Buffer;
  recipients: readonly (Recipient | Leaver)[];
  /** True if it came from a relay whose senders count as authenticated. */
  isTrusted: boolean;
  /** The client, for its share of what this process does at a time; absent for such a relay. */
  client?: string | undefined;
}

export type Receiving = Pick<
  Dependencies,
  'domain' | 'objects' | 'assistants' | 'conversations' | 'calls' | 'reader' | 'checkSender' | 'log'
>;

const READ_MS = 60_000;
const STORE_MS = 60_000;
const MAX_HEADER_BYTES = 256 * 1024;
/** Code points, of the text of a message and of what it quotes. */
const MAX_TEXT = 10_000;
const MAX_SUBJECT = 998;
const MAX_NAME = 200;
/** In place of a text, which a message has to have. */
const NO_TEXT = '(no text)';
const UNREADABLE = '(This message could not be read. Its raw form is kept.)';

/**
 * Receives a message: stores it as it is, then what can be read of it, and hands it to its threads. Nothing is kept in this
 * process. When it returns, the message can't be lost; until then, the sender has to try again.
 *
 * @throws Refusal
 */
export async function receive(dependencies: Receiving, delivery: Delivery): Promise<void> {
  const { raw } = delivery;
  if (headerBytes(raw) > MAX_HEADER_BYTES) throw headersTooLarge();
  using reading = linkedSignal([], READ_MS);
  const [mail, checked] = await Promise.all([
    dependencies.reader.read(raw, reading.signal, delivery.client),
    dependencies.checkSender(raw, delivery, delivery.client),
  ]);
  const outcomes = await Promise.allSettled(
    delivery.recipients.map((recipient) =>
      'leaves' in recipient
        ? leave(dependencies, recipient)
        : deliver(dependencies, { ...delivery, mail, checked }, recipient),
    ),
  );
  const failures = outcomes.flatMap((outcome) =>
    outcome.status === 'rejected' ? [failureOf(dependencies, outcome)] : [],
  );
  // One reply is for all recipients. What can be tried again comes first: the others have it then, and notice that.
  const refusal = failures.find(({ isFinal }) => !isFinal) ?? failures[0];
  if (refusal && (!refusal.isFinal || failures.length === outcomes.length)) throw refusal;
}

function failureOf({ log }: Receiving, { reason }: PromiseRejectedResult): Refusal {
  const refusal = refusalOf(reason);
  if (!refusal.isFinal) log.warn({ err: reason }, 'a message could not be received; its sender will try again');
  return refusal;
}

/** Messages have CRLF, and some that come through broken programs LF only. */
function headerBytes(raw: Buffer): number {
  const ends = [raw.indexOf('\r\n\r\n'), raw.indexOf('\n\n')].filter((end) => end >= 0);
  return ends.length > 0 ? Math.min(...ends) : raw.length;
}

async function leave({ assistants, calls }: Receiving, { leaves }: Leaver): Promise<void> {
  const { account, ...who } = leaves;
  await assistants.stopNotices(who, calls(account));
}

interface Read extends Delivery {
  mail: ReadMail | undefined;
  checked: Checked;
}

async function deliver(dependencies: Receiving, read: Read, recipient: Recipient): Promise<void> {
  const { domain, conversations, calls } = dependencies;
  const { mail, envelopeFrom } = read;
  const { account, sentMailId } = recipient;
  const reported = mail && reportedMail({ ...mail, envelopeFrom, domain });
  if (reported !== undefined && (sentMailId || reported)) {
    // A delay may pass, and the server that reports it goes on.
    if (mail!.report?.failed === false) return;
    const reason = mail!.report?.reason || mail!.text.replace(/\s+/g, ' ').trim();
    await conversations.reportBounce({ sentMailId: sentMailId || reported, reason }, calls(account));
    return;
  }
  const from = senderOf(read);
  if (from === undefined) throw noSender();
  await store(dependencies, read, recipient, from);
}

/** The author, else who has sent it; undefined if neither can be answered. */
function senderOf({ mail, envelopeFrom }: Read): string | undefined {
  return [mail?.from?.address, envelopeFrom].find((address) => address !== undefined && isEmailAddress(address));
}

async function store(dependencies: Receiving, read: Read, recipient: Recipient, from: string): Promise<void> {
  const { domain, objects, conversations, calls } = dependencies;
  const { raw, mail, checked, isTrusted, envelopeFrom } = read;
  const { account, kind, assistantId, sentMailId } = recipient;
  const { subject = '', date = '', messageId, attachments = [], references = [], headers = {} } = mail ?? {};
  const content = mail ? [mail.text, mail.quoted, ...attachments.map((attachment) => attachment.content)] : [raw];
  const operation = operationOf({ assistantId, messageId, from, subject, date, content });
  const bytes = attachments.reduce((sum, { content }) => sum + content.byteLength, raw.length);
  const { folder } = await admit(dependencies, recipient, from, { bytes, operation });
  await storeFiles(objects, `${folder}${operation}/`, raw, attachments);
  const text = mail ? mail.text.trim() || NO_TEXT : UNREADABLE;
  const message = firstOf(text, MAX_TEXT);
  await conversations.receiveMail(
    {
      ...{ kind, assistantId, sentMailId, references, subject: firstOf(subject, MAX_SUBJECT), message, bytes },
      fromName: mail?.from?.address === from ? firstOf(mail.from.name, MAX_NAME) : '',
      messageId: messageId ?? `${operation}@${domain}`,
      mail: {
        ...{ fromEmail: from, spf: checked.spf.result, dkim: dkimVerdict(checked.dkim), dmarc: checked.dmarc },
        authenticated: isTrusted || sentMailId !== '' || isAuthenticated(checked, from),
        automatic: !mail || isAutomatic({ envelopeFrom, from, messageId, headers, domain }),
        ...{ quoted: firstOf(mail?.quoted ?? '', MAX_TEXT), isCut: message !== text },
        attachments: attachments.map(({ name, type, isInline, content }) => ({
          ...{ name, type, isInline, size: content.byteLength },
        })),
      },
    },
    calls(account, operation),
  );
}

/** The same for every attempt, so each overwrites what an earlier one has stored. */
async function storeFiles(
  objects: Receiving['objects'],
  folder: string,
  raw: Buffer,
  attachments: readonly ReadAttachment[],
): Promise<void> {
  using storing = linkedSignal([], STORE_MS);
  const { signal } = storing;
  await objects.put(`${folder}raw.eml`, raw, { contentType: 'message/rfc822', signal });
  for (const [at, { type, content }] of attachments.entries())
    await objects.put(`${folder}${at}.bin`, content, { contentType: type, signal });
}

/** The first code points of a text. */
const firstOf = (text: string, max: number): string =>
  text.length <= max ? text : [...text.slice(0, 2 * max)].slice(0, max).join('');
