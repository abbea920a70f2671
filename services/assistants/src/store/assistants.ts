import {
  compute,
  goneParents,
  insertOnce,
  invalidArgument,
  isUuid,
  LIVE,
  literal,
  notFound,
  type Owned,
  ownedBy,
} from '@parley/runtime';
import type { Db, Filter } from 'mongodb';
import { publicId } from '../domain/public-id.ts';

/** Ticket forms and email inboxes will be kinds of the same. */
export type Kind = 'chatbot';

export interface AssistantDoc extends Owned {
  _id: string;
  account: string;
  kind: Kind;
  public_id: string;
  title: string;
  allowed_domains: string[];
  knowledge: Attachment[];
  /** The operation that detached last. */
  detached_by?: string;
  created_at: Date;
  deleted_at: Date | null;
}

export interface Attachment {
  item: string;
  at: Date;
}

const MAX_OF_A_KIND = 1_000;
const MAX_ATTACHED = 1_000;
/** Of 62^12 public ids nobody meets a taken one twice. */
const MAX_ATTEMPTS = 5;

export type AssistantStore = ReturnType<typeof assistantStore>;

export function assistantStore(db: Db) {
  const assistants = db.collection<AssistantDoc>('assistants');
  const gone = goneParents(db);
  const detached = (item: string) => ({
    knowledge: { $filter: { input: '$knowledge', cond: { $ne: ['$$this.item', literal(item)] } } },
  });

  return {
    /**
     * Makes a chatbot, or finds the one that the same operation made. The limit is checked before, not under a lock: as
     * many more as were asked for at one moment may slip in, which harms nobody, since it only keeps lists readable.
     */
    async createChatbot(account: string, operation: string, chatbot: Pick<AssistantDoc, 'title' | 'allowed_domains'>) {
      const made = () => assistants.findOne({ _id: operation, account, kind: 'chatbot' });
      const before = await made();
      if (before) return before;
      if ((await assistants.countDocuments({ account, kind: 'chatbot', ...LIVE })) >= MAX_OF_A_KIND)
        throw invalidArgument(`An account has at most ${MAX_OF_A_KIND} chatbots. Delete one first.`);
      for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
        const public_id = publicId(operation, attempt);
        await insertOnce(assistants, {
          _id: operation,
          account,
          kind: 'chatbot',
          public_id,
          ...chatbot,
          knowledge: [],
          deleted_at: null,
        });
        const found = await made();
        if (found) return found;
      }
      throw new Error('every public id was taken');
    },

    /** By internal or public id. @throws AppError `not_found`, or `permission_denied` for another account's. */
    assistant(account: string, kind: Kind, id: string): Promise<AssistantDoc> {
      const uuid = id.toLowerCase();
      const by: Filter<AssistantDoc> = isUuid(uuid) ? { _id: uuid, kind } : { public_id: id, kind };
      return ownedBy(assistants, account, by, kind);
    },

    list: (account: string, kind: Kind): Promise<AssistantDoc[]> =>
      assistants
        .find({ account, kind, ...LIVE })
        .sort({ created_at: -1, _id: -1 })
        .toArray(),

    /** Again is a success, and keeps its time. */
    async attach(account: string, id: string, item: string): Promise<void> {
      const attachment = { item: literal(item), at: '$$NOW' };
      const { matchedCount } = await assistants.updateOne(
        {
          _id: id,
          account,
          ...LIVE,
          'knowledge.item': { $ne: item },
          $expr: { $lt: [{ $size: '$knowledge' }, MAX_ATTACHED] },
        },
        [compute({ knowledge: { $concatArrays: ['$knowledge', [attachment]] } })],
      );
      if (matchedCount === 1) return;
      const found = await assistants.findOne({ _id: id, account, ...LIVE });
      if (!found) throw notFound('The assistant was deleted meanwhile.');
      if (found.knowledge.some((attached) => attached.item === item)) return;
      throw invalidArgument(`An assistant has at most ${MAX_ATTACHED} knowledge items. Detach one first.`);
    },

    /** False where the item is not attached; the operation that detached it last may say so again. */
    async detach(account: string, id: string, item: string, operation: string): Promise<boolean> {
      const { matchedCount } = await assistants.updateOne({ _id: id, account, ...LIVE, 'knowledge.item': item }, [
        compute({ ...detached(item), detached_by: literal(operation) }),
      ]);
      if (matchedCount === 1) return true;
      return (await assistants.findOne({ _id: id, account, detached_by: operation })) !== null;
    },

    isGone: gone.isGone,

    /** A deleted item is attached nowhere, and stays so: whoever attaches it later finds it gone. */
    async forgetItem(account: string, item: string): Promise<void> {
      await gone.markGone(item);
      await assistants.updateMany({ account, 'knowledge.item': item }, [compute(detached(item))]);
    },
  };
}
