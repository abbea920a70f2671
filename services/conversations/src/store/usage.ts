import { LIVE, type Limit, type Quota, quotaStore } from '@parley/runtime/mongo';
import type { Collection, Db } from 'mongodb';
import { mailCollection } from './mails.ts';
import type { Kind, Resource, ThreadDoc } from './model.ts';

/** The most that an account may have of each. */
export type ThreadLimits = Record<Resource, number>;

export const UNLIMITED: ThreadLimits = { chats: Infinity, tickets: Infinity, emails: Infinity, mail_bytes: Infinity };

export const RESOURCES = { chat: 'chats', ticket: 'tickets', email: 'emails' } as const satisfies Record<
  Kind,
  Resource
>;

export type Usage = Quota<Resource>;

/** The conversations that accounts have, and what came by mail; a ticket or an email counts once it is open. */
export function usageStore(db: Db, threads: Collection<ThreadDoc>, most: ThreadLimits): Usage {
  const limits: Record<Resource, Limit> = {
    chats: { what: 'chats', setting: 'QUOTA_CHATS', most: most.chats },
    tickets: { what: 'tickets', setting: 'QUOTA_TICKETS', most: most.tickets },
    emails: { what: 'emails', setting: 'QUOTA_EMAILS', most: most.emails },
    mail_bytes: { what: 'bytes of received mails', setting: 'QUOTA_MAILS_MIB', most: most.mail_bytes },
  };
  const count = (account: string, kind: Kind) => threads.countDocuments({ account, kind, ...LIVE });
  async function mailBytes(account: string): Promise<number> {
    const sum = { $group: { _id: null, bytes: { $sum: '$bytes' } } };
    const [found] = await mailCollection(db)
      .aggregate<{ bytes: number }>([{ $match: { account } }, sum])
      .toArray();
    return found?.bytes ?? 0;
  }
  return quotaStore(db, limits, async (account) => ({
    chats: await count(account, 'chat'),
    tickets: await count(account, 'ticket'),
    emails: await count(account, 'email'),
    mail_bytes: await mailBytes(account),
  }));
}
