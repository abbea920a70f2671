import {
  insertOnce,
  LIVE,
  outbox,
  ownedBy,
  type Page,
  type PageRequest,
  page,
  refuse,
  set,
  tombstone,
} from '@parley/runtime';
import type { KnowledgeItemDoc, LiveBuild, Training } from '../model.ts';
import type { Collections } from './collections.ts';

/** What is particular to the type of an item. */
export type NewItem =
  | { type: 'website'; website: NonNullable<KnowledgeItemDoc['website']> }
  | { type: 'faq'; faq: NonNullable<KnowledgeItemDoc['faq']> };

export const KNOWLEDGE_ITEM = 'knowledge item';

const UNTRAINED: Training = {
  state: 'idle',
  operation: null,
  queued_at: null,
  fence: 0,
  attempts: 0,
  until: null,
  content_version: 0,
  again: false,
  progress: { sources_found: 0, sources_done: 0, chunks: 0 },
};

export type ItemStore = ReturnType<typeof itemStore>;

export function itemStore({ items }: Collections) {
  /** NOT_FOUND, or PERMISSION_DENIED where it is another account's. */
  const get = (account: string, id: string): Promise<KnowledgeItemDoc> =>
    ownedBy(items, account, { _id: id }, KNOWLEDGE_ITEM);

  return {
    get,

    /** Makes an item, or finds the one that the same operation made. */
    async create(account: string, id: string, item: NewItem): Promise<KnowledgeItemDoc> {
      const untrained = {
        deleted_at: null,
        content_version: 0,
        generation: 0,
        trained_at: null,
        training_failed_at: null,
        training_failed_with: null,
        training: UNTRAINED,
        live: null,
      };
      const created = outbox({ case: 'knowledgeItemCreated', value: {} });
      await insertOnce(items, { _id: id, account, ...item, ...untrained }, created);
      return get(account, id);
    },

    /** Those of the given items that the account has, in the order asked for. */
    async batch(account: string, ids: readonly string[]): Promise<KnowledgeItemDoc[]> {
      const found = await items.find({ _id: { $in: [...ids] }, account, ...LIVE }).toArray();
      const byId = new Map(found.map((item) => [item._id, item]));
      return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
    },

    page: (account: string, request: PageRequest): Promise<Page<KnowledgeItemDoc>> =>
      page(items, { account, ...LIVE }, request),

    /** Deletes an item and gives it as it was; the purge removes the rest. The same operation again is a success. */
    async delete(account: string, id: string, operation: string): Promise<KnowledgeItemDoc> {
      const deleted = [set({ deleted_by: operation }), ...tombstone({ case: 'knowledgeItemDeleted', value: {} })];
      return (
        (await items.findOneAndUpdate({ _id: id, account, ...LIVE }, deleted)) ??
        (await items.findOne({ _id: id, account, deleted_by: operation })) ??
        refuse(items, { _id: id }, KNOWLEDGE_ITEM)
      );
    },

    /** The builds that answer now, of those of the given items that the account has. One read. */
    async liveBuilds(account: string, ids: readonly string[]): Promise<Map<string, LiveBuild>> {
      const trained = { _id: { $in: [...ids] }, account, ...LIVE, live: { $type: 'object' as const } };
      const found = await items.find(trained, { projection: { live: 1 } }).toArray();
      return new Map(found.map(({ _id, live }) => [_id, live!]));
    },
  };
}
