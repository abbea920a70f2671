import { aborted, invalidArgument, notFound, retryOnConflict } from '@parley/runtime';
import { compute, deletedParents, LIVE, literal, set } from '@parley/runtime/mongo';
import type { Collection, Db, Filter } from 'mongodb';
import type { FormField } from '../domain/form-fields.ts';
import { publicId } from '../domain/public-id.ts';
import { aliasStore } from './aliases.ts';
import { emailInboxStore } from './email-inboxes.ts';
import { changed } from './events.ts';
import type {
  AssistantDoc,
  Bare,
  Change,
  ChatbotDoc,
  DocOf,
  Kind,
  NewChatbot,
  NewTicketForm,
  TicketFormDoc,
} from './model.ts';
import { assistantRows, type NewAssistant, type Rows } from './rows.ts';

const MAX_ATTACHED = 1_000;
/** Beyond what anyone repeats a request after. */
const MAX_IDENTITIES = 50;
/** An assistant may be large. */
const DETACHED_AT_ONCE = 200;
/** With 62^12 public ids, even one collision is unlikely. */
const MAX_ATTEMPTS = 5;
/** Each failed attempt means that another one succeeded. */
const MAX_UPDATE_ATTEMPTS = 20;

export type AssistantStore = ReturnType<typeof assistantStore>;

export const assistantCollection = (db: Db): Collection<AssistantDoc> => db.collection<AssistantDoc>('assistants');

export function assistantStore(db: Db) {
  const assistants = assistantCollection(db);
  const rows = assistantRows(assistants);
  return {
    /** By internal id, public id or alias. @throws AppError `not_found`, or `permission_denied` for another account's. */
    assistant: rows.get,
    list: rows.list,
    ownerOf: rows.ownerOf,
    ...embeddableStore(rows),
    ...emailInboxStore(rows, aliasStore(db, assistants)),
    ...attachmentStore(db, assistants),

    /** A chatbot by its public id, and its ticket form. Takes no account: this is how a public page finds one. */
    async publicChatbot(publicId: string) {
      const chatbot = await rows.findPublic('chatbot', publicId);
      if (!chatbot) return null;
      const { account, ticket_form } = chatbot;
      return { chatbot, form: ticket_form ? await rows.find(account, 'ticket_form', ticket_form) : null };
    },

    /** A ticket form by its public id. Takes no account, as `publicChatbot`. */
    publicTicketForm: (publicId: string) => rows.findPublic('ticket_form', publicId),

    /**
     * Makes an operation the one that the identity secret derives from, and returns the chatbot's id. Idempotent: one that was
     * replaced since does not come back.
     */
    async setIdentity(account: string, id: string, operation: string): Promise<string> {
      const { _id } = await rows.get(account, 'chatbot', id);
      const known = { $ifNull: ['$identity_operations', []] };
      await assistants.updateOne(
        { _id, account, kind: 'chatbot', ...LIVE, identity_operations: { $ne: operation } } as Filter<AssistantDoc>,
        [
          compute({
            identity_operations: { $slice: [{ $concatArrays: [known, [literal(operation)]] }, -MAX_IDENTITIES] },
          }),
          ...changed(),
        ],
      );
      return _id;
    },

    /** Takes an address off those that hear of conversations. Idempotent. */
    async stopNotices(account: string, id: string, address: string): Promise<void> {
      const others = { $filter: { input: '$notify', cond: { $ne: ['$$this', literal(address)] } } };
      const listed = { _id: id, account, ...LIVE, notify: address } as Filter<AssistantDoc>;
      await assistants.updateOne(listed, [compute({ notify: others })]);
    },

    /** Removes a deleted ticket form from the chatbots that lead to it. Idempotent. */
    async forgetForm({ _id, account }: Pick<TicketFormDoc, '_id' | 'account'>): Promise<void> {
      await assistants.updateMany({ account, kind: 'chatbot', ticket_form: _id }, [
        set({ ticket_form: null }),
        ...changed({ many: true }),
      ]);
    },
  };
}

