import { invalidArgument, isUuid } from '@parley/runtime';
import { insertOnce, LIVE, outbox, ownedBy, refuse, set, tombstone } from '@parley/runtime/mongo';
import type { Collection, Document, Filter } from 'mongodb';
import { ANSWER_SETTINGS } from '../domain/answer-settings.ts';
import { CASE_SETTINGS } from '../domain/case-settings.ts';
import { changed } from './events.ts';
import { type AssistantDoc, type Bare, type DocOf, KIND_NAMES, type Kind } from './model.ts';

const MAX_OF_A_KIND = 1_000;
/**
 * A list of all assistants of a kind must fit into one message of 4 MiB: 1,000 small ones, and all large ones together. As
 * JSON an assistant is longer than in a message.
 */
const SMALL_BYTES = 1_500;
const MAX_LARGE_BYTES = 2_400_000;

/** Fields of an assistant in lists. Nested names are included, or they would be left out of the JSON. */
const SHOWN = [
  ...['title', 'alias', 'description', 'allowed_domains', 'fields'],
  ...['suggestions', 'colour'],
  ...['id', 'name', 'type', 'required', 'values', 'value', 'label'],
  ...ANSWER_SETTINGS,
  ...CASE_SETTINGS,
];

const WITHOUT_KNOWLEDGE = { projection: { knowledge: 0 } };

/** A document to insert, without what is the same for every new assistant. */
export type NewAssistant = Pick<AssistantDoc, '_id' | 'account' | 'kind' | 'title'>;

export type Rows = ReturnType<typeof assistantRows>;

