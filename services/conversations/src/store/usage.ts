import { LIVE, type Limit, type Quota, quotaStore } from '@parley/runtime/mongo';
import type { Collection, Db } from 'mongodb';
import type { Kind, Resource, ThreadDoc } from './model.ts';

/** The most that an account may have of each. */
export type ThreadLimits = Record<Resource, number>;

export const UNLIMITED: ThreadLimits = { chats: Infinity, tickets: Infinity, emails: Infinity };

export const RESOURCES = { chat: 'chats', ticket: 'tickets', email: 'emails' } as const satisfies Record<
  Kind,
  Resource
>;

export type Usage = Quota<Resource>;

/** The conversations that accounts have; a ticket or an email counts once it is open. */
export function usageStore(db: Db, threads: Collection<ThreadDoc>, most: ThreadLimits): Usage {
  const limits: Record<Resource, Limit> = {
    chats: { what: 'chats', setting: 'QUOTA_CHATS', most: most.chats },
    tickets: { what: 'tickets', setting: 'QUOTA_TICKETS', most: most.tickets },
    emails: { what: 'emails', setting: 'QUOTA_EMAILS', most: most.emails },
  };
  const count = (account: string, kind: Kind) => threads.countDocuments({ account, kind, ...LIVE });
  return quotaStore(db, limits, async (account) => ({
    chats: await count(account, 'chat'),
    tickets: await count(account, 'ticket'),
    emails: await count(account, 'email'),
  }));
}
