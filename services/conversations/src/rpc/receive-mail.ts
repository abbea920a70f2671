import type {
  ConversationsService,
  ReceivedMail as ReceivedMailMessage,
  ReceiveMailRequest,
} from '@parley/proto/conversations/v1/conversations_service_pb';
import { invalidArgument, normalAddress, notFound } from '@parley/runtime';
import { isUuid, type Rpc } from '@parley/runtime/rpc';
import type { Dependencies } from '../dependencies.ts';
import { checkReceivedMail, type ReceivedMail } from '../domain/mail.ts';
import { checkNewConversation } from '../domain/new-conversation.ts';
import { assistantFolder } from '../store/mail-files.ts';
import { attachmentId, type ThreadScope } from '../store/model.ts';
import { blocked } from '../store/questions.ts';
import { forNow } from '../store/receiving.ts';
import { kindOf, refMessage } from './messages.ts';

type Service = typeof ConversationsService.method;

/** The mail service. */
const RECEIVER = 'mail';

/** Where to store a message, if its sender may write to the assistant, and if there is room for it once its size is known. */
export const admitMail =
  ({
    threads,
    blocks,
    mails,
    usage,
  }: Pick<Dependencies, 'threads' | 'blocks' | 'mails' | 'usage'>): Rpc<Service['admitMail']> =>
  async ({ kind, assistantId, fromEmail, threadId, bytes }, { account, operation }) => {
    const scope = scopeOf(account, kind, assistantId);
    const [block, isDeleted, thread] = await Promise.all([
      blocks.find(scope, normalAddress(fromEmail)),
      threads.deletedAssistants.isDeleted(account, scope.assistant),
      threadId === '' ? undefined : threads.find({ ...scope, id: threadId }),
    ]);
    if (isDeleted) throw notFound('This assistant has been deleted.');
    if (block?.blocked_at || thread?.blocked_at) throw blocked();
    // Before it is stored: what is refused afterwards would stay there. What was received before is there already.
    if (bytes > 0 && !(await mails.find(account, operation))) {
      const conversation = scope.kind === 'email' && !thread && { emails: 1 };
      await usage.check(account, { mail_bytes: bytes, ...conversation }).catch(forNow);
    }
    return { folder: assistantFolder(scope) };
  };

/** The thread that a mail was sent from. */
export const findSentMail =
  ({ threads, mails }: Pick<Dependencies, 'threads' | 'mails'>): Rpc<Service['findSentMail']> =>
  async ({ id }, call) => {
    call.requireCaller(RECEIVER);
    const mail = await mails.findSent(id);
    if (!mail) throw notFound('There is no such mail.');
    const { account, kind, assistant, thread } = mail;
    const ref = { account, kind, assistant, id: thread };
    const { from } = await threads.find(ref);
    return { accountId: account, thread: refMessage(ref), toEmail: from!.email };
  };

/** Stores a message in the thread that it replies to, else in a new one. */
export const receiveMail =
  ({ receiving }: Pick<Dependencies, 'receiving'>): Rpc<Service['receiveMail']> =>
  async (request, { account, operation }) => {
    const scope = scopeOf(account, request.kind, request.assistantId);
    const mail = mailOf(operation, request);
    const { fromName: name, subject, message, messageId, references, sentMailId, bytes } = request;
    checkNewConversation({ kind: scope.kind, email: mail.from, name, subject, message });
    checkReceivedMail({ mail, messageId, references });
    const replyTo = sentMailId || undefined;
    const incoming = { name, subject, message, mail, bytes, messageId, references, replyTo };
    const { thread, isNew } = await receiving.receive(scope, operation, incoming);
    return { thread: refMessage({ ...scope, id: thread._id }), isNew };
  };

/** A mail that was sent could not be delivered. */
export const reportBounce =
  ({ outgoing }: Pick<Dependencies, 'outgoing'>): Rpc<Service['reportBounce']> =>
  async ({ sentMailId, reason }, call) => {
    call.requireCaller(RECEIVER);
    await outgoing.bounce(sentMailId, reason.slice(0, 500));
    return {};
  };

function scopeOf(account: string, number: ReceiveMailRequest['kind'], assistant: string) {
  const kind = kindOf(number);
  if (kind === 'chat') throw invalidArgument('kind must be ticket or email.');
  if (!isUuid(assistant)) throw invalidArgument('assistant_id must be the id of an assistant.');
  return { account, kind, assistant } satisfies ThreadScope;
}

function mailOf(operation: string, { mail }: ReceiveMailRequest): ReceivedMail {
  if (!mail) throw invalidArgument('mail is missing.');
  const {
    fromEmail: from,
    authenticated,
    automatic,
    spf,
    dkim,
    dmarc,
    quoted,
    isCut: is_cut,
  }: ReceivedMailMessage = mail;
  const attachments = mail.attachments.map(({ name, type, size, isInline: is_inline }, i) => ({
    ...{ id: attachmentId(operation, i), name, type, size, is_inline },
  }));
  return { from, authenticated, automatic, verdicts: { spf, dkim, dmarc }, quoted, is_cut, attachments };
}
