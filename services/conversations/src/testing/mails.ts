import type { MessageInitShape } from '@bufbuild/protobuf';
import { durationFromMs } from '@bufbuild/protobuf/wkt';
import {
  type MailOutcome,
  type ReceiveMailRequestSchema,
  ThreadKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { contextSigner, monotonicNow, randomId } from '@parley/runtime/rpc';
import { testCall, until } from '@parley/runtime/testing';
import type { MailDoc } from '../store/mails.ts';
import { conversations, database, secret } from './conversations.ts';

export const mails = database().collection<MailDoc>('mails');

/** A call of the mail service. */
export const asMail = (account?: string, operation = randomId()) =>
  testCall({
    sign: contextSigner(secret, 'mail'),
    deadline: monotonicNow() + 5_000,
    account: account as string,
    operation,
  }).onward();

type Request = Exclude<MessageInitShape<typeof ReceiveMailRequestSchema>, { $typeName: string }>;
type Fields = Omit<Request, '$typeName'> & {
  account?: string;
  operation?: string;
  from?: string;
  authenticated?: boolean;
  automatic?: boolean;
};

/** Receives a mail, from Ann and authenticated unless `fields` say otherwise. */
export async function receive({ account = randomId(), operation = randomId(), ...fields }: Fields = {}) {
  const { from: fromEmail = 'ann@example.com', authenticated = true, automatic = false, ...rest } = fields;
  const messageId = `${randomId()}@example.com`;
  const request = {
    ...{
      kind: ThreadKind.EMAIL,
      assistantId: randomId(),
      fromName: 'Ann',
      subject: 'Lamp',
      message: 'Why?',
      messageId,
    },
    ...{ mail: { fromEmail, authenticated, automatic, spf: 'pass', dkim: 'none', dmarc: 'none' } },
    ...rest,
  };
  const { thread, isNew } = await conversations.receiveMail(request, asMail(account, operation));
  const { assistantId } = request;
  return { account, operation, assistantId, messageId: request.messageId, ref: thread!, isNew };
}

export const claimMail = (leaseMs = 30_000, exceptAccounts: string[] = []) =>
  conversations.claimMail({ lease: durationFromMs(leaseMs), exceptAccounts }, asMail());

/** Claims mails until one is of the account. */
export async function claimMailOf(account: string) {
  let found = await claimMail();
  await until(async () => {
    while (found.claim && found.accountId !== account) found = await claimMail();
    if (!found.claim) found = await claimMail();
    return found.accountId === account;
  });
  return found;
}

export const endMail = (claim: { mailId: string; claimId: string }, outcome: MailOutcome, reason = '') =>
  conversations.endMail({ claim, outcome, reason }, asMail());
