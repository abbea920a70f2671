import { aborted, randomId, retryOnConflict } from '@parley/runtime';
import { compute, type ErasePart, fromNow, insertOnce, LIVE, literal, set } from '@parley/runtime/mongo';
import type { Collection, Db, Document } from 'mongodb';
import type { AssistantDoc } from './model.ts';

/** A reservation: no other account may take the alias. It outlasts the inbox, and an expired one is removed by an index. */
export interface AliasDoc {
  _id: string;
  /** Empty after the account was deleted. */
  account: string;
  /** Null while an inbox has the alias; else the end of a claim, or of the 30 days after an inbox gave it up. */
  until: Date | null;
  /** Changes with every write, so that a decision made from an older version is not carried out. */
  token: string;
  created_at: Date;
}

/** How long a claim waits for its inbox. The inbox can't appear later: see `claim`. */
const CLAIM_MS = 10 * 60_000;
const KEPT_MS = 30 * 24 * 3_600_000;
/** Concurrent writers of one alias fail one after the other, so few attempts are needed. */
const MAX_ATTEMPTS = 10;

const retryContended = <T>(alias: string, attempt: () => Promise<T | null>): Promise<T> =>
  retryOnConflict(attempt, MAX_ATTEMPTS, () => aborted(`The alias ${alias} is wanted by many at once. Try again.`));

const expired = { $and: [{ $ne: ['$until', null] }, { $lte: ['$until', '$$NOW'] }] };

export type AliasStore = ReturnType<typeof aliasStore>;

/**
 * Who may have which alias. The inbox and its reservation are two documents, and a process may die between any two writes.
 * These rules keep them consistent:
 *
 * - An inbox gets an alias only while a claim of its account on it has not expired, by the database's clock. So once a claim
 *   has expired, its inbox is there or never will be.
 * - A unique index on the aliases of live inboxes decides between inboxes of the same account.
 * - `settle` makes a reservation agree with what the inboxes say. It runs before and after an inbox gives up its alias:
 *   before, so that nobody can take the alias in between; after, to begin the 30 days. Whoever finds that a dead process
 *   left one of these out does it instead.
 *
 * Reservations are read without an account: aliases are unique over all accounts.
 */
export function aliasStore(db: Db, assistants: Collection<AssistantDoc>, { claimMs = CLAIM_MS } = {}) {
  const aliases = db.collection<AliasDoc>('aliases');
  /** The inbox that has the alias, of any account. */
  const holder = (alias: string) =>
    assistants.findOne({ alias, kind: 'email_inbox', ...LIVE }, { projection: { account: 1 } });
  const write = (found: AliasDoc, account: string, until: Document | null) =>
    aliases.findOneAndUpdate(
      { _id: found._id, token: found.token },
      [set({ account, token: randomId() }), compute({ until })],
      { returnDocument: 'after' },
    );

  const settle = (alias: string): Promise<unknown> =>
    retryContended(alias, async () => {
      // Read before the inbox: if the inbox gives the alias up in between, the token changes.
      const found = await aliases.findOne({ _id: alias });
      const inbox = await holder(alias);
      if (!inbox && found?.until !== null) return true;
      if (inbox && found?.until === null && found.account === inbox.account) return true;
      return found
        ? write(found, (inbox ?? found).account, inbox ? null : fromNow(KEPT_MS))
        : ((await insertOnce(aliases, { _id: alias, account: inbox!.account, until: null, token: randomId() })) ??
            null);
    });

  return {
    settle,

    /**
     * Claims an alias for an inbox that is about to get it. Returns the end of the claim: a write that gives the alias to the
     * inbox must not take effect later. Undefined if an inbox has the alias, or another account reserves it.
     */
    claim: (account: string, alias: string): Promise<Date | undefined> =>
      retryContended(alias, async () => {
        // Read before the inbox: if the reservation has expired by now, the inbox will not appear after it was looked for.
        const found = await aliases.findOne<AliasDoc & { expired: boolean }>(
          { _id: alias },
          { projection: { account: 1, until: 1, token: 1, expired } },
        );
        if (await holder(alias)) return undefined;
        if (!found) {
          const first = { _id: alias, account, token: randomId() };
          const inserted = await insertOnce(aliases, first, [compute({ until: fromNow(claimMs) })]);
          return inserted?.until ?? null;
        }
        const own = found.account === account;
        if (!own && !found.expired) {
          if (found.until === null) await settle(alias);
          return undefined;
        }
        // A claim of the former account must not shorten its 30 days.
        const kept = found.until === null ? fromNow(KEPT_MS) : '$until';
        const claimed = await write(found, account, own ? { $max: [kept, fromNow(claimMs)] } : fromNow(claimMs));
        return claimed?.until ?? null;
      }),
  };
}

/** Takes the account out of its reservations, whose inboxes are gone. They expire as if it had given them up now. */
export function disown(db: Db): ErasePart {
  const aliases = db.collection<AliasDoc>('aliases');
  const freed = [
    set({ account: '', token: randomId() }),
    compute({ until: { $ifNull: ['$until', fromNow(KEPT_MS)] } }),
  ];
  return async (account, limit) => {
    const found = await aliases.find({ account }, { projection: { _id: 1 }, limit }).toArray();
    if (found.length > 0) await aliases.updateMany({ account, _id: { $in: found.map(({ _id }) => _id) } }, freed);
    return found.length;
  };
}

/** Expression: whether a claim that ends at `until` still holds, by the database's clock. */
export const stillClaimed = (until: Date): Document => ({ $lt: ['$$NOW', literal(until)] });
