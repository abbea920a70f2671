import { aborted, alreadyExists, retryOnConflict, unavailable } from '@parley/runtime';
import { compute, isDuplicate } from '@parley/runtime/mongo';
import { type AliasStore, stillClaimed } from './aliases.ts';
import type { Change, EmailInboxDoc, NewEmailInbox } from './model.ts';
import type { Rows } from './rows.ts';

const KIND = 'email_inbox';
const MAX_ATTEMPTS = 5;

const changing = () => aborted('The alias of this email inbox was changed by others at the same time. Try again.');
const taken = (alias: string) => alreadyExists(`The alias ${alias} is taken. Choose another alias.`);

/** Inboxes and their aliases. See `aliasStore` for the order of the writes. */
export function emailInboxStore(rows: Rows, { claim, settle }: AliasStore) {
  /** Repairs what a process that died left out. Idempotent. */
  async function settleAliases({ alias, former_alias }: EmailInboxDoc): Promise<void> {
    await settle(alias);
    if (former_alias !== undefined) await settle(former_alias);
  }

  return {
    settleAliases,

    /** Creates an inbox, or finds the one that the same operation created. ALREADY_EXISTS if its alias is taken. */
    async createEmailInbox(account: string, operation: string, inbox: NewEmailInbox): Promise<EmailInboxDoc> {
      const before = await rows.created(account, KIND, operation);
      if (before?.late) await rows.forgetLate(account, operation);
      else if (before) {
        await settleAliases(before);
        return before;
      }
      const assistant = { _id: operation, account, kind: KIND, ...inbox } as const;
      const room = await rows.checkRoom(assistant);
      const until = await claim(account, inbox.alias);
      if (until) {
        const claimed = stillClaimed(until);
        const unlessLate = compute({
          deleted_at: { $cond: [claimed, null, '$$NOW'] },
          late: { $cond: [claimed, '$$REMOVE', true] },
        });
        await rows.insert({ ...assistant, ...room }, [unlessLate], { $eq: ['$deleted_at', null] });
      }
      const made = await rows.created(account, KIND, operation);
      if (!made) throw taken(inbox.alias);
      if (made.late) {
        await rows.forgetLate(account, operation);
        throw unavailable('The email inbox could not be created in time. Try again.');
      }
      await settle(made.alias);
      return made;
    },

    /** Changes the given fields of an inbox. Idempotent by operation. ALREADY_EXISTS if the new alias is taken. */
    async updateEmailInbox(
      account: string,
      id: string,
      operation: string,
      fields: Change<NewEmailInbox>,
    ): Promise<EmailInboxDoc> {
      const { _id } = await rows.get(account, KIND, id);
      const update = async () => {
        const inbox = await rows.get(account, KIND, _id);
        if (inbox.updated_by === operation) {
          await settleAliases(inbox);
          return inbox;
        }
        const { alias, ...rest } = fields;
        // Without the alias: someone else may be changing it, and only a claim allows setting it.
        if (alias === undefined || alias === inbox.alias) return rows.change(account, KIND, _id, operation, rest);
        await settleAliases(inbox);
        const until = await claim(account, alias);
        const moved = until && (await move(inbox, operation, { ...fields, alias }, until));
        if (moved) {
          await settleAliases(moved);
          return moved;
        }
        const now = await rows.get(account, KIND, _id);
        if (now.alias === inbox.alias && now.updated_by !== operation) throw taken(alias);
        return null;
      };
      return retryOnConflict(update, MAX_ATTEMPTS, changing);
    },

    /** Deletes an inbox and returns it as it was. Idempotent by operation. */
    deleteEmailInbox(account: string, id: string, operation: string): Promise<EmailInboxDoc> {
      const remove = async () => {
        const inbox = await rows.toDelete(account, KIND, id, operation);
        await settleAliases(inbox);
        const deleted = await rows.tombstone(account, KIND, inbox._id, operation, { alias: inbox.alias });
        if (deleted) await settleAliases(deleted);
        return deleted ?? null;
      };
      return retryOnConflict(remove, MAX_ATTEMPTS, changing);
    },
  };

  /** Gives the inbox another alias. Undefined if the inbox has changed, or another one has the alias. */
  async function move(inbox: EmailInboxDoc, operation: string, fields: Change<NewEmailInbox>, until: Date) {
    try {
      return await rows.changeIf(
        inbox,
        operation,
        { ...fields, former_alias: inbox.alias },
        { alias: inbox.alias, $expr: stillClaimed(until) },
      );
    } catch (error) {
      if (isDuplicate(error)) return undefined;
      throw error;
    }
  }
}
