import { notFound } from '@parley/runtime';
import {
  compute,
  deleteAndCount,
  deleteInParts,
  insertOnce,
  LIVE,
  type ListVersions,
  outbox,
  type Page,
  type PageRequest,
  page,
  refuse,
  set,
  totalsOf,
} from '@parley/runtime/mongo';
import type { FaqItemDoc } from '../source-model.ts';
import type { Collections } from './collections.ts';
import { KNOWLEDGE_ITEM } from './items.ts';

export type NewFaqItem = Pick<FaqItemDoc, 'question' | 'answer' | 'source_url' | 'categories'>;

/** Each is a change that failed half-way, so there are few. */
const MAX_COUNTED = 1_000;

export type FaqItemStore = ReturnType<typeof faqItemStore>;

/**
 * The items of FAQs. A change is written first, and increments the FAQ's `content_version` second: a training that read
 * the items before the change was claimed before the increment, so it is known to be out of date. Until then the change is
 * marked `uncounted`, so that the next requested training counts it if the second write failed.
 */
export function faqItemStore({ items, faqItems }: Collections, versions: ListVersions<'item'>) {
  const totals = totalsOf(faqItems, versions);

  /** False if the FAQ is gone. */
  async function count(changed: FaqItemDoc): Promise<boolean> {
    const { account, item } = changed;
    if (!changed.uncounted) return exists(account, item);
    if (!(await raiseVersion(items, account, item))) return false;
    // The list's version must be bumped by then: see `page`.
    await versions.create(changed);
    await faqItems.unlisted.updateOne({ _id: changed._id, account, item }, { $unset: { uncounted: 1 } });
    return true;
  }

  const exists = async (account: string, item: string): Promise<boolean> =>
    (await items.findOne({ _id: item, account, ...LIVE }, { projection: { _id: 1 } })) !== null;

  return {
    /**
     * Adds an item to an FAQ. Idempotent by id.
     *
     * @throws AppError `not_found` if the FAQ is gone, `permission_denied` if the account has no room
     */
    async create(account: string, item: string, id: string, fields: NewFaqItem): Promise<FaqItemDoc> {
      const rating = { upvotes: 0, downvotes: 0 };
      const added = { _id: id, account, item, ...fields, rating, deleted_at: null, uncounted: true };
      const found = () => faqItems.findOne({ _id: id, account, item, ...LIVE });
      const made = await faqItems.write(
        async (raw) => {
          const inserted = await insertOnce(raw, added);
          const made = inserted ?? (await raw.findOne({ _id: id, account, item }));
          if (made && (await count(made))) {
            return { result: made, changed: [], counted: inserted ? { faq_items: 1 } : {} };
          }
          const { deletedCount } = await raw.deleteOne({ _id: id, account, item, ...LIVE });
          const counted = { faq_items: (inserted ? 1 : 0) - deletedCount };
          return { result: undefined, changed: made ? [made] : [], counted };
        },
        { account, most: { faq_items: 1 }, found },
      );
      return made ?? refuse(items, { _id: item }, KNOWLEDGE_ITEM);
    },

    /** Deletes an item of an FAQ and returns it as it was. Idempotent by operation. */
    async delete(account: string, item: string, id: string, operation: string): Promise<FaqItemDoc> {
      const mine = { _id: id, account, item };
      const deleted = [set({ deleted_by: operation, uncounted: true }), compute({ deleted_at: '$$NOW' })];
      return faqItems.write(
        async (raw) => {
          const now = await raw.findOneAndUpdate({ ...mine, ...LIVE }, deleted, { returnDocument: 'after' });
          const found = now ?? (await raw.findOne({ ...mine, deleted_by: operation }));
          if (!found) throw notFound('There is no such item in this FAQ.');
          await count(found);
          return { result: found, changed: [], counted: now ? { faq_items: -1 } : {} };
        },
        { account, most: {} },
      );
    },

    /** Removes all items of an FAQ that was deleted. Idempotent. */
    async removeAll(account: string, item: string): Promise<void> {
      await faqItems.write(
        async (raw) => {
          const deleted = await deleteAndCount(raw, { account, item, ...LIVE });
          return { result: undefined, changed: [], counted: { faq_items: -deleted } };
        },
        { account, most: {} },
      );
      await deleteInParts(faqItems.unlisted, { account, item });
      await versions.drop({ account, item });
    },

    /**
     * A total that was kept must not be trusted while a change is marked as `uncounted`: its process may have died before it
     * bumped the version of the list.
     */
    page(account: string, item: string, request: PageRequest): Promise<Page<FaqItemDoc>> {
      const filter = { account, item, ...LIVE };
      const total = async () =>
        (await faqItems.findOne({ account, item, uncounted: true }, { projection: { _id: 1 } }))
          ? faqItems.countDocuments(filter)
          : totals.total({ account, item }, filter);
      return page(faqItems, filter, request, { total });
    },

    async isEmpty(account: string, item: string): Promise<boolean> {
      return (await faqItems.findOne({ account, item, ...LIVE }, { projection: { _id: 1 } })) === null;
    },

    count: (account: string, item: string): Promise<number> => faqItems.countDocuments({ account, item, ...LIVE }),

    /** All items of an FAQ, newest first: what a training reads. */
    all: (account: string, item: string): AsyncIterable<FaqItemDoc> =>
      faqItems.find({ account, item, ...LIVE }).sort({ created_at: -1, _id: -1 }),
  };
}

/**
 * Increments an FAQ's `content_version` for changes that failed to do so themselves; true if there were any. A change that
 * is about to succeed may be counted twice, which costs one training.
 */
export async function countChanges(
  { items, faqItems }: Pick<Collections, 'items' | 'faqItems'>,
  account: string,
  item: string,
): Promise<boolean> {
  const uncounted = { item, account, uncounted: true } as const;
  const changes = await faqItems.find(uncounted, { projection: { _id: 1 }, limit: MAX_COUNTED }).toArray();
  if (changes.length === 0) return false;
  await raiseVersion(items, account, item);
  const ids = changes.map(({ _id }) => _id);
  await faqItems.unlisted.updateMany({ ...uncounted, _id: { $in: ids } }, { $unset: { uncounted: 1 } });
  return true;
}

async function raiseVersion(items: Collections['items'], account: string, item: string): Promise<boolean> {
  const raised = await items.unlisted.updateOne({ _id: item, account, ...LIVE }, [
    compute({ content_version: { $add: ['$content_version', 1] } }),
    ...outbox({ case: 'knowledgeItemChanged', value: {} }),
  ]);
  return raised.matchedCount === 1;
}
