import type { MessageInitShape } from '@bufbuild/protobuf';
import { durationMs } from '@bufbuild/protobuf/wkt';
import type {
  ClaimMailResponseSchema,
  ConversationsService,
  MailClaim as MailClaimMessage,
  NoticeTopic,
  ThreadKind,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { emailAddress, invalidArgument, notFound } from '@parley/runtime';
import type { Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { numberOf, valueAt } from '../domain/enums.ts';
import { KINDS } from '../store/model.ts';
import { TOPICS } from '../store/notices.ts';
import type { MailClaim, Outcome } from '../store/outgoing.ts';
import { refOf } from './messages.ts';

type Service = typeof ConversationsService.method;
type Sending = Pick<Dependencies, 'outgoing' | 'notices'>;

/** The mail service. */
const SENDER = 'mail';
const MAX_LEASE_MS = 600_000;
const MAX_ADDRESSES = 20;
const OUTCOMES: readonly Outcome[] = ['sent', 'postponed', 'failed'];

/** Claims a message that is to be sent, else a notice. */
export const claimMail =
  (sending: Sending): Rpc<Service['claimMail']> =>
  async ({ lease }, call) => {
    call.requireCaller(SENDER);
    const ms = lease ? durationMs(lease) : 0;
    if (ms < 1_000 || ms > MAX_LEASE_MS) throw invalidArgument('lease must be from 1 to 600 seconds.');
    return (await message(sending, ms)) ?? (await notice(sending, ms)) ?? {};
  };

/** Says what became of a claimed mail. */
export const endMail =
  ({ outgoing, notices }: Sending): Rpc<Service['endMail']> =>
  async ({ claim, outcome, reason }, call) => {
    call.requireCaller(SENDER);
    const held = claimOf(claim);
    const ended = valueAt('outcome', OUTCOMES, outcome);
    if (!ended) throw invalidArgument('outcome is missing.');
    if (!(await outgoing.end(held, ended, reason.slice(0, 500)))) await notices.end(held, ended);
    return {};
  };

/** Whom notices tell, and of what. */
export const findNotice =
  ({ notices }: Sending): Rpc<Service['findNotice']> =>
  async ({ id }, call) => {
    call.requireCaller(SENDER);
    const notice = await notices.find(id);
    if (!notice) throw notFound('There are no such notices.');
    return { accountId: notice.account, assistantId: notice.assistant, address: notice.address };
  };

/** Tells addresses of a thread. */
export const queueNotice =
  ({ notices }: Sending): Rpc<Service['queueNotice']> =>
  async ({ thread, topic, addresses }, { account }) => {
    const ref = refOf(account, thread);
    const about = valueAt('topic', TOPICS, topic);
    if (!about) throw invalidArgument('topic is missing.');
    if (addresses.length > MAX_ADDRESSES)
      throw invalidArgument(`addresses must have at most ${MAX_ADDRESSES} addresses.`);
    for (const address of addresses) await notices.queue(ref, about, emailAddress('addresses', address));
    return {};
  };

type Claimed = MessageInitShape<typeof ClaimMailResponseSchema>;

async function message({ outgoing }: Sending, ms: number): Promise<Claimed | undefined> {
  const claimed = await outgoing.claim(ms);
  if (!claimed) return undefined;
  const { mail, thread, entry, earlier } = claimed;
  const { text, persona, owner_name = '', in_reply_to, mailed } = entry;
  const answered = earlier.findIndex(({ _id }) => _id === in_reply_to);
  const references = earlier.slice(0, answered < 0 ? undefined : answered + 1).map(({ message_id }) => message_id);
  return {
    ...common({ ...mail, thread: thread._id }, claimed),
    ...{ toEmail: thread.from!.email, messageId: mail.message_id, link: thread.link ?? 0 },
    // A name may say anything, and only the AI knows whom a form has named.
    toName: mailed === 'asked' || thread.kind === 'email' ? thread.from!.name : '',
    content:
      mailed === 'link'
        ? { case: 'ticketLink', value: {} }
        : {
            case: 'message',
            value: {
              ...{ text, subject: thread.subject ?? '', senderName: persona?.name ?? owner_name },
              ...{ automatic: mail.automatic ?? false, references },
            },
          },
  };
}

async function notice({ notices }: Sending, ms: number): Promise<Claimed | undefined> {
  const claimed = await notices.claim(ms);
  if (!claimed) return undefined;
  const { notice } = claimed;
  const threads = notice.telling ?? [];
  return {
    ...common({ ...notice, thread: threads.at(-1) ?? '' }, claimed),
    // The mail service adds the domain.
    ...{ toEmail: notice.address, toName: '', messageId: `${notice._id}.${notice.n}` },
    content: {
      case: 'notice',
      value: { topic: numberOf(TOPICS, notice.topic) as NoticeTopic, threads: threads.length },
    },
  };
}

type Of = { account: string; kind: (typeof KINDS)[number]; assistant: string; thread: string };

const common = ({ account, kind, assistant, thread }: Of, { id, claim }: MailClaim) => ({
  accountId: account,
  kind: numberOf(KINDS, kind) as ThreadKind,
  assistantId: assistant,
  threadId: thread,
  claim: { mailId: id, claimId: claim },
});

function claimOf(claim: MailClaimMessage | undefined): MailClaim {
  if (!claim) throw invalidArgument('claim is missing.');
  return { id: claim.mailId, claim: claim.claimId };
}
