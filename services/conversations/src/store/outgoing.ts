import { compute, fromNow, LIVE, literal, passed } from '@parley/runtime/mongo';
import { randomId } from '@parley/runtime/rpc';
import type { Document, Filter } from 'mongodb';
import { mailEnded } from './events.ts';
import { delivered, type MailDoc, type Mails } from './mails.ts';
import type { EntryDoc, ThreadDoc } from './model.ts';
import type { Settings } from './settings.ts';
import type { Threads } from './threads.ts';

/** The pause after the first attempt; it doubles with each further one, up to the longest. */
const FIRST_PAUSE_MS = 60_000;
const LONGEST_PAUSE_MS = 4 * 3_600_000;
/** Links that an address gets from an account in an hour: anybody can type any address into a form. */
const LINKS_AN_HOUR = 5;
/** How long a mail is tried. */
const TRIED_MS = 48 * 3_600_000;

/** The claim on a mail. */
export interface MailClaim {
  id: string;
  claim: string;
}

/** A claimed mail, and what it says. */
export interface Outgoing {
  mail: MailDoc;
  thread: ThreadDoc;
  entry: EntryDoc;
  /** The thread's mails before this one, oldest first. */
  earlier: MailDoc[];
}

export type Outcome = 'sent' | 'postponed' | 'failed';

export type OutgoingMails = ReturnType<typeof outgoingStore>;

/** The messages that are sent by mail: a queue that workers of any process share, with one mail for each entry. */
export function outgoingStore(threads: Threads, mails: Mails, { mailDomain }: Settings) {
  const { collection } = mails;

  const end = async (filter: Filter<MailDoc>, stages: Document[]): Promise<boolean> =>
    (await collection.updateOne(filter, stages)).matchedCount > 0;

  async function queue({ _id: thread, account, kind, assistant, address }: ThreadDoc, entry: EntryDoc | undefined) {
    if (!address || !entry?.mailed || mailDomain === undefined) return;
    const { _id, mailed } = entry;
    const isLink = mailed === 'link';
    const tooMany = isLink && (await mails.recentLinksTo(account, address, LINKS_AN_HOUR)) >= LINKS_AN_HOUR;
    await mails.keep(
      {
        ...{ _id, account, kind, assistant, thread, direction: 'out', address, automatic: mailed === 'automatic' },
        ...{ message_id: `${_id}@${mailDomain}`, attempts: 0, ...(isLink && { link: true }) },
      },
      tooMany
        ? [delivered('failed', literal('This address was sent too many links.'))]
        : [delivered('queued'), compute({ due: '$$NOW' })],
    );
  }

  /** Why a mail may not be sent any more, however long it has waited. */
  function refusal(mail: MailDoc, thread: ThreadDoc): string | undefined {
    if (thread.blocked_at) return 'The address is blocked.';
    if (mail.automatic && thread.hold) return 'A person took over before it was sent.';
    return undefined;
  }

  return {
    /**
     * Queues the mail of an entry whose write says that it is to be sent. Idempotent, also after it was sent.
     */
    async queue(account: string, threadId: string, entryId: string): Promise<void> {
      const thread = await threads.collection.findOne({ _id: threadId, account, ...LIVE });
      if (thread) await queue(thread, await threads.entries.find(thread, entryId));
    },

    /** Queues the mail with the link to a ticket, if it was opened by a form. Idempotent likewise. */
    async queueLink(account: string, threadId: string): Promise<void> {
      const thread = await threads.collection.findOne({ _id: threadId, account, ...LIVE });
      if (thread) await queue(thread, (await threads.entries.of(thread, { before: 2, said: true }))[0]);
    },

    /**
     * Claims the mail that has been due longest and may still be sent; undefined if there is none. Takes no account: this is
     * how a worker finds its work. An expired claim is due again.
     */
    async claim(leaseMs: number): Promise<(MailClaim & Outgoing) | undefined> {
      for (;;) {
        const claim = randomId();
        const taken = [compute({ due: fromNow(leaseMs), claim: literal(claim), attempts: { $add: ['$attempts', 1] } })];
        const isDue = { due: { $exists: true }, ...passed('due') };
        const mail = await collection.findOneAndUpdate(isDue, taken, { sort: { due: 1 }, returnDocument: 'after' });
        if (!mail) return undefined;
        const { _id, account, thread: threadId } = mail;
        const thread = await threads.collection.findOne({ _id: threadId, account, ...LIVE });
        const entry = thread && (await threads.entries.find(thread, _id));
        if (!thread || !entry) {
          // It was deleted.
          await collection.deleteOne({ _id, account, claim });
          continue;
        }
        const refused = refusal(mail, thread);
        if (refused) await end({ _id, account, claim }, ended('failed', refused));
        else {
          const all = await mails.latestOf(account, threadId);
          return { id: _id, claim, mail, thread, entry, earlier: all.filter((one) => one._id !== _id) };
        }
      }
    },

    /** Says what became of a claimed mail; false if the claim is no longer the caller's. Takes no account: see `claim`. */
    end({ id: _id, claim }: MailClaim, outcome: Outcome, reason: string): Promise<boolean> {
      const filter = { _id, claim };
      if (outcome !== 'postponed') return end(filter, ended(outcome, outcome === 'failed' ? reason : null));
      const isOver = { $lte: [{ $add: ['$created_at', TRIED_MS] }, '$$NOW'] };
      const pause = { $min: [LONGEST_PAUSE_MS, { $multiply: [FIRST_PAUSE_MS, doubled] }] };
      const state = { $cond: [isOver, 'failed', 'queued'] };
      return end(filter, [
        ...mailEnded('failed', isOver),
        compute({
          delivery: { state, reason: literal(reason), at: '$$NOW' },
          due: { $cond: [isOver, '$$REMOVE', { $add: ['$$NOW', pause] }] },
          claim: '$$REMOVE',
        }),
      ]);
    },

    /** A mail that was sent came back. Takes no account: a bounce says nothing but the mail. */
    bounce: (id: string, reason: string): Promise<boolean> =>
      end({ _id: id, direction: 'out', 'delivery.state': 'sent' }, [
        delivered('failed', literal(reason)),
        ...mailEnded('failed'),
      ]),
  };
}

/** No power beyond that of the longest pause, or it would overflow. */
const doubled = { $pow: [2, { $min: [{ $max: [0, { $subtract: ['$attempts', 1] }] }, 20] }] };

const ended = (state: 'sent' | 'failed', reason: string | null): Document[] => [
  delivered(state, reason === null ? null : literal(reason)),
  compute({ due: '$$REMOVE', claim: '$$REMOVE' }),
  ...mailEnded(state),
];
