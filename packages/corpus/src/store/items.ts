import {
  compute,
  insertOnce,
  LIVE,
  type ListVersions,
  literal,
  outbox,
  ownedBy,
  type Page,
  type PageRequest,
  page,
  refuse,
  set,
  tombstone,
  totalsOf,
} from '@parley/runtime/mongo';
import type { Document } from 'mongodb';
import type { KnowledgeItemDoc, LiveItem, Training, Typed, WebsiteSettings } from '../model.ts';
import type { Collections } from './collections.ts';
import { LAST_ENDED, retrainDue } from './retrain-due.ts';
import { filesDue } from './strays.ts';
import { less, ownOf } from './usage.ts';

export const KNOWLEDGE_ITEM = 'knowledge item';

const UNTRAINED: Training = {
  state: 'idle',
  operation: null,
  queued_at: null,
  fence: 0,
  attempts: 0,
  claims: [],
  reached: 0,
  retries: 0,
  until: null,
  content_version: 0,
  again: false,
  progress: { sources_found: 0, sources_done: 0, chunks: 0 },
};

export type ItemStore = ReturnType<typeof itemStore>;

export function itemStore({ items }: Collections, listVersions: ListVersions) {
  const totals = totalsOf(items, listVersions);

  /** NOT_FOUND, or PERMISSION_DENIED if another account owns it. */
  const get = (account: string, id: string): Promise<KnowledgeItemDoc> =>
    ownedBy(items, account, { _id: id }, KNOWLEDGE_ITEM);

  return {
    get,

    /** Creates an item. Idempotent by id. */
    async create(account: string, id: string, item: Typed): Promise<KnowledgeItemDoc> {
      const untrained = {
        deleted_at: null,
        content_version: 0,
        generation: 0,
        trained_at: null,
        training_failed_at: null,
        training_failed_with: null,
        training_notes: [],
        training: UNTRAINED,
        live: null,
      };
      const created = outbox({ case: 'knowledgeItemCreated', value: {} });
      const due = item.type === 'document' ? [filesDue] : [];
      const found = () => items.findOne({ _id: id, account, ...LIVE });
      return items.write(
        async (raw) => {
          const inserted = await insertOnce(raw, { _id: id, account, ...item, ...untrained }, [...due, ...created]);
          const made = inserted ?? (await get(account, id));
          return { result: made, changed: [made], counted: inserted ? { items: 1 } : {} };
        },
        { account, most: { items: 1 }, found },
      );
    },

    /**
     * Bumps the versions of an item that was created or deleted by a process that may have died before it could. Nothing if the
     * item is gone. Idempotent.
     */
    async settle(account: string, id: string): Promise<void> {
      const item = await items.findOne({ _id: id, account }, { projection: { account: 1, created_at: 1 } });
      await items.write(async () => ({ result: undefined, changed: item ? [item] : [] }));
    },

    /** The given items that the account has, in the given order. */
    async batch(account: string, ids: readonly string[]): Promise<KnowledgeItemDoc[]> {
      const found = await items.find({ _id: { $in: [...ids] }, account, ...LIVE }).toArray();
      const byId = new Map(found.map((item) => [item._id, item]));
      return [...new Set(ids)].flatMap((id) => byId.get(id) ?? []);
    },

    page(account: string, request: PageRequest): Promise<Page<KnowledgeItemDoc>> {
      const filter = { account, ...LIVE };
      return page(items, filter, request, { total: () => totals.total({ account }, filter) });
    },

    /**
     * Changes the given settings of a website. New path patterns take effect with the next training. Repeating a change has
     * no effect.
     */
    async update(account: string, id: string, settings: WebsiteSettings): Promise<KnowledgeItemDoc> {
      const mine = { _id: id, account, ...LIVE, type: 'website' as const };
      const updated = await items.unlisted.findOneAndUpdate(mine, changed(settings), { returnDocument: 'after' });
      return updated ?? refuse(items, { _id: id }, KNOWLEDGE_ITEM);
    },

    /** Deletes an item and returns it as it was; the purge removes the rest. Idempotent by operation. */
    async delete(account: string, id: string, operation: string): Promise<KnowledgeItemDoc> {
      const deleted = [
        set({ deleted_by: operation }),
        compute({ retrain_due: '$$REMOVE' }),
        ...tombstone({ case: 'knowledgeItemDeleted', value: {} }),
      ];
      return items.write(
        async (raw) => {
          const before = await raw.findOneAndUpdate({ _id: id, account, ...LIVE }, deleted);
          const item =
            before ??
            (await raw.findOne({ _id: id, account, deleted_by: operation })) ??
            (await refuse(raw, { _id: id }, KNOWLEDGE_ITEM));
          return { result: item, changed: [item], counted: before ? less(ownOf(before)) : {} };
        },
        { account, most: {} },
      );
    },

    /** The live builds of those of the given items that the account has, in one read. */
    async liveBuilds(account: string, ids: readonly string[]): Promise<Map<string, LiveItem>> {
      const trained = { _id: { $in: [...ids] }, account, ...LIVE, live: { $type: 'object' as const } };
      const found = await items.find(trained, { projection: { live: 1, type: 1 } }).toArray();
      return new Map(found.map(({ _id, live, type }) => [_id, { ...live!, type }]));
    },

    /** The given items, of any accounts, that have another live build than is given, in one read. */
    async replaced(known: ReadonlyMap<string, { readonly account: string; readonly build: string }>) {
      const accounts = [...new Set([...known.values()].map(({ account }) => account))];
      const trained = {
        _id: { $in: [...known.keys()] },
        account: { $in: accounts },
        ...LIVE,
        live: { $type: 'object' },
      };
      const found = await items.find(trained as never, { projection: { account: 1, live: 1 } }).toArray();
      return found.flatMap(({ _id, account, live }) => {
        const { account: owner, build } = known.get(_id)!;
        return live && account === owner && live.build !== build ? [{ _id, account, live }] : [];
      });
    },
  };
}

/** Patterns are part of the content: a training asked for after they have changed is not one that is already running. */
function changed(settings: WebsiteSettings): Document[] {
  const differs = Object.entries(settings).map(([field, value]) => ({
    $ne: [{ $ifNull: [`$website.${field}`, null] }, literal(value)],
  }));
  const { include, exclude } = settings;
  const isNew = Object.entries({ include, exclude })
    .filter(([, patterns]) => patterns !== undefined)
    .map(([field, patterns]) => ({ $ne: [{ $ifNull: [`$website.${field}`, []] }, literal(patterns)] }));
  const stages = [
    ...outbox({ case: 'knowledgeItemChanged', value: {} }, { when: { $or: differs } }),
    compute({ content_version: { $add: ['$content_version', { $cond: [{ $or: isNew }, 1, 0] }] } }),
    ...Object.entries(settings).map(([field, value]) => set({ [`website.${field}`]: value })),
  ];
  return 'retrain_every' in settings ? [...stages, compute({ retrain_due: retrainDue(LAST_ENDED) })] : stages;
}
