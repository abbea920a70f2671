import { AssistantKind } from '@parley/proto/assistants/v1/assistants_service_pb';
import { ThreadKind } from '@parley/proto/conversations/v1/conversations_service_pb';
import { isUuid } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { noSuchUser, relayDenied } from './refusal.ts';

/** Where a message goes: an inbox, or the thread of a mail that it replies to. */
export interface Recipient {
  account: string;
  kind: ThreadKind;
  assistantId: string;
  /** The mail that it replies to; empty if it is sent to an inbox. */
  sentMailId: string;
  /** That of the mail; empty likewise. */
  threadId: string;
}

/** An address that wants to hear no more of an assistant's conversations. */
export interface Leaver {
  leaves: { account: string; assistantId: string; address: string };
}

type Resolving = Pick<Dependencies, 'domain' | 'assistants' | 'conversations' | 'calls' | 'tokens'>;

const REPLY = 'reply+';
const LEAVE = 'leave+';

/** The address to which a reply to a mail goes, and a report that it could not be delivered. */
export const replyAddress = ({ domain, tokens }: Pick<Dependencies, 'domain' | 'tokens'>, mailId: string): string =>
  `${REPLY}${tokens.write(mailId)}@${domain}`;

/** The address by which those who get a notice get no more. */
export const leaveAddress = ({ domain, tokens }: Pick<Dependencies, 'domain' | 'tokens'>, noticeId: string): string =>
  `${LEAVE}${tokens.write(noticeId)}@${domain}`;

/**
 * Finds where a message goes, and whether its sender may write there.
 *
 * @throws Refusal, or the error of a service
 */
export async function resolveRecipient(
  dependencies: Resolving,
  address: string,
  sender: string,
): Promise<Recipient | Leaver> {
  const at = address.lastIndexOf('@');
  const [local, domain] = [address.slice(0, at).toLowerCase(), address.slice(at + 1).toLowerCase()];
  if (domain !== dependencies.domain) throw relayDenied();
  if (local.startsWith(LEAVE)) return leaverOf(dependencies, dependencies.tokens.read(local.slice(LEAVE.length)));
  const found = local.startsWith(REPLY)
    ? await threadOf(dependencies, dependencies.tokens.read(local.slice(REPLY.length)))
    : await inboxOf(dependencies, local);
  await admit(dependencies, found, sender);
  return found;
}

async function threadOf({ conversations, calls }: Resolving, sentMailId: string | undefined): Promise<Recipient> {
  if (sentMailId === undefined) throw noSuchUser();
  const { accountId: account, thread } = await conversations.findSentMail({ id: sentMailId }, calls());
  const { kind, assistantId, id: threadId } = thread!;
  return { account, kind, assistantId, sentMailId, threadId };
}

async function leaverOf({ conversations, calls }: Resolving, noticeId: string | undefined): Promise<Leaver> {
  if (noticeId === undefined) throw noSuchUser();
  const { accountId: account, assistantId, address } = await conversations.findNotice({ id: noticeId }, calls());
  return { leaves: { account, assistantId, address } };
}

async function inboxOf({ assistants, calls }: Resolving, alias: string): Promise<Recipient> {
  // An inbox has no address by its id.
  if (isUuid(alias)) throw noSuchUser();
  const { EMAIL_INBOX: kind } = AssistantKind;
  const { accountId: account, id: assistantId } = await assistants.resolveAssistant({ kind, id: alias }, calls());
  return { account, kind: ThreadKind.EMAIL, assistantId, sentMailId: '', threadId: '' };
}

/**
 * Returns where to store a message. What it takes there, and its operation, are known once all of it has come.
 *
 * @throws the error of the service if the sender may not write there, or there is no room for it
 */
export const admit = (
  { conversations, calls }: Pick<Dependencies, 'conversations' | 'calls'>,
  { account, kind, assistantId, threadId }: Recipient,
  fromEmail: string,
  { bytes = 0, operation }: { bytes?: number; operation?: string } = {},
): Promise<{ folder: string }> =>
  conversations.admitMail({ kind, assistantId, fromEmail, threadId, bytes }, calls(account, operation));
