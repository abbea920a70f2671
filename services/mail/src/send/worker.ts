import { durationFromMs } from '@bufbuild/protobuf/wkt';
import {
  type ClaimMailResponse,
  MailOutcome,
  ThreadKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { createLoop, createTurns, type Loop } from '@parley/runtime';
import { codeOf } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { type Assistant, type Composing, linkMail, messageMail, noticeMail } from './compose.ts';
import { NotSent } from './transport.ts';

const REST_MS = 1_000;
const AT_ONCE = 4;
/** Longer than a mail takes at most, so that no other worker sends it meanwhile. */
const LEASE_MS = 300_000;

type Sending = Composing &
  Pick<Dependencies, 'assistants' | 'conversations' | 'calls' | 'transport' | 'log' | 'metrics'>;

/** Sends what is due, a few mails at a time, at most half of them of one account. Every replica may run it. */
export function createSender(dependencies: Sending): Loop {
  const { conversations, calls, log } = dependencies;
  const turns = createTurns(AT_ONCE);

  async function round(): Promise<boolean> {
    if (turns.isFull()) return false;
    const asked = { lease: durationFromMs(LEASE_MS), exceptAccounts: turns.busy() };
    const claimed = await conversations.claimMail(asked, calls());
    if (!claimed.claim) return false;
    turns.begin(claimed.accountId, sendClaimed(dependencies, claimed).finally(loop.wake));
    return true;
  }

  const loop = createLoop({ name: 'sending mail', restMs: REST_MS, log, round });
  return {
    ...loop,
    async stop() {
      await loop.stop();
      await turns.ended();
    },
  };
}

const RESULT = {
  [MailOutcome.SENT]: 'ok',
  [MailOutcome.FAILED]: 'failed',
  [MailOutcome.POSTPONED]: 'unavailable',
} as const;

/** Never rejects: a claim that can't be ended expires, and the mail is due again. */
async function sendClaimed(dependencies: Sending, claimed: ClaimMailResponse): Promise<void> {
  const { conversations, calls, log } = dependencies;
  const began = performance.now();
  const outcome = await send(dependencies, claimed);
  dependencies.metrics.handled('mail', 'senders', RESULT[outcome.outcome], (performance.now() - began) / 1_000);
  await conversations
    .endMail({ claim: claimed.claim!, ...outcome }, calls())
    .catch((err) => log.warn({ err, mail: claimed.claim!.mailId }, 'what became of a mail could not be stored'));
}

async function send(dependencies: Sending, claimed: ClaimMailResponse) {
  try {
    await dependencies.transport.send(mailOf(dependencies, claimed, await assistantOf(dependencies, claimed)));
    return { outcome: MailOutcome.SENT };
  } catch (error) {
    if (error instanceof NotSent) {
      dependencies.log.warn({ err: error.cause, mail: claimed.claim!.mailId }, error.message);
      return { outcome: error.isFinal ? MailOutcome.FAILED : MailOutcome.POSTPONED, reason: error.message };
    }
    if (codeOf(error) === 'not_found') return { outcome: MailOutcome.FAILED, reason: 'The form or inbox was deleted.' };
    dependencies.log.error({ err: error, mail: claimed.claim!.mailId }, 'a mail could not be sent');
    return { outcome: MailOutcome.POSTPONED, reason: 'Something went wrong on our side.' };
  }
}

function mailOf(dependencies: Sending, claimed: ClaimMailResponse, assistant: Assistant) {
  const { content } = claimed;
  if (content.case === 'message') return messageMail(dependencies, claimed, content.value, assistant);
  if (content.case === 'notice') return noticeMail(dependencies, claimed, content.value, assistant);
  return linkMail(dependencies, claimed, assistant);
}

async function assistantOf({ assistants, calls }: Sending, { kind, assistantId: id, accountId }: ClaimMailResponse) {
  if (kind === ThreadKind.TICKET) return (await assistants.getTicketForm({ id }, calls(accountId))).ticketForm!;
  return (await assistants.getEmailInbox({ id }, calls(accountId))).emailInbox!;
}