/** Does what the three kinds share: an assistant is created, found, listed, changed and deleted in the same way. */
export function assistantRows(assistants: Collection<AssistantDoc>) {
  const get = async <K extends Kind>(account: string, kind: K, id: string): Promise<DocOf<K>> =>
    (await ownedBy(assistants, account, named(kind, id), KIND_NAMES[kind].one)) as unknown as DocOf<K>;

  const created = <K extends Kind>(account: string, kind: K, operation: string) =>
    assistants.findOne({ _id: operation, account, kind }) as Promise<DocOf<K> | null>;

  /** The bytes of a large assistant, else null. Refuses it if the account has too much in such assistants. */
  async function largeBytes(assistant: NewAssistant) {
    const { _id, account, kind } = assistant;
    const bytes = Buffer.byteLength(JSON.stringify(assistant, SHOWN));
    if (bytes <= SMALL_BYTES) return null;
    const others = { account, kind, ...LIVE, large: { $gt: 0 }, _id: { $ne: _id } };
    const [sum] = await assistants
      .aggregate<{ bytes: number }>([{ $match: others }, { $group: { _id: null, bytes: { $sum: '$large' } } }])
      .toArray();
    if (bytes + (sum?.bytes ?? 0) > MAX_LARGE_BYTES)
      throw invalidArgument(
        `The ${KIND_NAMES[kind].many} of an account can have at most ${MAX_LARGE_BYTES.toLocaleString('en')} bytes of text. Shorten or delete one first.`,
      );
    return bytes;
  }

  async function changeIf<K extends Kind>(
    before: DocOf<K>,
    operation: string,
    fields: Partial<DocOf<K>>,
    condition: Filter<AssistantDoc>,
  ): Promise<DocOf<K> | undefined> {
    const { _id, account, kind }: AssistantDoc = before;
    const unchanged = { _id, account, kind, ...LIVE, updated_by: { $ne: operation }, ...condition };
    const large = await largeBytes({ ...before, ...fields });
    const after = await assistants.findOneAndUpdate(
      unchanged as Filter<AssistantDoc>,
      [set({ ...fields, large, updated_by: operation }), ...changed()],
      { returnDocument: 'after' },
    );
    return (after as DocOf<K> | null) ?? undefined;
  }

  return {
    /** By internal id, public id or alias. @throws AppError `not_found`, or `permission_denied` for another account's. */
    get,

    /** The assistant that an operation created, deleted or not. */
    created,

    list: async <K extends Kind>(account: string, kind: K): Promise<Bare<K>[]> =>
      (await assistants
        .find({ account, kind, ...LIVE }, WITHOUT_KNOWLEDGE)
        .sort({ created_at: -1, _id: -1 })
        .toArray()) as unknown as Bare<K>[],

    /** One that shows itself on pages, if it is there. Takes no account, as `ownerOf`. */
    findPublic: async <K extends 'chatbot' | 'ticket_form'>(kind: K, publicId: string) =>
      (await assistants.findOne({ public_id: publicId, kind, ...LIVE }, WITHOUT_KNOWLEDGE)) as Bare<K> | null,

    /** By internal id; null if the account has no such assistant. */
    find: async <K extends Kind>(account: string, kind: K, id: string) =>
      (await assistants.findOne({ _id: id, account, kind, ...LIVE }, WITHOUT_KNOWLEDGE)) as Bare<K> | null,

    /** Returns the assistant's account. Takes no account: this is how a public page or a mail finds one. */
    ownerOf: (kind: Kind, id: string): Promise<Pick<AssistantDoc, '_id' | 'account'> | null> =>
      assistants.findOne({ ...named(kind, id), ...LIVE }, { projection: { account: 1 } }),

    /**
     * Inserts an assistant. Does nothing if its operation has inserted it before, or a unique index refuses it.
     *
     * @param assistant must have passed `checkRoom`, which gives `large`.
     * @param when whether it is there then
     */
    insert: (
      assistant: NewAssistant & { large: number | null } & Document,
      stages: Document[] = [],
      when: unknown = true,
    ) =>
      insertOnce(assistants, { ...assistant, knowledge: [], deleted_at: null }, [
        ...stages,
        ...outbox({ case: 'assistantCreated', value: { kind: assistant.kind } }, { when }),
      ]),

    /**
     * Refuses an assistant that would be one more than an account may have, or make its list too long. Checked without a lock,
     * so concurrent calls may exceed the limits by a little, and lists leave room for that.
     */
    async checkRoom(assistant: NewAssistant): Promise<{ large: number | null }> {
      const { account, kind } = assistant;
      if ((await assistants.countDocuments({ account, kind, ...LIVE })) >= MAX_OF_A_KIND)
        throw invalidArgument(
          `An account can have at most ${MAX_OF_A_KIND} ${KIND_NAMES[kind].many}. Delete one first.`,
        );
      return { large: await largeBytes(assistant) };
    },

    /** Removes an assistant that was inserted too late, so that its operation can be tried again. */
    async forgetLate(account: string, id: string): Promise<void> {
      await assistants.deleteOne({ _id: id, account, late: true });
    },

    /** The same as `change`; undefined if the assistant does not meet the condition, or the operation has changed it before. */
    changeIf,

    /** Sets the given fields, if any. Idempotent by operation. */
    async change<K extends Kind>(account: string, kind: K, id: string, operation: string, fields: Partial<DocOf<K>>) {
      const before = await get(account, kind, id);
      if (Object.keys(fields).length === 0) return before;
      return (await changeIf(before, operation, fields, {})) ?? get(account, kind, (before as AssistantDoc)._id);
    },

    /** The live assistant, or the one that this operation has deleted. @throws AppError as `get` does. */
    async toDelete<K extends Kind>(account: string, kind: K, id: string, operation: string): Promise<DocOf<K>> {
      const by = named(kind, id);
      const found =
        (await assistants.findOne({ ...by, account, ...LIVE })) ??
        (await assistants.findOne({ ...by, account, deleted_by: operation }));
      return (found ?? (await refuse(assistants, by, KIND_NAMES[kind].one))) as DocOf<K>;
    },

    /**
     * Deletes an assistant and returns it as it was. Idempotent by operation. Undefined if it is already deleted, or does not
     * meet the condition.
     */
    async tombstone<K extends Kind>(
      account: string,
      kind: K,
      id: string,
      operation: string,
      condition: Filter<AssistantDoc> = {},
    ): Promise<DocOf<K> | undefined> {
      const deleted = [set({ deleted_by: operation }), ...tombstone({ case: 'assistantDeleted', value: { kind } })];
      const live = { _id: id, account, kind, ...LIVE, ...condition } as Filter<AssistantDoc>;
      const found =
        (await assistants.findOneAndUpdate(live, deleted)) ??
        (await assistants.findOne({ _id: id, account, deleted_by: operation }));
      return (found as DocOf<K> | null) ?? undefined;
    },
  };
}

/** Filter: the assistant of a kind with this internal id, public id or alias. */
function named(kind: Kind, id: string): Filter<AssistantDoc> {
  const lower = id.toLowerCase();
  if (isUuid(lower)) return { _id: lower, kind };
  return kind === 'email_inbox' ? { alias: lower, kind } : { public_id: id, kind };
}
