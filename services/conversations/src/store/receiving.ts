import { isAppError, normalAddress, resourceExhausted } from '@parley/runtime';
import { LIVE, QuotaExceeded } from '@parley/runtime/mongo';
import type { ReceivedMail } from '../domain/mail.ts';
import { type MailDoc, type Mails, messageKey } from './mails.ts';
import { type ThreadDoc, type ThreadScope, threadId } from './model.ts';
import type { PendingCreations } from './pending-creation.ts';
import type { People } from './people.ts';
import type { Threads } from './threads.ts';

/** A message that came by mail. */
export interface Incoming {
  name: string;
  subject: string;
  message: string;
  mail: ReceivedMail;
  /** Bytes that the mail service has stored of it. */
  bytes: number;
  /** Without angle brackets. */
  messageId: string;
  /** The Message-IDs that this one replies to, the closest first. */
  references: readonly string[];
  /** The mail that it replies to, as a token has said that only its receiver got. */
  replyTo?: string | undefined;
}

export interface Received {
  thread: ThreadDoc;
  isNew: boolean;
}

/** Mails of one sender to one account in an hour that are answered. A program that answers ours may not say that it is one. */
const ANSWERED_AN_HOUR = 20;

export type Receiving = ReturnType<typeof receivingStore>;

/** Puts messages that came by mail into their threads. */
export function receivingStore(threads: Threads, mails: Mails, pendingCreations: PendingCreations, people: People) {
  const live = (account: string, id: string) => threads.collection.findOne({ _id: id, account, ...LIVE });

  /** The thread that a message belongs to; undefined for a new one. */
  async function threadOf(scope: ThreadScope, { mail, references, replyTo }: Incoming): Promise<string | undefined> {
    const sent = replyTo === undefined ? undefined : await mails.find(scope.account, replyTo);
    if (sent && (await live(scope.account, sent.thread))) return sent.thread;
    // Anybody can write any address and any reference into a message.
    if (!mail.authenticated || references.length === 0) return undefined;
    const known = await mails.byMessageIds(scope, references);
    for (const reference of references) {
      const key = messageKey(reference);
      for (const { message_key, thread } of known) {
        if (message_key !== key) continue;
        if ((await live(scope.account, thread))?.address === normalAddress(mail.from)) return thread;
      }
    }
    return undefined;
  }

  /** Decides which thread a message belongs to, once: an attempt after a crash finds the decision. */
  async function decide(scope: ThreadScope, op: string, incoming: Incoming): Promise<MailDoc> {
    const earlier = await mails.find(scope.account, op);
    if (earlier) return earlier;
    const { account, kind, assistant } = scope;
    const thread = (await threadOf(scope, incoming)) ?? threadId(op);
    const address = normalAddress(incoming.mail.from);
    const message_id = incoming.messageId;
    const { bytes } = incoming;
    return mails.keep({ _id: op, account, kind, assistant, thread, direction: 'in', message_id, address, bytes });
  }

  /** Adds a message to a thread that exists; undefined if the thread is full, or was deleted. */
  const add = (scope: ThreadScope, id: string, op: string, { message, mail }: Incoming) =>
    people.addUserMessage({ ...scope, id }, op, message, { mail }).catch((error) => {
      if (isAppError(error, 'not_found') || isAppError(error, 'failed_precondition')) return undefined;
      throw error;
    });

  return {
    /**
     * Stores a message in the thread that it replies to, else in a new one. First which thread that is, and under which
     * Message-ID a reply finds it; then the message. Idempotent by operation.
     *
     * @throws AppError `permission_denied` if the sender is blocked, `not_found` if the assistant was deleted,
     * `resource_exhausted` if the account has no room for it.
     */
    async receive(scope: ThreadScope, op: string, incoming: Incoming): Promise<Received> {
      const recent = await mails.recentFrom(scope.account, normalAddress(incoming.mail.from), ANSWERED_AN_HOUR);
      const mail = { ...incoming.mail, automatic: incoming.mail.automatic || recent >= ANSWERED_AN_HOUR };
      let { thread } = await decide(scope, op, incoming).catch(forNow);
      const own = threadId(op);
      if (thread !== own) {
        const added = await add(scope, thread, op, { ...incoming, mail });
        if (added) return { thread: added, isNew: false };
        await mails.move(scope.account, op, thread, own);
        thread = own;
      }
      const { name, subject, message } = incoming;
      const opening = { kind: scope.kind as 'ticket' | 'email', email: mail.from, name, subject, message, mail };
      const opened = pendingCreations.open(scope.account, scope.assistant, op, opening).catch(forNow);
      return { thread: await opened, isNew: true };
    },
  };
}

/** The sender of a mail is not to blame if there is no room, and may try again. */
export function forNow(error: unknown): never {
  throw error instanceof QuotaExceeded ? resourceExhausted(error.message) : error;
}