/** Chatbots and ticket forms: what web pages show, under a public id. */
function embeddableStore(rows: Rows) {
  type Embeddable = 'chatbot' | 'ticket_form';

  async function create<K extends Embeddable>(
    account: string,
    operation: string,
    fields: { kind: K } & (NewChatbot | NewTicketForm),
  ): Promise<DocOf<K>> {
    const { kind } = fields;
    const before = await rows.created(account, kind, operation);
    if (before) return before;
    const assistant: NewAssistant = { _id: operation, account, ...fields };
    const room = await rows.checkRoom(assistant);
    const insert = async (tried: number) => {
      await rows.insert({ ...assistant, ...room, public_id: publicId(operation, tried) });
      return (await rows.created(account, kind, operation)) ?? null;
    };
    return retryOnConflict(insert, MAX_ATTEMPTS, () => new Error('every public id was taken'));
  }

  async function remove<K extends Embeddable>(account: string, kind: K, id: string, operation: string) {
    const { _id }: AssistantDoc = await rows.toDelete(account, kind, id, operation);
    // Another operation may have deleted it meanwhile, in which case `get` refuses it.
    return (await rows.tombstone(account, kind, _id, operation)) ?? rows.get(account, kind, _id);
  }

  return {
    /** Creates a chatbot, or finds the one that the same operation created. */
    createChatbot: (account: string, operation: string, chatbot: NewChatbot): Promise<ChatbotDoc> =>
      create(account, operation, { kind: 'chatbot', ...chatbot }),

    /** Changes the given fields. Idempotent by operation. */
    updateChatbot: (account: string, id: string, operation: string, fields: Change<NewChatbot>): Promise<ChatbotDoc> =>
      rows.change(account, 'chatbot', id, operation, fields),

    /** Deletes a chatbot and returns it as it was. Idempotent by operation. */
    deleteChatbot: (account: string, id: string, operation: string): Promise<ChatbotDoc> =>
      remove(account, 'chatbot', id, operation),

    createTicketForm: (account: string, operation: string, form: NewTicketForm): Promise<TicketFormDoc> =>
      create(account, operation, { kind: 'ticket_form', ...form }),

    /** @param fieldsOf makes the new list of fields from the current one. */
    async updateTicketForm(
      account: string,
      id: string,
      operation: string,
      fields: Change<Omit<NewTicketForm, 'fields'>>,
      fieldsOf?: (current: FormField[]) => FormField[],
    ): Promise<TicketFormDoc> {
      if (!fieldsOf) return rows.change(account, 'ticket_form', id, operation, fields);
      const update = async () => {
        const form = await rows.get(account, 'ticket_form', id);
        if (form.updated_by === operation) return form;
        const renewed = { ...fields, fields: fieldsOf(form.fields) };
        // Every change sets `updated_by`, so it is also the version of the fields that were read.
        const unchanged = { updated_by: form.updated_by ?? null } as Filter<AssistantDoc>;
        return (await rows.changeIf(form, operation, renewed, unchanged)) ?? null;
      };
      return retryOnConflict(update, MAX_UPDATE_ATTEMPTS, () =>
        aborted('The fields of this ticket form were changed by others at the same time. Try again.'),
      );
    },

    deleteTicketForm: (account: string, id: string, operation: string): Promise<TicketFormDoc> =>
      remove(account, 'ticket_form', id, operation),
  };
}

/** The knowledge attached to an assistant of any kind. */
function attachmentStore(db: Db, assistants: Collection<AssistantDoc>) {
  const deletedItems = deletedParents(db);
  const detached = (item: string) => ({
    knowledge: { $filter: { input: '$knowledge', cond: { $ne: ['$$this.item', literal(item)] } } },
  });

  return {
    /** Idempotent: attaching again keeps the time of the first. */
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
        [compute({ knowledge: { $concatArrays: ['$knowledge', [attachment]] } }), ...changed()],
      );
      if (matchedCount === 1) return;
      const found = await assistants.findOne({ _id: id, account, ...LIVE });
      if (!found) throw notFound('The assistant has been deleted.');
      if (found.knowledge.some((attached) => attached.item === item)) return;
      throw invalidArgument(`An assistant can have at most ${MAX_ATTACHED} knowledge items. Detach one first.`);
    },

    /** False if the item is not attached. Idempotent for the operation that detached last. */
    async detach(account: string, id: string, item: string, operation: string): Promise<boolean> {
      const { matchedCount } = await assistants.updateOne({ _id: id, account, ...LIVE, 'knowledge.item': item }, [
        compute({ ...detached(item), detached_by: literal(operation) }),
        ...changed(),
      ]);
      if (matchedCount === 1) return true;
      return (await assistants.findOne({ _id: id, account, detached_by: operation })) !== null;
    },

    /** By internal id, of any kind, without what is attached. Null if the account has no such assistant. */
    find: async (account: string, id: string) =>
      (await assistants.findOne({ _id: id, account, ...LIVE }, { projection: { knowledge: 0 } })) as Bare<Kind> | null,

    isDeleted: deletedItems.isDeleted,

    /** `isDeleted` refuses the item from now on; the sweeper detaches it. Idempotent. */
    forgetItem: (account: string, item: string): Promise<void> => deletedItems.markDeleted(account, item),

    /** Detaches a deleted item everywhere. Returns that nothing is left. Idempotent. */
    async sweepItem(account: string, item: string, signal?: AbortSignal): Promise<boolean> {
      const attached = { account, 'knowledge.item': item };
      for (;;) {
        signal?.throwIfAborted();
        const found = await assistants.find(attached, { projection: { _id: 1 }, limit: DETACHED_AT_ONCE }).toArray();
        if (found.length === 0) return true;
        const _id = { $in: found.map((assistant) => assistant._id) };
        await assistants.updateMany({ _id, ...attached }, [compute(detached(item)), ...changed({ many: true })]);
      }
    },
  };
}
