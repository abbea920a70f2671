import { durationFromMs } from '@bufbuild/protobuf/wkt';
import {
  type ClaimMailResponse,
  MailOutcome,
  ThreadKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { createLoop, type Loop } from '@parley/runtime';
import { codeOf } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { type Assistant, type Composing, linkMail, messageMail, noticeMail } from './compose.ts';
import { NotSent } from './transport.ts';

const REST_MS = 1_000;
const AT_ONCE = 4;
/** Longer than a mail takes at most, so that no other worker sends it meanwhile. */
const LEASE_MS = 300_000;

type Sending = Composing & Pick<Dependencies, 'assistants' | 'conversations' | 'calls' | 'transport' | 'log'>;

/** Sends what is due, a few mails at a time. Every replica may run it. */
export function createSender(parts: Sending): Loop {
  const round = async (signal: AbortSignal): Promise<boolean> => {
    const sent = await Promise.allSettled(Array.from({ length: AT_ONCE }, () => sendNext(parts, signal)));
    for (const one of sent) if (one.status === 'rejected') throw one.reason;
    return sent.some((one) => one.status === 'fulfilled' && one.value);
  };
  return createLoop({ name: 'sending mail', restMs: REST_MS, log: parts.log, round });
}

/** Returns whether there was a mail to send. */
async function sendNext(parts: Sending, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted();
  const { conversations, calls } = parts;
  const claimed = await conversations.claimMail({ lease: durationFromMs(LEASE_MS) }, calls());
  if (!claimed.claim) return false;
  await conversations.endMail({ claim: claimed.claim, ...(await send(parts, claimed)) }, calls());
  return true;
}

async function send(parts: Sending, claimed: ClaimMailResponse) {
  try {
    await parts.transport.send(mailOf(parts, claimed, await assistantOf(parts, claimed)));
    return { outcome: MailOutcome.SENT };
  } catch (error) {
    if (error instanceof NotSent) {
      parts.log.warn({ err: error.cause, mail: claimed.claim!.mailId }, error.message);
      return { outcome: error.isFinal ? MailOutcome.FAILED : MailOutcome.POSTPONED, reason: error.message };
    }
    if (codeOf(error) === 'not_found') return { outcome: MailOutcome.FAILED, reason: 'The form or inbox was deleted.' };
    parts.log.error({ err: error, mail: claimed.claim!.mailId }, 'a mail could not be sent');
    return { outcome: MailOutcome.POSTPONED, reason: 'Something went wrong on our side.' };
  }
}

function mailOf(parts: Sending, claimed: ClaimMailResponse, assistant: Assistant) {
  const { content } = claimed;
  if (content.case === 'message') return messageMail(parts, claimed, content.value, assistant);
  if (content.case === 'notice') return noticeMail(parts, claimed, content.value, assistant);
  return linkMail(parts, claimed, assistant);
}

async function assistantOf({ assistants, calls }: Sending, { kind, assistantId: id, accountId }: ClaimMailResponse) {
  if (kind === ThreadKind.TICKET) return (await assistants.getTicketForm({ id }, calls(accountId))).ticketForm!;
  return (await assistants.getEmailInbox({ id }, calls(accountId))).emailInbox!;
}
